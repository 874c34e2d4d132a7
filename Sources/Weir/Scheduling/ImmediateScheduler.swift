// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Runs work inside ``enqueue(_:)``, on the calling thread.
///
/// It changes no threads, retains nothing, and leaves ``Schedulers/current`` as it is: so
/// ``Scheduler/isCurrent`` is false, even inside its own work. It is not serial: two threads that schedule at
/// the same time run their work at the same time, and work that schedules more runs it nested;
/// ``Scheduler/scheduleRecursive(_:)`` is a loop. It cannot wait, so no time-based operator takes it, which
/// the compiler checks.
///
/// ReactiveObjC: `+[RACScheduler immediateScheduler]`, whose `-after:schedule:` blocks the thread.
public final class ImmediateScheduler: Scheduler {
  fileprivate static let shared = ImmediateScheduler()

  private init() {}

  /// Runs `work` before it returns.
  public func enqueue(_ work: any ScheduledWork) { work.run() }
}

extension Scheduler where Self == ImmediateScheduler {
  /// The scheduler that runs everything at once, on the calling thread.
  public static var immediate: ImmediateScheduler { .shared }
}
