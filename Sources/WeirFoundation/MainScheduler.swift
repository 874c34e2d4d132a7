// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Dispatch
public import Weir

/// Runs work on the main queue, one piece at a time, and never at once, even when scheduled there.
///
/// On Linux that is the main thread only under `RunLoop.main.run()`. After `dispatchMain()`, or in an `async`
/// `main()`, other threads serve the queue, one at a time: do not use it for code that needs the main thread
/// itself.
///
/// On Linux the program has to run that queue: by `dispatchMain()`, `RunLoop.main.run()`, or an `async`
/// `main()`. A server that does not would wait for ever, so a main scheduler whose *first* work has not
/// started within its patience stops the process with a message that says so. Once the queue has run any of
/// its work, there is no limit.
///
/// Nothing in Weir uses the main queue by itself. Code that should run there takes a scheduler, so that a
/// test or a server can pass another one.
///
/// ReactiveObjC: `+[RACScheduler mainThreadScheduler]`.
public final class MainScheduler: TimedScheduler {
  /// The main scheduler; its patience is ten seconds.
  public static let shared = MainScheduler(on: .main, patience: .seconds(10)) { fatalError($0) }

  private let queue: DispatchQueue
  let watch: DrainWatch
  private let mark = DispatchSpecificKey<Void>()

  /// For tests: another queue in place of the main one, and another reaction than stopping the process.
  init(on queue: DispatchQueue, patience: Duration, stalled: @escaping @Sendable (String) -> Void) {
    self.queue = queue
    watch = DrainWatch(patience: patience, stalled: stalled)
    queue.setSpecific(key: mark, value: ())
  }

  /// Whether the calling code runs on the main queue, whatever enqueued it. Being on the main thread is not
  /// enough: before the queue is run, and in a callback of C code, that is not in the order of the queue.
  public var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) != nil }

  /// Runs `work` on the main queue, after all that was enqueued there before.
  public func enqueue(_ work: any ScheduledWork) {
    watch.workWasEnqueued()
    queue.async {
      self.watch.workHasBegun()
      self.performAsCurrent { work.run() }
    }
  }
}

extension Scheduler where Self == MainScheduler {
  /// The scheduler of the main queue.
  public static var main: MainScheduler { .shared }
}
