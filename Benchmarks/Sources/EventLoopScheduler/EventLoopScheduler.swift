// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import NIOCore
public import Weir

/// Runs work on an event loop of SwiftNIO: an example of a custom scheduler.
///
/// It is here because Weir itself has no dependencies; copy it into a program that uses both. A scheduler
/// defines how to run a piece of work, and what happens to work that will not run. Weir does the rest:
/// closures, recursion, timers, and hops that move whole bursts of values with one `execute`.
///
/// An event loop runs one task at a time in the order of `execute`, so this is a serial scheduler. Work that
/// is due is handed to the loop by Weir's timers.
public final class EventLoopScheduler: TimedScheduler {
  /// The type of the clock.
  public typealias Time = ContinuousClock

  private let loop: any EventLoop

  /// A scheduler that runs work on `loop`.
  public init(_ loop: any EventLoop) { self.loop = loop }

  /// Whether the calling code runs on the loop, whatever has started it: also true in a channel handler.
  public var isCurrent: Bool { loop.inEventLoop }

  /// Runs `work` on the loop. A loop that has been shut down drops the work, which is then abandoned.
  public func enqueue(_ work: any ScheduledWork) {
    let handover = Handover(work)
    loop.execute { self.performAsCurrent { handover.run() } }
  }
}

/// Work on its way to the loop. If the loop drops it, the work is abandoned.
private final class Handover: @unchecked Sendable {  // used by the loop's thread only, once it is there
  private var work: (any ScheduledWork)?

  init(_ work: any ScheduledWork) { self.work = work }
  deinit { work?.abandon() }

  func run() {
    let taken = work
    work = nil
    taken?.run()
  }
}
