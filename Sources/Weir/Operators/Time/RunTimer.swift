// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Timers of runs
//
// Guarantees: an operator that has a timer beside its upstream decides everything in one turn, that of its
// SerialDelivery. What the timer triggers happens on the scheduler, even under contention, but for
// `Missed.act`. A run has at most one timer set at a time. Postponing it is a store.
//
// When the timer fires and the turn is free, the operator acts there and then. If the turn is taken, the
// timer does not leave its work to the holder, which may be another thread, or be in the call that sends the
// value: it only posts that it was missed, and the holder sets the timer again, due at once; unless that is
// the timer's own thread, which has found the turn taken by itself, or biased to another thread (`firer`). A
// scheduler that runs such work inside `enqueue`, in the turn, would repeat that for ever: the thread's mark
// in `setter` reveals it, and then the holder does the work.
//
// A source that sends without a gap to a slow subscriber holds the turn nearly all the time: each timer would
// be missed. So an operator that forwards values as they arrive says what the holder does about that
// (`missed`): stop the source, or do the timer's work there. Other operators hold the turn only briefly when
// a value arrives, and one of the next timers finds it free. Those that sometimes forward an arrival, as
// debounce(where:), rateLimit with a leading edge, and collect(count:within:) do, leave nothing to the timer
// then: the pending value is dropped for it, or sent with it, or there was none.
//
// A scheduler that is shut down abandons the timer; one of the user may just release it. Then nothing is left
// that would send the pending values, so the run ends, without an event. A cancelled timer is released, too,
// or even abandoned, and ends nothing: the upstreams of the delivery are disposed by then.
//
// A clock may count in steps, and truncate an instant between two of them to the earlier one: then a timer
// fires when the clock shows less than `due`, and would do so each time. So a timer that was set for `due` is
// due when it fires, whatever the clock says. Hence a timer is too early at most once until something
// arrives: it sets the next one for `due`. Code that counts on from a timer's time uses `passed`, which is
// never before that.
//
// An operator that sets its timer again each time it fires (`.rounds`) would never return from `enqueue` on a
// scheduler that runs work inside it, if the next time is due by then: so for Weir's timers it is RoundWork,
// which they hand over on their own thread.
//
// Who owns what: the delivery retains this object. While something is pending that is to be sent even if the
// source lets go without a terminal event, this object retains the delivery, as an upstream does. The timer
// that was set retains only this object: one that fires in vain retains no run. The upstreams of the delivery
// hold the disposable of the timer, and cancel it when the run ends.
//
// Invariants:
//  1. All variables belong to the holder of the turn. So the disposables of timers are stored in their slot
//     in the order of the timers.
//  2. `due` never moves back while a timer is set: the timer would miss it. The upstream is serial, so what
//     arrives later was also sent later. While no timer is set, `due` has come, or has its initial value.
//  3. A thread finds its own mark in `setter` only while it is inside `enqueue`, and in `firer` only while it
//     runs the timer's work. Other threads ignore what they find there; one whose mark was overwritten in
//     `firer` sets the timer again without need.
//  4. `kept` is set only while the timer is set, or the holder of the turn acts for it. It is cleared when
//     nothing is pending any more, and before the operator itself ends the run; any other end releases the
//     handler of the delivery, and so this object.

/// Whether an operator sets its timer only for what has arrived, or again whenever it has fired.
@frozen @usableFromInline
enum TimerUse: Sendable { case arrivals, rounds }

/// The timer of one run. Times are counted from the start of the run: a duration has a known layout; a
/// clock's instant has not, and would triple the cost of whatever contains it.
///
/// Nothing in it depends on the types of the run, so that what a scheduler calls looks none up.
@usableFromInline
class TimerOfRun: @unchecked Sendable {
  // Unchecked: invariant 1; the word is atomic.
  @exclusivity(unchecked) private var setterWord: UInt64 = 0
  @exclusivity(unchecked) private var firerWord: UInt64 = 0
  @usableFromInline final let scheduler: any TimedScheduler
  private let use: TimerUse
  @usableFromInline final let timer = SerialDisposable()
  /// Not owned: it owns this object, and is alive whenever this is used.
  @exclusivity(unchecked) @usableFromInline final unowned(unsafe) var core: DeliveryCore?
  /// The same, retained while something is pending.
  @exclusivity(unchecked) @usableFromInline final var kept: DeliveryCore?
  /// Those of `core`, and not owned either. Unmanaged, as checking them would cost four retains otherwise.
  @exclusivity(unchecked) @usableFromInline final var upstreams: Unmanaged<Subscription>?
  /// The subscription of the run. Set before there are events.
  @exclusivity(unchecked) @usableFromInline final var subscription: Subscription?
  /// Tells the run that the timer has fired. Made where the run's types are known; captures nothing.
  @exclusivity(unchecked) @usableFromInline final var tell: (@Sendable (DeliveryCore, Way) -> Void)?
  @exclusivity(unchecked) @usableFromInline final var isWaiting = false
  @exclusivity(unchecked) @usableFromInline final var due: Duration
  /// What `due` was when the timer was set.
  @exclusivity(unchecked) @usableFromInline final var dueWhenSet: Duration
  /// The clock, unless it is the `ContinuousClock`; then `start` counts.
  private let otherClock: OtherClock?
  /// The same, for reading it without reference counting.
  @usableFromInline final let other: Unmanaged<OtherClock>?
  // The last one: where what follows it lies is known only at run time.
  @usableFromInline final let start: ContinuousClock.Instant

  /// - Parameters:
  ///   - use: see ``TimerUse``.
  ///   - delay: when the timer is first due.
  ///   - target: runs the timer.
  @usableFromInline
  init(for use: TimerUse = .arrivals, after delay: Duration = .zero, on target: TimerTarget) {
    self.use = use
    scheduler = target.scheduler
    due = delay
    dueWhenSet = delay
    otherClock = target.other?()
    other = otherClock.map { .passUnretained($0) }
    start = .now
  }

  private var setter: AtomicWord { AtomicWord(property: 0, of: self) }
  private var firer: AtomicWord { AtomicWord(property: 1, of: self) }

  @inlinable final var now: Duration {
    other?._withUnsafeGuaranteedRef { $0.now() } ?? start.duration(to: .now)
  }

  /// The time from which the holder of the turn counts on: ``now``, but not before the time of a timer that
  /// was due; see the head of this file.
  @inlinable final var passed: Duration { isWaiting ? now : max(now, due) }

  /// Whether a failure is waiting for the turn, or the run is over: see ``SerialDelivery/isEnding``.
  @inlinable final var isEnding: Bool { upstreams?._withUnsafeGuaranteedRef { $0.isDisposed } != false }

  /// How the run is told that the timer has fired.
  @frozen @usableFromInline enum Way { case send, post }

  @usableFromInline
  final func belong(
    to core: DeliveryCore, of subscription: Subscription,
    _ tell: @escaping @Sendable (DeliveryCore, Way) -> Void
  ) {
    core.upstreams.add(timer)
    self.core = core
    upstreams = .passUnretained(core.upstreams)
    self.subscription = subscription
    self.tell = tell
  }

  /// Makes the timer fire at `due`: sets it, or stores the new time for when it fires too early.
  @inlinable @inline(__always)
  final func set(to due: Duration) {
    self.due = due
    if !isWaiting { wait() }
  }

  /// The same for something that is to be sent even if the source lets go without a terminal event: the run
  /// lives on until ``letGo()``.
  @inlinable @inline(__always)
  final func keep(until due: Duration) {
    if kept == nil { kept = core }
    set(to: due)
  }

  /// Called when nothing is pending any more, by the holder of the turn, which retains the delivery.
  @inlinable @inline(__always)
  final func letGo() { kept = nil }

  /// Whether the timer that has fired is not too early. If it is, it is set again.
  @inlinable final var isDue: Bool {
    isWaiting = false
    if due == dueWhenSet || now >= due { return true }
    wait()
    return false
  }

  /// Whether the holder of the turn does the work of a missed timer that is due. If not, the timer is set
  /// again.
  @usableFromInline
  final func isToAct(_ missed: Missed) -> Bool {
    if firer.loadRelaxed() == weir_thread() { return true }
    switch missed {
    case .again: break
    case .stop(let source):
      if scheduler.isCurrent { return true }
      source.dispose()
    case .act: return true
    }
    wait()
    return false
  }

  @usableFromInline
  final func wait() {
    guard let core else { return }
    isWaiting = true
    dueWhenSet = due
    setter.storeRelaxed(weir_thread())
    let firing = use == .rounds ? RoundFiring(of: self, in: core) : Firing(of: self, in: core)
    timer.swap(otherClock?.enqueue(firing, due) ?? scheduler.enqueue(firing, due, after: start))
    setter.storeRelaxed(0)
  }

  fileprivate final func fire(into core: DeliveryCore) {
    if setter.loadRelaxed() == weir_thread() {
      tell?(core, .post)
      return
    }
    let outer = firer.loadRelaxed()
    firer.storeRelaxed(weir_thread())
    tell?(core, .send)
    // Nested in another call of this, if the subscriber runs the scheduler.
    firer.storeRelaxed(outer == weir_thread() ? outer : 0)
  }

  /// Ends the upstream and cancels the timer: to be called before the operator itself ends the run.
  @usableFromInline
  final func endUpstreams() {
    core?.upstreams.dispose()
    letGo()
  }
}

/// The same with the types of the run.
@usableFromInline
final class RunTimer<Arrival, Failure: Error>: TimerOfRun, @unchecked Sendable {  // as above
  @usableFromInline typealias Delivery = SerialDelivery<RunItem<Arrival>, Failure>

  @inlinable
  override init(for use: TimerUse = .arrivals, after delay: Duration = .zero, on target: TimerTarget) {
    super.init(for: use, after: delay, on: target)
  }

  @inlinable
  func belong(to delivery: Delivery, of subscription: Subscription) {
    belong(to: delivery.core, of: subscription) { core, way in
      switch way {
      case .send: Delivery(core).send(.fired, orLeave: .missed)
      case .post: Delivery(core).post(.fired)
      }
    }
  }
}

/// A timer that was set, as work of the scheduler. It may fire when the run has ended.
private class Firing: ScheduledWork, @unchecked Sendable {
  // Unchecked: `isOver` belongs to the call of `run`, of which there is one at most, and then to `deinit`.
  private let timer: TimerOfRun
  private weak let core: DeliveryCore?
  @exclusivity(unchecked) private var isOver = false

  init(of timer: TimerOfRun, in core: DeliveryCore) {
    self.timer = timer
    self.core = core
  }

  deinit { if !isOver { forsakenRun?.endWithOwner() } }

  func run() {
    isOver = true
    if let core { timer.fire(into: core) }
  }

  func abandon() { forsakenRun?.end() }

  /// The run to end because the scheduler has abandoned or released this. Nil if the upstreams have ended:
  /// then the timer was cancelled, and a scheduler may abandon it for that, while the terminal event may
  /// still be waiting for the turn.
  private var forsakenRun: Subscription? {
    if let core, !core.upstreams.isDisposed { timer.subscription } else { nil }
  }
}

/// The same for a timer that is set again when it has fired.
private final class RoundFiring: Firing, RoundWork, @unchecked Sendable {}  // as Firing
