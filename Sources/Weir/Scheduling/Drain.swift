// Part of Weir. SPDX-License-Identifier: Apache-2.0
/// What a ``Drain`` empties. Called by the consumer only: see ``DrainRole``.
@usableFromInline
protocol DrainedQueue: AnyObject, Sendable {
  /// What the producer changes when it appends. For a consumer that has just left.
  func tailAfterLeaving() -> UInt64
  /// Destroys what waits, and delivers the end.
  func deliverEndAtOnce()
  /// Ends the subscription of what it delivers to, which gets nothing more: an error that waits is reported.
  func endSubscription()
  /// Destroys what waits and releases what it delivers to, and leaves. It has ended.
  func cleanUp()
}

/// What became of delivering some of a queue.
@frozen @usableFromInline
enum DrainPass: Sendable {
  /// As many as one drain may deliver; there may be more.
  case more
  /// All; the tail was this.
  case empty(tail: UInt64)
  /// The end was delivered, or is to be, or nothing may be delivered any more.
  case over
}

/// Empties a queue on a scheduler: one piece of work, scheduled again and again, once for each time that the
/// queue was empty, and after ``valuesPerDrain`` values and the rest of the batch that goes beyond them, so
/// that others get their turn. On a scheduler that runs work inside `enqueue` that is a loop. On one that
/// lets it linger it looks for more before it says that the queue is empty: so a value that comes soon finds
/// a consumer who looks at the queue itself, and not a worker who looks for work.
@usableFromInline
final class Drain: ScheduledWork, Disposable, @unchecked Sendable {
  // Unchecked: the role and the word are atomic; `scheduler` and `lingering` belong to the consumer.
  @inlinable static var valuesPerDrain: Int { 1_024 }

  /// The first property: see ``rounds``.
  private var enqueuerWord: UInt64 = 0
  @usableFromInline let role: DrainRole
  private let queue: any DrainedQueue
  private let tail: AtomicWord
  /// Released at the end: its queue may keep this object for long.
  @exclusivity(unchecked) private var scheduler: (any Scheduler)?
  @exclusivity(unchecked) private var lingering: (any LingeringScheduler)?
  /// Made where the values are known, so that it is specialised for them.
  private let deliver: @Sendable () -> DrainPass

  /// What the consumer does when it finds the queue empty.
  private enum Pace {
    case leave
    /// Looks for more as long as its scheduler lets it, if that does.
    case linger
  }

  /// - Parameters:
  ///   - tail: moves with each value that is appended to the queue, and belongs to it.
  ///   - lingering: the scheduler, if it lingers. Whoever knows its type knows that, and need not look it up.
  ///   - subscription: ends it, but does not keep it.
  ///   - deliver: delivers some of the queue.
  @usableFromInline
  init(
    of queue: any DrainedQueue, _ role: DrainRole, tail: AtomicWord, on scheduler: any Scheduler,
    lingering: (any LingeringScheduler)?, in subscription: Subscription,
    deliver: @escaping @Sendable () -> DrainPass
  ) {
    self.queue = queue
    self.role = role
    self.scheduler = scheduler
    self.lingering = lingering
    self.tail = tail
    self.deliver = deliver
    subscription.add(WeakDisposal(of: self))
  }

  /// Its upstream has let go of it, and releasing the queue that it empties runs user code next. If this
  /// piece of work was told to return, no other worker has been woken for what waits: so that is done here.
  /// The worker that releases it cannot do it, as it may not know that it had the last reference.
  deinit {
    if role.isEnded { return }
    if let lingering, lingering.isCurrent { lingering.goOn() }
    ReleaseQueue().end { [queue] in
      queue.endSubscription()
      queue.cleanUp()
    }
  }

  @usableFromInline var isDisposed: Bool { role.isEnded }

  /// For the producer, after it has appended: has somebody come for it.
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

  /// What the consumer does if it is a sender on its way, who must not be held up.
  @usableFromInline
  func drain() { drain(.leave) }

  private var rounds: RepeatedWork { RepeatedWork(AtomicWord(property: 0, of: self)) }

  /// What the consumer does.
  private func drain(_ pace: Pace) {
    guard let scheduler = takeTurn(pace) else { return }
    rounds.next(
      scheduling: { scheduler.lineUp(self) }, performing: { role.begin() && takeTurn(pace) != nil })
  }

  /// What the consumer does until it leaves. If it will be back after others had the thread, answers where it
  /// is to line up for that.
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
        // It does not return at once: user code comes next, after all.
        if !mayGoOn { lingering?.goOn() }
      case .over: break
      }
      end()
      return nil
    }
  }

  /// The consumer lets others have the thread, and will be back. nil if a flag was set: it stays.
  private func leaveToLineUp() -> (any Scheduler)? {
    // Whoever ends it after the consumer has left releases the scheduler.
    let scheduler = self.scheduler
    return role.leaveScheduled() ? scheduler : nil
  }

  /// Looks for more. False if the thread is wanted: then the consumer returns to the scheduler. A hint, hence
  /// without order.
  private func linger(after seen: UInt64) -> Bool {
    lingering?.linger { tail.loadRelaxed() != seen || role.isInterrupted } ?? true
  }

  /// The consumer ends it.
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
