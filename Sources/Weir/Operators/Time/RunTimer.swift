// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Timers of runs
//
// Guarantees: an operator that has a timer beside its upstream decides everything in one turn, that of its
// SerialDelivery, and what the timer sets off happens on the scheduler, also when threads meet. At most one
// timer waits for a run. Postponing it is a store.
//
// When the timer fires and the turn is free, the operator acts there and then. If the turn is taken, the
// timer does not leave its work with the holder, who may be on another thread: it leaves word that it was
// missed, and the holder, if it is not on the scheduler, sets it again, for at once. A scheduler that runs
// such work inside `schedule`, in the turn, would go on like that for ever: it is known by the thread's mark
// in `setter`, and then the holder does it.
//
// A source that sends without a gap to a slow subscriber has the turn nearly all the time: each timer would
// be missed. So an operator that passes values on as they arrive says what the holder does about that
// (`missed`): it stops the source, or does the timer's work there. Others hold the turn for a moment only
// when a value arrives, and one of the next timers finds it free. Those that sometimes pass an arrival on,
// as debounce(where:), rateLimit with a leading edge, and collect(count:within:) do, leave nothing to the
// timer then: what waited is dropped for it, or sent with it, or there was none.
//
// A scheduler that is shut down abandons the timer; one that is written otherwise may just let go of it. Then
// nothing is left to end what waits, so the run ends, without an event. A timer that was taken back is let
// go of, too, or even abandoned, and ends nothing: the upstreams of the delivery are disposed by then.
//
// A clock may count in steps, and an instant between two of them be cut off to the first: then a timer fires
// when the clock shows less than `due`, and would do so each time. So one that was set for `due` is due when
// it fires, whatever the clock says. Hence a timer is too early at most once, until something arrives: it
// sets the next one for `due`. What counts on from a timer's time takes `passed`, which is never before that.
//
// An operator that sets its timer again each time that fires (`.rounds`) would never get out of `schedule`,
// should such a scheduler find that due by then: with Weir's timers it is work for rounds, which they hand
// over on their own thread.
//
// Who owns what: the delivery keeps this object. While something waits that is still to be sent if the source
// lets go, this object keeps the delivery, as an upstream does. The timer itself keeps only this object: one
// that fires in vain keeps no run. The upstreams of the delivery keep the disposable of the timer, and take
// it back when the run ends.
//
// Invariants:
//  1. All variables belong to the holder of the turn. So the disposables of timers get into their slot in the
//     order of the timers.
//  2. `due` never moves back while a timer waits: that would miss it. The upstream is serial, so what comes
//     later was also sent later. While none waits, it has come, or is what the run began with.
//  3. A thread finds its own mark in `setter` only while it is inside `schedule`. Others make nothing of what
//     they find there.
//  4. `kept` is set only while the timer waits, or the holder of the turn acts for it. It is cleared when
//     nothing waits any more, and before the operator ends the run by itself; any other end releases the
//     handler of the delivery, and so this object.

/// What waits for the turn of a run that has a timer.
@frozen @usableFromInline
enum RunItem<Arrival> {
  /// Something has come from the upstream.
  case arrival(Arrival)
  /// The timer has fired and got the turn.
  case fired
  /// Sets the timer for the first time.
  case wait
  /// The timer has fired and not got the turn.
  case missed
}

/// A value, for operators that count time from when it was sent.
@frozen @usableFromInline
struct Sent<Value> {
  @usableFromInline let value: Value
  /// When it was sent, if it has had to wait for the turn. Nil if it was sent just now: the clock is asked
  /// only by who wants to know.
  @usableFromInline let time: Duration?

  @inlinable
  init(_ value: Value, at time: Duration? = nil) {
    self.value = value
    self.time = time
  }
}

/// What the holder of a turn does who was in the way of the timer, and is not on the scheduler.
@frozen @usableFromInline
enum Missed: Sendable {
  /// Sets it again, for at once. For operators that do not hold the turn for long when something arrives, or
  /// have nothing for the timer to do then.
  case again
  /// The same, and ends the source before, so that nothing else arrives.
  case stop(source: Subscription)
  /// Acts in its place.
  case act
}

/// Whether an operator sets its timer again whenever that has fired, or only for what has arrived.
@frozen @usableFromInline
enum TimerUse: Sendable { case arrivals, rounds }

/// The timer of one run. Times are counted from when that began: a duration has a layout that is known, and a
/// clock's instant, which has not, would make whatever it is part of three times as dear.
@usableFromInline
final class RunTimer<Target: TimedScheduler, Arrival, Failure: Error>: @unchecked Sendable {
  // Unchecked: invariant 1; the word is atomic.
  @usableFromInline typealias Delivery = SerialDelivery<RunItem<Arrival>, Failure>

  @exclusivity(unchecked) private var setterWord: UInt64 = 0
  @usableFromInline let scheduler: Target
  private let use: TimerUse
  private let timer = SerialDisposable()
  /// Not owned: it owns this object, and runs when this is used.
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) var core: DeliveryCore?
  /// The same, while something waits.
  @exclusivity(unchecked) @usableFromInline var kept: DeliveryCore?
  /// Those of `core`, and no more owned. Unmanaged, as asking them would be four retains otherwise.
  @exclusivity(unchecked) @usableFromInline var upstreams: Unmanaged<Subscription>?
  /// Of the run. Set before there are events.
  @exclusivity(unchecked) fileprivate var subscription: Subscription?
  @exclusivity(unchecked) @usableFromInline var isWaiting = false
  @exclusivity(unchecked) @usableFromInline var due: Duration
  /// What `due` was when the timer was set.
  @exclusivity(unchecked) @usableFromInline var dueWhenSet: Duration
  @usableFromInline let start: Target.Time.Instant

  /// - Parameters:
  ///   - use: see ``TimerUse``.
  ///   - delay: when it is due.
  ///   - scheduler: whose timer it is.
  @usableFromInline
  init(for use: TimerUse = .arrivals, after delay: Duration = .zero, on scheduler: Target) {
    self.use = use
    self.scheduler = scheduler
    due = delay
    dueWhenSet = delay
    start = scheduler.clock.now
  }

  private var setter: AtomicWord { AtomicWord(property: 0, of: self) }

  @inlinable var now: Duration { start.duration(to: scheduler.clock.now) }

  /// The same for the holder of the turn who counts on from a timer that was due: see the head of this file.
  @inlinable var passed: Duration { isWaiting ? now : max(now, due) }

  /// Whether a failure waits for the turn, or all is over: see ``SerialDelivery/isEnding``.
  @inlinable var isEnding: Bool { upstreams?._withUnsafeGuaranteedRef { $0.isDisposed } != false }

  /// A delivery that calls `arrived` with what comes and `fired` when the timer is due, both in its turn.
  ///
  /// - Parameter missed: called in place of `fired` by a holder of the turn who is not on the scheduler: see
  ///   ``Missed``.
  @inlinable @inline(__always)
  func delivery<Output>(
    to sink: Sink<Output, Failure>, arrived: @escaping @Sendable (Arrival) -> Void,
    fired: @escaping @Sendable () -> Void, missed: Missed = .again
  ) -> Delivery {
    delivery(
      in: sink.subscription, arrived: arrived, fired: fired, missed: missed, terminate: sink.terminate)
  }

  /// The same for an operator that has something to do at the end.
  @inlinable @inline(__always)
  func delivery(
    in subscription: Subscription, arrived: @escaping @Sendable (Arrival) -> Void,
    fired: @escaping @Sendable () -> Void, missed: Missed = .again,
    terminate: @escaping @Sendable (Completion<Failure>) -> Void
  ) -> Delivery {
    let delivery = Delivery(
      to: Sink(
        next: { item in
          switch item {
          case .arrival(let arrival): arrived(arrival)
          case .fired: if self.isDue { fired() }
          case .missed: if self.isDue, self.isToAct(missed) { fired() }
          case .wait: self.keep(until: self.due)
          }
        },
        terminate: terminate, subscription: subscription))
    belong(to: delivery, of: subscription)
    return delivery
  }

  /// The same for an operator that keeps values: `fired` sends them before completion, too, and a failure is
  /// passed on when they were dropped.
  @inlinable @inline(__always)
  func delivery<Output>(
    to sink: Sink<Output, Failure>, arrived: @escaping @Sendable (Arrival) -> Void,
    fired: @escaping @Sendable () -> Void, drop: @escaping @Sendable () -> Void
  ) -> Delivery {
    delivery(
      in: sink.subscription, arrived: arrived, fired: fired,
      terminate: { completion in
        switch completion {
        case .finished:
          if !sink.isEnded { fired() }
          if !sink.isEnded { sink.terminate(completion) }
        case .failed(let error):
          drop()
          // Dropping runs user code, which may have ended the run, as a closure that throws may.
          sink.fail(thrown: error)
        }
      })
  }

  @usableFromInline
  func belong(to delivery: Delivery, of subscription: Subscription) {
    delivery.upstreams.add(timer)
    core = delivery.core
    upstreams = .passUnretained(delivery.upstreams)
    self.subscription = subscription
  }

  /// Has the timer fire at `due`: sets it, or notes the new time for when it fires too early.
  @inlinable @inline(__always)
  func set(to due: Duration) {
    self.due = due
    if !isWaiting { wait() }
  }

  /// The same for what is to be sent also if the source lets go: the run lives on until ``letGo()``.
  @inlinable @inline(__always)
  func keep(until due: Duration) {
    if kept == nil { kept = core }
    set(to: due)
  }

  /// Nothing waits any more. For the holder of the turn, who has the delivery.
  @inlinable @inline(__always)
  func letGo() { kept = nil }

  /// Whether the timer that has fired is not too early. If it is, it waits again.
  @inlinable var isDue: Bool {
    isWaiting = false
    if due == dueWhenSet || now >= due { return true }
    wait()
    return false
  }

  /// For the holder of the turn, who has word of a timer that is due: whether it does its work. If not, it is
  /// set again.
  @usableFromInline
  func isToAct(_ missed: Missed) -> Bool {
    if scheduler.isCurrent { return true }
    switch missed {
    case .again: break
    case .stop(let source): source.dispose()
    case .act: return true
    }
    wait()
    return false
  }

  @usableFromInline
  func wait() {
    guard let core else { return }
    isWaiting = true
    dueWhenSet = due
    setter.storeRelaxed(weir_thread())
    let firing = use == .rounds ? RoundFiring(of: self, in: core) : Firing(of: self, in: core)
    // Each duration in it is bounded already. Bounded again, the sum would be another time than `due`.
    timer.swap(scheduler.enqueue(firing, at: start.advanced(by: due), tolerance: .zero))
    setter.storeRelaxed(0)
  }

  fileprivate func fire(into delivery: Delivery) {
    if setter.loadRelaxed() == weir_thread() { return delivery.post(.fired) }
    delivery.send(.fired, orLeave: .missed)
  }

  /// Ends the upstream and takes the timer back: what to do before the operator ends the run by itself.
  @usableFromInline
  func endUpstreams() {
    core?.upstreams.dispose()
    letGo()
  }

  /// Ends the run of an operator that keeps values because of one too many.
  @inlinable
  func fail<Output>(_ error: Failure, to sink: Sink<Output, Failure>, dropping drop: () -> Void) {
    drop()
    endUpstreams()
    sink.fail(thrown: error)
  }
}

/// A timer that was set, on its way through the scheduler. It may fire when the run has ended.
private class Firing<Target: TimedScheduler, Arrival, Failure: Error>: ScheduledWork,
  @unchecked Sendable
{
  // Unchecked: `isOver` belongs to who runs or abandons it, which is done once, and then to `deinit`.
  private let timer: RunTimer<Target, Arrival, Failure>
  private weak let core: DeliveryCore?
  @exclusivity(unchecked) private var isOver = false

  init(of timer: RunTimer<Target, Arrival, Failure>, in core: DeliveryCore) {
    self.timer = timer
    self.core = core
  }

  deinit { if !isOver { forsakenRun?.endWithOwner() } }

  func run() {
    isOver = true
    if let core { timer.fire(into: SerialDelivery(core)) }
  }

  func abandon() {
    isOver = true
    forsakenRun?.dispose()
  }

  /// The run that is to end, as the scheduler has abandoned or forgotten this. None if the upstreams have
  /// ended: then it was taken back, by a scheduler that may say so, and the last event may still wait for the
  /// turn.
  private var forsakenRun: Subscription? {
    if let core, !core.upstreams.isDisposed { timer.subscription } else { nil }
  }
}

/// The same for one that is set again when it has fired.
private final class RoundFiring<Target: TimedScheduler, Arrival, Failure: Error>:
  Firing<Target, Arrival, Failure>, RoundWork, @unchecked Sendable
{}
