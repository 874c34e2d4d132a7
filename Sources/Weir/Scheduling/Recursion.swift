// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Recursive work
//
// Guarantees: the closure is called once for each request, by one thread at a time, never nested, in constant
// stack and memory, on any scheduler: one that runs work inside `enqueue` gets a loop. The scheduler gets
// control between two rounds.
//
// State: `requests` counts those whose round is not over.
//
// Invariant: who raises `requests` from 0 enqueues; after a round, who lowers it to more than 0 does. So the
// work is enqueued at most once at a time, and calls of the action do not overlap: those that are rounds, and
// those that ask for the scheduler, before it is enqueued.
//
// Orderings: those of `requests`: a round happens before the next one.

/// How recursive work asks to be run again; see ``Scheduler/scheduleRecursive(_:)``.
///
/// ReactiveObjC: the `reschedule` block of `RACSchedulerRecursiveBlock`.
public struct Recursion: Sendable {
  fileprivate let rounds: RecursiveRounds

  /// Asks for one more round. From inside a round, that comes after it has returned; from elsewhere, whenever
  /// the scheduler gets to it, also long after the last one. Does nothing once the work was disposed. A
  /// scheduler that is being shut down refuses a round that is asked for while none is under way or waits.
  public func callAsFunction() { rounds.request() }

  /// Prevents all rounds that have not begun.
  public func dispose() { rounds.dispose() }
}

extension Scheduler {
  /// Runs `action`, and again whenever it asks for that, without growing the stack or memory, however often.
  ///
  /// ```swift
  /// scheduler.scheduleRecursive { again in
  ///   if let chunk = reader.next() { handle(chunk); again() }
  /// }
  /// ```
  ///
  /// Other work of the scheduler gets its turn between two rounds. A round allocates nothing.
  ///
  /// A scheduler that is being shut down goes on, until its deadline, with the rounds that follow on one that
  /// had begun or was waiting: they are not new work (``Scheduler/lineUp(_:)``). Those that are left then are
  /// abandoned, and counted as one piece of work.
  ///
  /// - Parameter action: what to do; it is handed what it calls to be run once more, once for each call.
  /// - Returns: what prevents all rounds that have not begun, and releases the closure and this scheduler.
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

/// What ``Scheduler/scheduleRecursive(_:)`` schedules.
final class RecursiveRounds: ScheduledWork, Disposable, @unchecked Sendable {  // atomic words
  private var requestsWord: UInt64 = 0
  private var enqueuerWord: UInt64 = 0
  /// One round, or none. Returns the scheduler, which nothing else here keeps: so who keeps what was disposed
  /// does not.
  private let action: ReusableAction<Recursion?, any Scheduler>

  init(on scheduler: any Scheduler, _ action: @escaping @Sendable (Recursion) -> Void) {
    self.action = ReusableAction { again in
      if let again { action(again) }
      return scheduler
    }
  }

  private var requests: AtomicWord { AtomicWord(property: 0, of: self) }
  private var rounds: RepeatedWork { RepeatedWork(AtomicWord(property: 1, of: self)) }

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

  /// One round. Answers where there is to be another one, if there is.
  private func perform() -> (any Scheduler)? {
    let scheduler = action.call(Recursion(rounds: self))
    return requests.subtract(1) > 1 && !isDisposed ? scheduler : nil
  }
}
