// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// Runs pieces of work somewhere else, or some other time.
///
/// A *serial* scheduler runs one piece of work at a time, in the order in which they were scheduled (first
/// in, first out). Whoever takes a scheduler says whether it needs a serial one; the operators that do, say
/// so. One that can also wait for a point in time is a ``TimedScheduler``; the operators of time take only
/// those. One whose threads may look for work instead of returning is a ``LingeringScheduler``.
///
/// To write one, implement ``enqueue(_:)``: run the work in ``performAsCurrent(_:)``, and call
/// ``ScheduledWork/abandon()`` for work that will never be run. One that can be shut down implements
/// ``lineUp(_:)``, too. Everything else is there.
///
/// ReactiveObjC: `RACScheduler`.
public protocol Scheduler: AnyObject, Sendable {
  /// Runs `work` once, at a time and on a thread of the scheduler's choice; a serial one after all that was
  /// scheduled before. Does not wait for it. From any thread, also from inside a piece of work.
  ///
  /// - Parameter work: what to do. If it is never run, because the scheduler has been shut down, it is told
  ///   so.
  func enqueue(_ work: any ScheduledWork)

  /// Runs `work`, which is running, again after all that was scheduled before: so that others get the thread
  /// in between. From inside it.
  ///
  /// That is not new work: a scheduler that is being shut down, and refuses that, runs this as it runs what
  /// waits. By default it is enqueued. Hops call it, recursive work, and serial schedulers for the one below.
  /// (``SchedulerSerialExecutor`` calls it from elsewhere as well, also through an idle serial scheduler: the
  /// jobs of an actor cannot be refused.)
  ///
  /// ReactiveObjC has none: its schedulers are never shut down.
  func lineUp(_ work: any ScheduledWork)

  /// Whether the calling code is being run by this scheduler. The default answer compares with
  /// ``Schedulers/current``.
  var isCurrent: Bool { get }
}

/// Something for a scheduler to run: what to do and the state to do it with in one object, so that handing it
/// over allocates nothing, and running it again does not either.
///
/// Whoever schedules now and then passes a closure to ``Scheduler/schedule(_:)``.
///
/// ReactiveObjC has none: there it is a block.
public protocol ScheduledWork: AnyObject, Sendable {
  /// Called each time the work was scheduled, when its turn has come.
  func run()
  /// Called in place of ``run()`` if the scheduler will not run it any more. Does nothing by default.
  ///
  /// Not for work that was taken back by the disposable that scheduling it returned: who did that knows.
  ///
  /// A scheduler that forgets work instead, and just lets go of it, is seldom found out. The timer of an
  /// operator of time, or of ``SignalConvertible/timer(after:on:)``, is released then, and the run ends as if
  /// it was abandoned. Hops, recursive work and repeated work, such as that of
  /// ``SignalConvertible/interval(_:tolerance:on:)``, are kept by who scheduled them: nothing comes of them
  /// any more, and nothing ends.
  func abandon()
}

extension ScheduledWork {
  /// Does nothing.
  public func abandon() {}
}

extension Scheduler {
  /// Enqueues it.
  public func lineUp(_ work: any ScheduledWork) { enqueue(work) }

  /// Whether the calling code is being run by this scheduler.
  public var isCurrent: Bool { Schedulers.current === self }

  /// Calls `body`, and has ``Schedulers/current`` answer this scheduler meanwhile. For authors of schedulers.
  ///
  /// ReactiveObjC: `-performAsCurrentScheduler:`.
  public func performAsCurrent(_ body: () -> Void) {
    let slot = weir_thread_scheduler()
    let surrounding = slot.pointee
    let current: any Scheduler = self
    withUnsafePointer(to: current) { pointer in
      slot.pointee = UnsafeRawPointer(pointer)
      body()
    }
    slot.pointee = surrounding
  }

  /// Runs a closure once, at a time and on a thread of the scheduler's choice.
  ///
  /// - Parameter action: what to do. Released when it has run, was taken back, or was abandoned.
  /// - Returns: what takes the action back if it has not begun; it does not stop one that has. It is disposed
  ///   once the action begins.
  ///
  /// Costs one allocation beside that of the closure.
  ///
  /// ReactiveObjC: `-schedule:`.
  @discardableResult
  public func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable {
    let scheduled = ScheduledAction(action)
    enqueue(scheduled)
    return scheduled
  }

  /// Calls a closure once with `state`, at a time and on a thread of the scheduler's choice.
  ///
  /// A closure that uses nothing but its parameter is not allocated: this costs one allocation in all. Work
  /// that is scheduled again and again, and should cost none, is a ``ScheduledWork`` of one's own.
  ///
  /// - Parameters:
  ///   - state: released when the closure has been called with it, or when it was taken back or abandoned.
  ///   - action: what to do with it.
  /// - Returns: what takes the action back if it has not begun; it does not stop one that has.
  ///
  /// ReactiveObjC has no such form.
  @discardableResult
  public func schedule<State: Sendable>(
    with state: State, _ action: @escaping @Sendable (State) -> Void
  ) -> any Disposable {
    let scheduled = ScheduledAction(state, action)
    enqueue(scheduled)
    return scheduled
  }
}

/// What is known of the schedulers of this process.
public enum Schedulers {
  /// The scheduler that is running the calling code; nil if none is, as on a thread that the program has
  /// made. Where one runs work inside the work of another, it is the inner one. ``ImmediateScheduler`` leaves
  /// the surrounding one in place.
  ///
  /// It is a fact about the thread, and not inherited: a task that the work starts has none.
  ///
  /// ReactiveObjC: `+[RACScheduler currentScheduler]`, which also returns the main thread's scheduler there.
  public static var current: (any Scheduler)? {
    weir_thread_scheduler().pointee?.assumingMemoryBound(to: (any Scheduler).self).pointee
  }
}
