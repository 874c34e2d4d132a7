// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A scheduler whose threads look for work for a while before they sleep, and let the work that they run have
/// that time.
///
/// What has run out of things to do, and expects more soon, looks for it itself instead of returning:
/// ``SignalConvertible/observe(on:_:waiting:failures:)`` does, so a value that comes soon after the one
/// before it finds somebody who waits for it, and needs no work to be scheduled.
///
/// ReactiveObjC has no such scheduler.
public protocol LingeringScheduler: Scheduler {
  /// Calls `isDone` again and again until it returns true, for as long as nobody else wants the thread, and
  /// no longer than a thread of this scheduler looks for work. To be called from inside a piece of work.
  ///
  /// - Parameter isDone: whether there is something to do. It is called often, and should be quick.
  /// - Returns: true if there was, and nothing else waits for the thread. If false, no other worker has been
  ///   woken for queued work: return to the scheduler without running user code, and line up again if there
  ///   is something to do. If that cannot be, call ``goOn()`` first.
  func linger(until isDone: () -> Bool) -> Bool

  /// To be called before a piece of work runs user code although ``linger(until:)`` has returned false, also
  /// as it is released: wakes other workers for queued work. From inside any piece of work of this scheduler;
  /// does nothing if none was told to return.
  func goOn()
}
