// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Timers of runs
//
// Guarantees: an operator that has a timer beside its upstream decides everything in one turn, that of its SerialDelivery, and what
// the timer sets off happens on the scheduler, also when threads meet. At most one timer waits for a run. Postponing it is a store.
//
// When the timer fires and the turn is free, the operator acts there and then. If the turn is taken, the timer does not leave its work
// with the holder, who is on another thread: it leaves word to be set again, for at once. A scheduler that runs such work inside
// `schedule`, in the turn, would go on like that for ever: it is known by the thread's mark in `setter`, and then the holder does it.
//
// Who owns what: the timer that waits keeps the delivery, as any upstream does, so that a run whose source has let go ends with it; unless
// the operator says that such a run is over. The delivery keeps this object. Its upstreams keep the disposable of the timer, and take it
// back when the run ends.
//
// Invariants:
//  1. All variables belong to the holder of the turn. So the disposables of timers get into their slot in the order of the timers.
//  2. `due` never moves back while a timer waits: that would miss it.
//  3. A thread finds its own mark in `setter` only while it is inside `schedule`. Others make nothing of what they find there.

/// What waits for the turn of a run that has a timer.
@frozen @usableFromInline
enum RunItem<Arrival> {
  /// Something has come from the upstream.
  case arrival(Arrival)
  /// The timer has fired and got the turn.
  case fired
  /// Sets the timer: for the first time, or because it has fired and not got the turn.
  case wait
}

/// What becomes of a run whose source has let go without a terminal event, while its timer waits.
@frozen @usableFromInline
enum OrphanedRun {
  /// It ends when the timer has fired.
  case endsWithTimer
  /// It ends at once.
  case endsWithSource
}

/// The timer of one run.
@usableFromInline
final class RunTimer<Target: TimedScheduler, Arrival, Failure: Error>: @unchecked Sendable {
  // Unchecked: invariant 1; the word is atomic.
  @usableFromInline typealias Delivery = SerialDelivery<RunItem<Arrival>, Failure>

  @exclusivity(unchecked) private var setterWord: UInt64 = 0
  @usableFromInline let scheduler: Target
  private let orphaned: OrphanedRun
  private let timer = SerialDisposable()
  /// Not owned: it owns this object, and runs when this is used.
  @exclusivity(unchecked) private unowned(unsafe) var core: DeliveryCore?
  @exclusivity(unchecked) @usableFromInline var isWaiting = false
  @exclusivity(unchecked) @usableFromInline var due: Target.Time.Instant

  /// - Parameters:
  ///   - delay: when it is due, counted from now.
  ///   - scheduler: whose timer it is.
  ///   - orphaned: what becomes of the run when its source has let go.
  @usableFromInline
  init(
    after delay: Duration = .zero, on scheduler: Target, orphaned: OrphanedRun = .endsWithTimer
  ) {
    self.scheduler = scheduler
    self.orphaned = orphaned
    due = scheduler.clock.now.advanced(by: delay)
  }

  private var setter: AtomicWord { AtomicWord(property: 0, of: self) }

  @inlinable var now: Target.Time.Instant { scheduler.clock.now }

  /// A delivery that calls `arrived` with what comes and `fired` when the timer is due, both in its turn.
  @inlinable @inline(__always)
  func delivery<Output>(
    to sink: Sink<Output, Failure>, arrived: @escaping @Sendable (Arrival) -> Void,
    fired: @escaping @Sendable () -> Void
  ) -> Delivery {
    delivery(in: sink.subscription, arrived: arrived, fired: fired, terminate: sink.terminate)
  }

  /// The same for an operator that has something to do at the end.
  @inlinable @inline(__always)
  func delivery(
    in subscription: Subscription, arrived: @escaping @Sendable (Arrival) -> Void,
    fired: @escaping @Sendable () -> Void, terminate: @escaping @Sendable (Completion<Failure>) -> Void
  ) -> Delivery {
    let delivery = Delivery(
      to: Sink(
        next: { item in
          switch item {
          case .arrival(let arrival): arrived(arrival)
          case .fired: if self.isDue { fired() }
          case .wait: self.wait()
          }
        },
        terminate: terminate, subscription: subscription))
    belong(to: delivery)
    return delivery
  }

  @usableFromInline
  func belong(to delivery: Delivery) {
    delivery.upstreams.add(timer)
    core = delivery.core
  }

  /// Has the timer fire at `due`: sets it, or notes the new time for when it fires too early.
  @inlinable @inline(__always)
  func set(to due: Target.Time.Instant) {
    self.due = due
    if !isWaiting { wait() }
  }

  /// Whether the timer that has fired is not too early. If it is, it waits again.
  @inlinable var isDue: Bool {
    isWaiting = false
    if now >= due { return true }
    wait()
    return false
  }

  @usableFromInline
  func wait() {
    guard let core else { return }
    isWaiting = true
    setter.storeRelaxed(weir_thread())
    let fire: @Sendable () -> Void
    switch orphaned {
    case .endsWithTimer: fire = { self.fire(into: Delivery(core)) }
    case .endsWithSource:
      fire = { [weak core] in
        if let core { self.fire(into: Delivery(core)) }
      }
    }
    timer.swap(scheduler.schedule(at: due, fire))
    setter.storeRelaxed(0)
  }

  private func fire(into delivery: Delivery) {
    if setter.loadRelaxed() == weir_thread() { return delivery.post(.fired) }
    switch delivery.enter() {
    case .entered:
      delivery.handler.next(.fired)
      delivery.leave()
    case .busy: delivery.post(.wait)
    case .ended: return
    }
  }

  /// Ends the upstream and takes the timer back: what to do before the operator ends the run by itself.
  @usableFromInline
  func endUpstreams() { core?.upstreams.dispose() }
}
