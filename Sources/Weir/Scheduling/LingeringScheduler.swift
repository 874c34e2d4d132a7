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
  /// Calls `isDone` again and again until it answers true, for as long as nobody else wants the thread, and
  /// no longer than a thread of this scheduler looks for work. To be called from inside a piece of work.
  ///
  /// - Parameter isDone: whether there is something to do. It is called often, and should be quick.
  /// - Returns: true if there was, and nothing else waits for the thread. If not, nobody else was called for
  ///   what waits: return to the scheduler without running code of users, and line up again if there is
  ///   something to do. If that cannot be, call ``goOn()`` first.
  func linger(until isDone: () -> Bool) -> Bool

  /// Says that work goes on which was told to return, or runs code of users as it is released: others are
  /// called for what waits. From inside a piece of work of this scheduler, perhaps another one than that, and
  /// perhaps none was told to return: then there is nothing to do.
  func goOn()
}
