// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A scheduler whose threads look for work for a while before they sleep, and which lets running work use
/// that time.
///
/// Work that has run out of things to do, and expects more soon, polls for it instead of returning.
/// ``SignalConvertible/observe(on:_:waiting:failures:)`` does: a value that soon follows another finds a
/// consumer that is polling, and no work has to be scheduled for it.
///
/// ReactiveObjC has no such scheduler.
public protocol LingeringScheduler: Scheduler {
  /// Calls `isDone` again and again until it returns true, for as long as no other work needs the thread, and
  /// no longer than a thread of this scheduler looks for work. To be called from inside a piece of work.
  ///
  /// - Parameter isDone: whether there is something to do. Called often, and should be quick.
  /// - Returns: true if there is something to do, and no other work waits for the thread. False: other work
  ///   may be waiting, and nobody was woken for it. Return without running user code (line up again if there
  ///   is something to do), or call ``wakeWorkers()`` before it.
  func linger(until isDone: () -> Bool) -> Bool

  /// Wakes other workers for queued work: to be called before a piece of work runs user code although
  /// ``linger(until:)`` has returned false, even if that code runs as the work is released. May be called
  /// from inside any piece of work of this scheduler; does nothing if none was told to return.
  func wakeWorkers()
}

extension LingeringScheduler {
  /// This scheduler.
  public var lingering: (any LingeringScheduler)? { self }
}
