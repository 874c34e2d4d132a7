// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Runs pieces of work: at once, later, or somewhere else.
///
/// A *serial* scheduler runs one action at a time, in the order in which they were scheduled (first in, first out). Whoever
/// takes a scheduler says whether it needs a serial one.
///
/// ReactiveObjC: `RACScheduler`.
public protocol Scheduler: Sendable {
  /// Runs `action` once, at a time and on a thread of the scheduler's choice; a serial one after all that was scheduled before.
  ///
  /// - Parameter action: what to do.
  /// - Returns: what takes the action back if it has not begun; it does not stop one that has.
  ///
  /// ReactiveObjC: `-schedule:`.
  @discardableResult
  func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable
}

/// Runs each action inside ``schedule(_:)``, on the calling thread.
///
/// It changes no threads and keeps nothing. It is not serial: two threads that schedule at the same time run their actions at the
/// same time, and an action that schedules another one runs it nested.
///
/// ReactiveObjC: `+[RACScheduler immediateScheduler]`.
public struct ImmediateScheduler: Scheduler {
  /// The immediate scheduler; all of them are alike.
  public init() {}

  /// Runs `action` before it returns. What it answers is disposed already.
  ///
  /// - Parameter action: what to do.
  @discardableResult
  public func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable {
    action()
    return Done.shared
  }

  /// What is over when it is handed out.
  private final class Done: Disposable {
    static let shared = Done()
    var isDisposed: Bool { true }
    func dispose() {}
  }
}

extension Scheduler where Self == ImmediateScheduler {
  /// The scheduler that runs everything at once, on the calling thread.
  public static var immediate: ImmediateScheduler { ImmediateScheduler() }
}
