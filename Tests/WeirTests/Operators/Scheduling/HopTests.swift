// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What `observe(on:)` does on schedulers that do not run its work, or run it inside `enqueue`.
struct HopTests {
  @Test(
    "I10: an end that is sent elsewhere waits for the scheduler with .whenNeeded, also if nothing is buffered",
    arguments: [true, false])
  func endElsewhere(fails: Bool) {
    let (scheduler, subject) = (QueuedScheduler(), Subject<Int, Oops>())
    let recorder = Recorder(subject.observe(on: scheduler, .whenNeeded))
    if fails { subject.fail(Oops()) } else { subject.complete() }
    #expect(recorder.events == [])
    scheduler.runAll()
    #expect(recorder.events == (fails ? [.failed(Oops())] : [.completed]))
  }

  @Test("contract 7: a hop that has ended does not retain its scheduler, in whose queue it may still be")
  func schedulerReleased() {
    weak var gone: QueuedScheduler?
    do {
      let (scheduler, subject) = (QueuedScheduler(), Subject<Int, Never>())
      gone = scheduler
      let subscription = subject.observe(on: scheduler).subscribe()
      subject.send(1)
      subscription.dispose()
    }
    #expect(gone == nil)
  }

  @Test(
    "contract 8: observe(on:) reports once a failure that its scheduler drops, unless the subscriber has disposed"
  )
  func abandonedFailure() async {
    await #expect(processExitsWith: .success) {
      let (reported, received) = (Box<[Int]>([]), Counter())
      UnhandledErrors.setHandler { reported.value.append(($0.error as? Oops)?.code ?? -1) }
      for timing in [FailureTiming.inOrder, .atOnce] {
        let run = { (scheduler: QueuedScheduler, steps: (Subject<Int, Oops>, Subscription) -> Void) in
          let subject = Subject<Int, Oops>()
          let subscription = subject.observe(on: scheduler, failures: timing)
            .subscribe(failed: { _ in received.add() })
          steps(subject, subscription)
          scheduler.stop()
        }
        var scheduler = QueuedScheduler()
        run(scheduler) { subject, _ in
          subject.send(0)
          subject.fail(Oops(code: 1))
        }
        // The scheduler has stopped by now.
        run(scheduler) { subject, _ in subject.fail(Oops(code: 2)) }
        #expect(reported.value == [1, 2])
        reported.value = []
        scheduler = QueuedScheduler()
        run(scheduler) { subject, subscription in
          subject.fail(Oops(code: 3))
          // A subscriber that disposes while the failure waits needs no report.
          subscription.dispose()
        }
        scheduler = QueuedScheduler()
        run(scheduler) { [scheduler] subject, _ in
          subject.fail(Oops(code: 4))
          scheduler.runAll()
        }
        #expect(reported.value == [] && received.value == 1)
        received.add(-1)
        let forgotten = Subject<Int, Oops>()
        forgotten.observe(on: Forgetful(), failures: timing).subscribe(failed: { _ in received.add() })
        forgotten.fail(Oops(code: 5))
        #expect(reported.value == [5])
        reported.value = []
      }
      let (last, full) = (QueuedScheduler(), Subject<Int, Oops>())
      let subscription = full.observe(on: last, waiting: .bounded(1, onOverflow: .fail(Oops(code: 6))))
        .subscribe(failed: { _ in received.add() })
      for value in 0..<2 { full.send(value) }
      last.stop()
      #expect(reported.value == [6] && received.value == 0 && subscription.isDisposed)
    }
  }

  @Test(
    "contract 8: observe(on:) reports a failure once when the source's clean-up stops the scheduler"
  )
  func abandonedBeforeFailure() async {
    await #expect(processExitsWith: .success) {
      let (reported, received) = (Box<[Int]>([]), Counter())
      UnhandledErrors.setHandler { reported.value.append(($0.error as? Oops)?.code ?? -1) }
      /// Fails, and calls `meanwhile` when the source has ended, but nothing has received the failure yet.
      func fail(
        _ code: Int, _ policy: HopPolicy, _ timing: FailureTiming,
        meanwhile: @escaping @Sendable (QueuedScheduler, Subscription?) -> Void
      ) {
        let (scheduler, sinks) = (QueuedScheduler(), Box<[Sink<Int, Oops>]>([]))
        let subscription = Box<Subscription?>(nil)
        subscription.value = Signal<Int, Oops>.attaching { sink in
          sinks.value.append(sink)
          sink.subscription.add(ActionDisposable { meanwhile(scheduler, subscription.value) })
        }.observe(on: scheduler, policy, failures: timing).subscribe(failed: { _ in received.add() })
        for sink in sinks.value {
          sink.next(0)
          sink.terminate(.failed(Oops(code: code)))
        }
        scheduler.stop()
        #expect(subscription.value?.isDisposed == true)
        (sinks.value, subscription.value) = ([], nil)
      }
      for policy in [HopPolicy.always, .whenNeeded] {
        for timing in [FailureTiming.inOrder, .atOnce] {
          fail(1, policy, timing) { scheduler, _ in scheduler.stop() }
          #expect(reported.value == [1], "\(policy) \(timing)")
          // It is reported also if that disposes the run, too: the failure was sent before.
          fail(2, policy, timing) { scheduler, subscription in
            subscription?.dispose()
            scheduler.stop()
          }
          #expect(reported.value == [1, 2] && received.value == 0, "\(policy) \(timing)")
          reported.value = []
        }
      }
    }
  }

  @Test(
    "contract 7: observe(on:) releases a failure on delivery and on disposal, even if its source stays alive")
  func waitingFailure() {
    for timing in [FailureTiming.inOrder, .atOnce] {
      for isDelivered in [false, true] {
        let (scheduler, resources) = (QueuedScheduler(), Resources())
        let (sinks, received) = (Box<[Sink<Int, Heavy>]>([]), Counter())
        let subscription = Signal<Int, Heavy>.attaching { sink in sinks.value.append(sink) }
          .observe(on: scheduler, failures: timing).subscribe(failed: { _ in received.add() })
        for sink in sinks.value { sink.terminate(.failed(Heavy(token: resources.make()))) }
        #expect(resources.alive == 1)
        if isDelivered { scheduler.runAll() } else { subscription.dispose() }
        #expect(resources.alive == 0 && received.value == (isDelivered ? 1 : 0), "\(timing) \(isDelivered)")
        scheduler.stop()
        sinks.value = []
      }
    }
  }

  /// An error that carries a resource.
  private struct Heavy: Error {
    let token: Resources.Resource
  }

  /// Releases work without running it.
  private final class Forgetful: Scheduler {
    func enqueue(_ work: any ScheduledWork) {}
  }

  @Test(
    "contract 5: observe(on:) delivers buffered values in a loop when its scheduler runs work inside `enqueue`"
  )
  func inlineLater() {
    withSmallStack {
      let (scheduler, subject, values) = (Gate(), Subject<Int, Never>(), Counter())
      let subscription = subject.observe(on: scheduler).subscribe { _ in values.add() }
      for value in 0..<manyRounds { subject.send(value) }
      #expect(values.value == 0)
      scheduler.open()
      #expect(values.value == manyRounds)
      // The work, and inside it the nested call, which leaves the rest to the loop.
      #expect(scheduler.deepest == 2)
      subscription.dispose()
    }
  }

  /// Holds work until it is opened; from then on it runs work inside `enqueue`.
  private final class Gate: Scheduler, @unchecked Sendable {  // used by one thread
    private let waiting = QueuedScheduler()
    private var isOpen = false
    private var depth = 0
    private(set) var deepest = 0

    func enqueue(_ work: any ScheduledWork) {
      if isOpen { perform { work.run() } } else { waiting.enqueue(work) }
    }

    func open() {
      isOpen = true
      perform { waiting.runAll() }
    }

    private func perform(_ body: () -> Void) {
      depth += 1
      deepest = max(deepest, depth)
      performAsCurrent(body)
      depth -= 1
    }
  }
}
