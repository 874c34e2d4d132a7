// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Recursive work
//
// Guarantees: the closure is called once for each request, by one thread at a time, never nested, in constant
// stack and memory, on any scheduler: on one that runs work inside `enqueue`, the rounds are a loop. The
// scheduler gets control between two rounds.
//
// State: `requests` counts the requests whose round is not over.
//
// Invariant: the thread that raises `requests` from 0 enqueues the work; after a round, the thread that
// lowers it to more than 0 does. So the work is enqueued at most once at a time, and calls of the action do
// not overlap: neither rounds, nor calls that only fetch the scheduler, which come before the work is
// enqueued.
//
// Orderings: those of `requests`: a round happens before the next one.

/// Requests another round of recursive work; see ``Scheduler/scheduleRecursive(_:)``.
///
/// ReactiveObjC: the `reschedule` block of `RACSchedulerRecursiveBlock`.
public struct Recursion: Sendable {
  fileprivate let rounds: RecursiveRounds

  /// Requests one more round. If called from inside a round, that follows when the round has returned; if
  /// called from elsewhere, whenever the scheduler gets to it, even long after the last one. Does nothing
  /// once the work was disposed. A scheduler that is being shut down refuses a round that is requested while
  /// none is under way or queued.
  public func callAsFunction() { rounds.request() }

  /// Prevents all rounds that have not started.
  public func dispose() { rounds.dispose() }
}

extension Scheduler {
  /// Runs `action`, and runs it again each time it requests that, in constant stack and memory.
  ///
  /// ```swift
  /// scheduler.scheduleRecursive { again in
  ///   if let chunk = reader.next() { handle(chunk); again() }
  /// }
  /// ```
  ///
  /// Other work of the scheduler gets its turn between two rounds. A round allocates nothing.
  ///
  /// A scheduler that is being shut down goes on, until its deadline, with the rounds that follow one that
  /// had started or was queued: they are not new work (``Scheduler/lineUp(_:)``). Those that are left then
  /// are abandoned, and counted as one piece of work.
  ///
  /// - Parameter action: what to do; calling its parameter requests one more round, each time.
  /// - Returns: a disposable that prevents all rounds that have not started, and releases the closure and
  ///   this scheduler.
  ///
  /// ReactiveObjC: `-scheduleRecursiveBlock:`.
  @discardableResult
  public func scheduleRecursive(_ action: @escaping @Sendable (_ again: Recursion) -> Void) -> any Disposable
  {
    let rounds = RecursiveRounds(on: self, action)
    rounds.request()
    return rounds
  }
}

/// The work that ``Scheduler/scheduleRecursive(_:)`` schedules.
final class RecursiveRounds: ScheduledWork, Disposable, @unchecked Sendable {  // atomic words
  private var requestsWord: UInt64 = 0
  private var enqueuerWord: UInt64 = 0
  /// Runs one round; given nil, none. Returns the scheduler, which nothing else here retains: so retaining
  /// work that was disposed does not retain it.
  private let action: ReusableAction<Recursion?, any Scheduler>

  init(on scheduler: any Scheduler, _ action: @escaping @Sendable (Recursion) -> Void) {
    self.action = ReusableAction { again in
      if let again { action(again) }
      return scheduler
    }
  }

  private var requests: AtomicWord { AtomicWord(property: 0, of: self) }
  private var rounds: RoundLoop { RoundLoop(AtomicWord(property: 1, of: self)) }

  var isDisposed: Bool { action.isEnded }
  func dispose() { action.end() }
  func abandon() { action.end() }

  func request() {
    if !isDisposed, requests.add(1) == 0 { action.call(nil)?.enqueue(self) }
  }

  func run() {
    if rounds.isLeftToLoop() { return }
    guard let scheduler = perform() else { return }
    rounds.next(scheduling: { scheduler.lineUp(self) }, performing: { perform() != nil })
  }

  /// Runs one round. Returns the scheduler if there is to be another one.
  private func perform() -> (any Scheduler)? {
    let scheduler = action.call(Recursion(rounds: self))
    return requests.subtract(1) > 1 && !isDisposed ? scheduler : nil
  }
}
