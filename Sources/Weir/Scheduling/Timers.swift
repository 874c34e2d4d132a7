// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Timers
//
// Guarantees: any thread arms and cancels timers without waiting; no timer fires early; all timers of the
// process share one thread, which hands due work to its scheduler and runs none itself, unless that scheduler
// runs it inside `enqueue`. Cancelling releases the work and the scheduler at once. What is left of a
// cancelled timer is dropped when it is due, or when half of all timers are cancelled ones, whichever is
// first; if the thread has not seen it before the cancellation, it is dropped when seen.
//
// Who owns what: armed timers go through an inbox to the thread, and live in its heap; no other thread
// touches that. Times are nanoseconds since the first timer. Zero stands for "now", so every due time is at
// least 1.
//
// A round of the thread: note the epoch; announce that it is awake (`earliest` = 0); read the clock, take the
// inbox, and hand over what was due by then, until the inbox is empty; announce when it will wake
// (`earliest`); look at the inbox again; park until then, unless the epoch has moved. The clock is read
// first: timers that were due by then and had been armed are in the inbox or the heap. So they are handed
// over in their order, even if the thread was held up in between.
//
// Invariants:
//  1. No timer is slept through. A thread that arms a timer posts it to the inbox and then looks at
//     `earliest`; the thread of the timers writes `earliest` and then looks at the inbox. One of them sees
//     the other: the thread of the timers goes another round, or is woken.
//  2. Whoever wakes the thread moves the epoch first, and parking compares it with the one noted at the start
//     of the round.
//  3. When to drop cancelled timers is decided by CancelledTimers.
//
// Orderings: invariant 1 is store buffering: sequentially consistent.

/// The timers of the process, on the continuous clock.
final class Timers: @unchecked Sendable {  // atomic words; the heap is the thread's own
  static let shared = Timers()

  private let words: UnsafeMutablePointer<UInt64>
  private let epoch: UnsafeMutablePointer<UInt32>
  private let inbox: DeliveryTurn<Timer>
  private let origin = ContinuousClock.now

  private var earliest: AtomicWord { AtomicWord(words) }
  // The count is on the line of `earliest`, which those who arm timers read, too.
  private var cancelled: CancelledTimers {
    CancelledTimers(least: 1_024, count: words + 1, others: words + 8)
  }
  private var thread: AtomicWord { AtomicWord(words + 10) }

  /// Whether this is the thread of the timers.
  var isCurrent: Bool { thread.loadRelaxed() == weir_thread() }

  // Never destroyed: there is one for the process.
  private init() {
    let inboxOffset = 18
    words = weir_block_allocate(8 * (inboxOffset + DeliveryTurn<Timer>.wordCount))
      .assumingMemoryBound(to: UInt64.self)
    epoch = weir_block_allocate(4).assumingMemoryBound(to: UInt32.self)
    inbox = DeliveryTurn(words: words + inboxOffset)
    cancelled.begin()
    SystemThread.start(named: "weir-timers") { [self] in serve() }
  }

  /// Has `scheduler` run `work` at `instant`, or up to `tolerance` later if that lets timers share a wake-up.
  /// If `instant` has passed, hands it over at once, unless it is ``RoundWork``.
  func arm(
    _ work: any ScheduledWork, on scheduler: any Scheduler, at instant: ContinuousClock.Instant,
    tolerance: Duration
  ) -> any Disposable {
    // Compared first: the time from an instant of long ago may exceed what a duration can hold.
    let time = instant <= origin ? 0 : origin.duration(to: instant).nanosecondsRoundedUp
    let timer = Timer(
      work, on: scheduler, due: TimerTime.coalesced(max(1, time), within: tolerance.nanosecondsRoundedUp))
    if time <= now, !(work is any RoundWork) {
      timer.fire()
    } else {
      inbox.post(timer)
      if timer.due < earliest.load() { wake() }
    }
    return timer
  }

  /// Counts an armed timer that was cancelled.
  func noteCancelled() { if cancelled.note() { wake() } }

  private func wake() {
    weir_add_seq_cst_u32(epoch, 1)
    weir_wake(epoch, 1)
  }

  /// Rounded down, while due times are rounded up: so nothing fires early.
  private var now: UInt64 { origin.duration(to: .now).nanosecondsRoundedDown }

  private func serve() {
    var heap = Heap<Timer>()
    var count: UInt64 = 0
    thread.storeRelaxed(weir_thread())
    while true {
      let noted = weir_load_seq_cst_u32(epoch)
      _ = earliest.exchange(0)
      var newest: UInt32
      var hasPurged: Bool
      repeat {
        let now = self.now
        newest = inbox.takeInbox()
        inbox.deliverChain(endingAt: newest) { timer in
          count += 1
          timer.order = count
          if !timer.isDisposed { heap.insert(timer) }
        }
        fire(dueBy: now, in: &heap)
        // Inside the loop, which does not end while timers keep arriving.
        hasPurged = cancelled.purge(&heap) { $0.isDisposed }
      } while newest != 0 || hasPurged
      let next = heap.first?.due
      _ = earliest.exchange(next ?? .max)
      if inbox.isWaiting { continue }
      weir_wait_while(epoch, noted, next.map { TimerTime.wait(until: $0, from: self.now) } ?? -1)
    }
  }

  private func fire(dueBy now: UInt64, in heap: inout Heap<Timer>) {
    while let first = heap.first, first.due <= now {
      heap.remove(first)
      first.fire()
    }
  }
}

extension TimedScheduler where Time == ContinuousClock {
  /// The clock that goes on while the machine sleeps, and cannot be set.
  public var clock: ContinuousClock { ContinuousClock() }

  /// Runs `work` once, at `instant` or as soon as possible afterwards.
  ///
  /// All timers of the process wait on one thread, which hands over due work and runs none of it. (A serial
  /// scheduler on top of one that runs work inside `enqueue`, such as `.immediate`, does run it there, and
  /// holds up all timers meanwhile.) Arming costs two allocations at most, cancelling an exchange; neither
  /// waits.
  ///
  /// - Parameters:
  ///   - work: what to do.
  ///   - instant: the earliest time to run it.
  ///   - tolerance: how much later it may run. Within it, a time is chosen that other timers are likely to
  ///     share.
  /// - Returns: a disposable that cancels the work if it has not started, and releases it at once.
  ///
  /// ReactiveObjC: `-after:schedule:`.
  @discardableResult
  public func enqueue(
    _ work: any ScheduledWork, at instant: ContinuousClock.Instant, tolerance: Duration
  ) -> any Disposable {
    Timers.shared.arm(work, on: self, at: instant, tolerance: tolerance)
  }
}
