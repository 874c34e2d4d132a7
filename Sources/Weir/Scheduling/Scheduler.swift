// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// Runs pieces of work, on threads and at times of its choice.
///
/// A *serial* scheduler runs one piece of work at a time, in the order in which they were scheduled (first
/// in, first out). An API that takes a scheduler says if it needs a serial one. A scheduler that can also
/// wait for a point in time is a ``TimedScheduler``; time-based operators take only those. A scheduler whose
/// threads may look for work instead of returning is a ``LingeringScheduler``.
///
/// To write a scheduler, implement ``enqueue(_:)``: run the work in ``performAsCurrent(_:)``, and call
/// ``ScheduledWork/abandon()`` for work that will never be run. A scheduler that can be shut down implements
/// ``lineUp(_:)``, too. Everything else has a default implementation.
///
/// ReactiveObjC: `RACScheduler`.
public protocol Scheduler: AnyObject, Sendable {
  /// Runs `work` once, at a time and on a thread of the scheduler's choice; a serial scheduler runs it after
  /// all work that was scheduled before. Returns without waiting for it. May be called from any thread, and
  /// from inside a piece of work.
  ///
  /// - Parameter work: what to do. If it will never be run, because the scheduler has been shut down,
  ///   ``ScheduledWork/abandon()`` is called.
  func enqueue(_ work: any ScheduledWork)

  /// Runs `work`, which is running now, again after all work that was scheduled before, so that other work
  /// gets the thread in between. To be called from inside `work`.
  ///
  /// This is not new work: a scheduler that is being shut down, and refuses new work, runs this like work
  /// that is already queued. The default implementation enqueues it. Hops and recursive work call it, and
  /// serial schedulers call it on the scheduler below. (``SchedulerSerialExecutor`` also calls it from
  /// elsewhere, even through an idle serial scheduler: the jobs of an actor cannot be refused.)
  ///
  /// ReactiveObjC has none: its schedulers are never shut down.
  func lineUp(_ work: any ScheduledWork)

  /// Whether the calling code is being run by this scheduler. The default implementation compares with
  /// ``Schedulers/current``.
  var isCurrent: Bool { get }

  /// This scheduler, if it is a ``LingeringScheduler``; otherwise nil. Both have a default implementation.
  ///
  /// Operators ask for this instead of casting: a cast looks the type up in a table of the Swift runtime, and
  /// counts itself on a cache line that all threads of the process share.
  ///
  /// ReactiveObjC has none.
  var lingering: (any LingeringScheduler)? { get }
}

/// A piece of work for a scheduler: the function to run and its state in one object, so that neither handing
/// it over nor running it again allocates.
///
/// Code that schedules only now and then passes a closure to ``Scheduler/schedule(_:)``.
///
/// ReactiveObjC has none: there it is a block.
public protocol ScheduledWork: AnyObject, Sendable {
  /// Called once for each time the work was scheduled, when its turn has come.
  func run()
  /// Called in place of ``run()`` if the scheduler will not run the work any more. Does nothing by default.
  ///
  /// Not called for work that was cancelled by disposing what scheduling it returned: whoever did that knows.
  ///
  /// A scheduler must not just release such work. If it does: a timer's run ends as if abandoned; hops,
  /// recursive and repeated work, and serial schedulers above it stop without an end; and the source of a
  /// shared signal in its grace period (``DisconnectPolicy/after(_:on:)``) runs on until a later grace period
  /// is over, or the shared signal is released.
  func abandon()
}

extension ScheduledWork {
  /// Does nothing.
  public func abandon() {}
}

extension Scheduler {
  /// Enqueues `work`.
  public func lineUp(_ work: any ScheduledWork) { enqueue(work) }

  /// Whether the calling code is being run by this scheduler.
  public var isCurrent: Bool { Schedulers.current === self }

  /// None.
  public var lingering: (any LingeringScheduler)? { nil }

  /// Calls `body` with this scheduler as ``Schedulers/current``. For authors of schedulers.
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
  /// - Parameter action: what to do. Released when it has run, was cancelled, or was abandoned.
  /// - Returns: a disposable that cancels the action if it has not started, but does not stop one that has.
  ///   It counts as disposed once the action starts.
  ///
  /// Costs one allocation besides that of the closure.
  ///
  /// ReactiveObjC: `-schedule:`.
  @inlinable @discardableResult
  public func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable {
    let scheduled = ScheduledClosure(action)
    enqueue(scheduled)
    return scheduled
  }
}

/// What is known about the schedulers of this process.
///
/// ReactiveObjC: what the class `RACScheduler` itself knows.
public enum Schedulers {
  /// The scheduler that is running the calling code; nil if none is, as on a thread that the program has
  /// created. Where one scheduler runs work inside the work of another, it is the inner one.
  /// ``ImmediateScheduler`` leaves the surrounding one in place.
  ///
  /// It belongs to the thread, and is not inherited: a task that the work starts has none.
  ///
  /// ReactiveObjC: `+[RACScheduler currentScheduler]`, which also returns the main thread's scheduler there.
  public static var current: (any Scheduler)? {
    weir_thread_scheduler().pointee?.assumingMemoryBound(to: (any Scheduler).self).pointee
  }
}
