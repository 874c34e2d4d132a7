// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// Runs work on the calling thread: at once, or, if scheduled from inside its own work, after that work,
/// first in, first out, so that nothing nests.
///
/// Each thread has a queue of its own, which exists while work is under way on that thread; so threads share
/// nothing, and none runs the work of another. Like ``ImmediateScheduler`` it changes no threads and leaves
/// ``Schedulers/current`` as it is; ``isCurrent`` tells whether the thread is inside its work. The first
/// piece costs nothing; queued work costs a place in an array. The queue is bounded only by memory.
///
/// ReactiveObjC has no such scheduler; RxSwift calls it `CurrentThreadScheduler`.
public final class TrampolineScheduler: Scheduler {
  fileprivate static let shared = TrampolineScheduler()

  private init() {}

  /// Whether the calling code was scheduled here, at whatever depth of the stack. If so, new work waits until
  /// that is over.
  public var isCurrent: Bool { weir_thread_trampoline().pointee != nil }

  /// Runs `work` before it returns, or leaves it to the call further up the stack that is running work.
  public func enqueue(_ work: any ScheduledWork) {
    let slot = weir_thread_trampoline()
    if let waiting = slot.pointee {
      return waiting.assumingMemoryBound(to: Waiting.self).pointee.append(work)
    }
    withUnsafeTemporaryAllocation(of: Waiting.self, capacity: 1) { memory in
      let waiting = memory.baseAddress.unsafelyUnwrapped
      waiting.initialize(to: Waiting())
      slot.pointee = UnsafeMutableRawPointer(waiting)
      work.run()
      while let next = waiting.pointee.popFirst() { next.run() }
      slot.pointee = nil
      waiting.deinitialize(count: 1)
    }
  }

  private typealias Waiting = FIFO<any ScheduledWork>
}

extension Scheduler where Self == TrampolineScheduler {
  /// The scheduler that runs work on the calling thread, one piece after the other.
  public static var trampoline: TrampolineScheduler { .shared }
}
