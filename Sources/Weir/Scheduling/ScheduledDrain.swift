// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Scheduled drain
//
// Guarantees: every value that was appended is delivered or destroyed, by one piece of work, which is in the
// scheduler at most once. While it lingers, it keeps no other work waiting.
//
// Invariants:
//  1. Who moves the role to `scheduled` enqueues the drain, and nobody else does. `scheduler` and `lingering`
//     belong to the consumer; a producer brings its own reference, and a consumer that leaves takes one along
//     before, as a thread that ends the drain may release them from then on.
//  2. A consumer that finds the queue empty leaves, and then looks at the tail once more. If that has
//     changed, it enters again, or the producer has scheduled the drain. What it polls before is a hint.
//  3. If the scheduler has ended its lingering, there is other work. The consumer then returns to the
//     scheduler, if need be by lining up again; where it has to go on, because the queue has ended or is
//     released, it has other workers woken first.
//
// Orderings: those of DrainRole, and of the queue, whose `tailAfterLeaving` is the second half of their store
// buffering.

/// The queue that a ``ScheduledDrain`` empties. Called by the consumer only: see ``DrainRole``.
@usableFromInline
protocol DrainedQueue: AnyObject, Sendable {
  /// The tail, which the producer changes when it appends. For a consumer that has just left.
  func tailAfterLeaving() -> UInt64
  /// Destroys the buffered values, and delivers the terminal event.
  func deliverEndAtOnce()
  /// Ends the subscription of the receiver, which gets nothing more: a pending error is reported.
  func endSubscription()
  /// Destroys the buffered values, releases the receiver, and leaves. For a queue that has ended.
  func cleanUp()
}

/// The result of delivering part of a queue.
@frozen @usableFromInline
enum DrainPass: Sendable {
  /// As many values as one drain may deliver; there may be more.
  case more
  /// All values; the tail was this.
  case empty(tail: UInt64)
  /// The terminal event was delivered, or is to be, or nothing may be delivered any more.
  case over
}

/// Empties a queue on a scheduler: one piece of work, scheduled again and again, once for each time that the
/// queue was empty, and after ``valuesPerDrain`` values, or as many as can be buffered, and the rest of the
/// batch that exceeds them, so that other work gets its turn. On a scheduler that runs work inside `enqueue`
/// that is a loop. On a scheduler that lets it linger, it polls for more before it declares the queue empty:
/// so a value that comes soon finds a consumer that looks at the queue itself, and not a worker that looks
/// for work.
@usableFromInline
final class ScheduledDrain: ScheduledWork, Disposable, @unchecked Sendable {
  // Unchecked: the role and the word are atomic; `scheduler` and `lingering` belong to the consumer.
  @inlinable static var valuesPerDrain: Int { 1_024 }

  /// The first property: see ``rounds``.
  private var enqueuerWord: UInt64 = 0
  @usableFromInline let role: DrainRole
  private let queue: any DrainedQueue
  private let tail: AtomicWord
  /// Released at the end: the queue may retain this object for long.
  @exclusivity(unchecked) private var scheduler: (any Scheduler)?
  @exclusivity(unchecked) private var lingering: (any LingeringScheduler)?
  /// Created where the type of the values is known, to be specialised for it.
  private let deliver: @Sendable () -> DrainPass

  /// What the consumer does when it finds the queue empty.
  private enum Pace {
    case leave
    /// Polls for more as long as its scheduler lets it.
    case linger
  }

  /// - Parameters:
  ///   - tail: the queue's; changes with each value that is appended.
  ///   - subscription: disposes this drain, but does not retain it.
  ///   - deliver: delivers part of the queue.
  @usableFromInline
  init(
    of queue: any DrainedQueue, _ role: DrainRole, tail: AtomicWord, on scheduler: any Scheduler,
    in subscription: Subscription, deliver: @escaping @Sendable () -> DrainPass
  ) {
    self.queue = queue
    self.role = role
    self.scheduler = scheduler
    lingering = scheduler.lingering
    self.tail = tail
    self.deliver = deliver
    subscription.add(WeakDisposal(of: self))
  }

  /// The upstream has let go without a terminal event, and releasing the queue runs user code next. If this
  /// piece of work was told to return, no other worker has been woken for queued work: that is done here. The
  /// worker that releases the drain cannot do it, as it may not know that it had the last reference.
  deinit {
    if role.isEnded { return }
    if let lingering, lingering.isCurrent { lingering.wakeWorkers() }
    ReleaseQueue().end { [queue] in
      queue.endSubscription()
      queue.cleanUp()
    }
  }

  @usableFromInline var isDisposed: Bool { role.isEnded }

  /// For the producer, after it has appended: schedules the drain if there is no consumer.
  @usableFromInline
  func request(on scheduler: any Scheduler) {
    switch role.request() {
    case .nothing: return
    case .schedule: scheduler.enqueue(self)
    case .cleanUp: cleanUp()
    }
  }

  @usableFromInline
  func run() {
    if rounds.isLeftToLoop() { return }
    if role.begin() { drain(.linger) }
  }

  @usableFromInline
  func abandon() {
    guard role.begin() else { return }
    queue.endSubscription()
    end()
  }

  @usableFromInline
  func dispose() { if role.end().isConsumer { cleanUp() } }

  /// Empties the queue without lingering, for a sender that must not be held up.
  @usableFromInline
  func drain() { drain(.leave) }

  private var rounds: RoundLoop { RoundLoop(AtomicWord(property: 0, of: self)) }

  /// Empties the queue, for the consumer.
  private func drain(_ pace: Pace) {
    guard let scheduler = takeTurn(pace) else { return }
    rounds.next(
      scheduling: { scheduler.lineUp(self) }, performing: { role.begin() && takeTurn(pace) != nil })
  }

  /// Delivers until the consumer leaves. If it has to go on after other work had the thread, returns the
  /// scheduler on which to line up for that.
  private func takeTurn(_ pace: Pace) -> (any Scheduler)? {
    while true {
      switch deliver() {
      case .more:
        if let scheduler = leaveToLineUp() { return scheduler }
      case .empty(let seen):
        let mayGoOn = pace == .leave || linger(after: seen)
        if mayGoOn, tail.loadRelaxed() != seen { continue }
        if role.leave() {
          if queue.tailAfterLeaving() == seen || !role.enter() { return nil }
          if mayGoOn { continue }
          if let scheduler = leaveToLineUp() { return scheduler }
        }
        // It does not return to the scheduler at once: user code comes next, after all.
        if !mayGoOn { lingering?.wakeWorkers() }
      case .over: break
      }
      end()
      return nil
    }
  }

  /// The consumer leaves the thread to other work, and will be back. nil if a flag was set: it stays.
  private func leaveToLineUp() -> (any Scheduler)? {
    // Once the consumer has left, a thread that ends the drain releases the scheduler.
    let scheduler = self.scheduler
    return role.leaveScheduled() ? scheduler : nil
  }

  /// Polls for more. False if other work needs the thread: then the consumer returns to the scheduler. A
  /// hint, hence unordered.
  private func linger(after seen: UInt64) -> Bool {
    lingering?.linger { tail.loadRelaxed() != seen || role.isInterrupted } ?? true
  }

  /// Ends the drain, for the consumer.
  private func end() {
    if role.isCut, !role.isEnded { queue.deliverEndAtOnce() }
    _ = role.end()
    cleanUp()
  }

  private func cleanUp() {
    (scheduler, lingering) = (nil, nil)
    queue.cleanUp()
  }
}
