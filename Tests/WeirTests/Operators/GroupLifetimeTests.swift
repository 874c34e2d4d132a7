// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// group(by:lifetime:): groups that end before the source does. In most tests the key of a value is its tens.
struct GroupLifetimeTests {
  private let source = Subject<Int, Oops>()
  private let scheduler = VirtualScheduler()

  private typealias Lifetime = GroupLifetime<Int, Int, Oops>

  /// The log of a subscriber that subscribes to every group.
  private func log(_ lifetime: Lifetime) -> Box<[String]> {
    let log = Box<[String]>([])
    source.group(by: { $0 / 10 }, lifetime: lifetime).enumerated().subscribe(
      next: { index, group in
        log.value.append("\(index): group \(group.key)")
        group.subscribe(
          next: { log.value.append("\(index): \($0)") },
          failed: { log.value.append("\(index) failed \($0.code)") },
          completed: { log.value.append("\(index) completed") })
      }, failed: { log.value.append("failed \($0.code)") }, completed: { log.value.append("completed") })
    return log
  }

  private func send(_ values: Int...) { for value in values { source.send(value) } }

  @Test(
    "a group completes after the value that fires its trigger, and the next value of its key opens a new one")
  func trigger() {
    let log = log(.until { $0.filter { $0 % 10 == 9 } })
    send(11, 21, 19, 22, 12)
    let expected = [
      "0: group 1", "0: 11", "1: group 2", "1: 21", "0: 19", "0 completed", "1: 22", "2: group 1", "2: 12",
    ]
    #expect(log.value == expected)
    source.complete()
    #expect(log.value.suffix(3) == ["completed", "1 completed", "2 completed"])
  }

  @Test("a trigger that fires on subscription makes groups of one value")
  func atOnce() {
    let log = log(.until { _ in Signal.just(()) })
    send(11, 12)
    #expect(log.value == ["0: group 1", "0: 11", "0 completed", "1: group 1", "1: 12", "1 completed"])
  }

  @Test("the value that fires the trigger is the last of its group, also when others are queued behind it")
  func lastOfThoseThatWait() {
    let stop = Subject<Void, Oops>()
    let isFirst = Box(true)
    let log = Box<[String]>([])
    source.group(
      by: { $0 / 10 },
      lifetime: .until { group in group.filter { $0 % 10 == 9 }.mapReplace(()).merge(with: stop) }
    ).enumerated().subscribe(
      next: { [source] index, group in
        group.subscribe(
          next: { log.value.append("\(index): \($0)") }, failed: { _ in },
          completed: {
            log.value.append("\(index) completed")
            guard isFirst.value else { return }
            isFirst.value = false
            source.send(19)
            source.send(12)
          })
      }, failed: { _ in })
    send(11)
    stop.send()
    #expect(log.value == ["0: 11", "0 completed", "1: 19", "1 completed", "2: 12"])
  }

  @Test("untilIdle counts from the arrival of a value, not from the return of the group's subscriber")
  func slowSubscriber() {
    let log = Box<[String]>([])
    source.group(by: { $0 / 10 }, lifetime: .untilIdle(for: .seconds(10), on: scheduler)).subscribe(
      next: { [scheduler] group in
        group.subscribe(
          next: { value in
            if value == 12 { scheduler.advance(by: .seconds(4)) }
            log.value.append("\(value)")
          }, failed: { _ in }, completed: { log.value.append("completed") })
      }, failed: { _ in })
    send(11)
    scheduler.advance(by: .seconds(6))
    send(12)
    scheduler.advance(by: .seconds(5))
    #expect(log.value == ["11", "12"])
    scheduler.advance(by: .seconds(1))
    #expect(log.value == ["11", "12", "completed"])
  }

  /// A subscriber that takes three seconds over the end of group 1, during which group 2 gets a value.
  private func slowEnd(_ log: Box<[String]>) {
    source.group(by: { $0 / 10 }, lifetime: .untilIdle(for: .seconds(5), on: scheduler)).enumerated()
      .subscribe(
        next: { [source, scheduler] index, group in
          group.subscribe(
            next: { log.value.append("\(index): \($0)") }, failed: { _ in },
            completed: {
              log.value.append("\(index) completed")
              guard group.key == 1 else { return }
              scheduler.advance(by: .seconds(1))
              source.send(22)
              scheduler.advance(by: .seconds(2))
            })
        }, failed: { _ in })
    send(11)
    scheduler.advance(by: .seconds(3))
    send(21)
    scheduler.advance(by: .seconds(2))
  }

  @Test("a value that arrives while another group ends keeps its group open, and counts from when it arrived")
  func slowEndOfAnother() {
    let log = Box<[String]>([])
    slowEnd(log)
    #expect(log.value == ["0: 11", "1: 21", "0 completed", "1: 22"])
    scheduler.advance(by: .seconds(2))
    #expect(!log.value.contains("1 completed"))
    scheduler.advance(by: .seconds(1))
    #expect(log.value.last == "1 completed")
    send(23)
    #expect(log.value.last == "2: 23")
  }

  @Test("a trigger that completes without a value ends its group; never() does not")
  func otherTriggers() {
    let completed = log(.until { _ in Signal<Int, Never>.empty() })
    let silent = log(.until { _ in Signal<Int, Never>.never() })
    send(11)
    #expect(completed.value == ["0: group 1", "0: 11", "0 completed"])
    #expect(silent.value == ["0: group 1", "0: 11"])
    source.fail(Oops(code: 3))
    #expect(completed.value.suffix(1) == ["failed 3"])
    #expect(silent.value.suffix(2) == ["failed 3", "0 failed 3"])
  }

  @Test(
    "a trigger's failure is reported as unhandled and its group goes on; the source's failure is not reported"
  )
  func failingTrigger() async {
    await #expect(processExitsWith: .success) {
      let reported = Box<[Int?]>([])
      UnhandledErrors.setHandler { reported.value.append(($0.error as? Oops)?.code) }
      let (source, trigger) = (Subject<Int, Oops>(), Subject<Int, Oops>())
      let recorder = Recorder(
        source.group(
          by: { $0 }, lifetime: .until { $0.key == 1 ? trigger.signal : $0.signal.filter { _ in false } }
        )
        .flatten())
      source.send(1)
      source.send(2)
      trigger.fail(Oops(code: 4))
      source.send(1)
      source.fail(Oops(code: 5))
      #expect(recorder.events == [.next(1), .next(2), .next(1), .failed(Oops(code: 5))])
      #expect(reported.value == [4])
    }
  }

  @Test("untilIdle completes each group on the scheduler when it has received no value for the duration")
  func idle() {
    let log = log(.untilIdle(for: .seconds(10), on: scheduler))
    send(11)
    scheduler.advance(by: .seconds(6))
    send(12, 21)
    scheduler.advance(by: .seconds(9))
    #expect(log.value == ["0: group 1", "0: 11", "0: 12", "1: group 2", "1: 21"])
    send(22)
    scheduler.advance(by: .seconds(1))
    #expect(log.value.suffix(2) == ["1: 22", "0 completed"])
    send(13)
    #expect(log.value.suffix(2) == ["2: group 1", "2: 13"])
    source.complete()
    #expect(log.value.suffix(3) == ["completed", "1 completed", "2 completed"])
    #expect(scheduler.waitingCount == 0)
  }

  @Test("untilIdle groups last as long as the source when the scheduler is shut down")
  func shutDown() async {
    let pool = WorkerPool(threads: 1)
    _ = await pool.shutdown(within: .zero)
    let log = log(.untilIdle(for: .zero, on: pool))
    send(11, 12)
    source.complete()
    #expect(log.value == ["0: group 1", "0: 11", "0: 12", "completed", "0 completed"])
  }

  enum End: CaseIterable { case disposal, completion, failure, sourceDropped }

  @Test("a run with triggers that have not fired releases everything when it ends", arguments: End.allCases)
  func released(end: End) {
    let (resources, held) = (Resources(), Box<Subject<Int, Oops>?>(Subject()))
    let kept = Box<[GroupedSignal<Int, Int, Oops>]>([])
    let lifetime = Lifetime.until { group in
      kept.value.append(group)
      return group.merge(with: Signal<Int, Oops>.never()).filter { [token = resources.make()] _ in
        _ = token
        return false
      }
    }
    let subscription = held.value?.group(by: { $0 / 10 }, lifetime: lifetime).subscribe(
      next: { [token = resources.make()] group in
        _ = token
        group.subscribe(next: { [token = resources.make()] _ in _ = (token, group) }, failed: { _ in })
      }, failed: { _ in })
    for value in [11, 21] { held.value?.send(value) }
    #expect(resources.alive == 5)
    switch end {
    case .disposal: subscription?.dispose()
    case .completion: held.value?.complete()
    case .failure: held.value?.fail(Oops())
    case .sourceDropped: held.value = nil
    }
    #expect(resources.alive == 0)
    #expect(subscription?.isDisposed == true)
  }

  @Test("a completed group releases its trigger and its subscribers while the run goes on")
  func forgotten() {
    let resources = Resources()
    let subscription = source.group(
      by: { $0 },
      lifetime: .until { group in group.doNext { [token = resources.make()] _ in _ = token } }
    ).subscribe(
      next: { group in group.subscribe(next: { [token = resources.make()] _ in _ = token }, failed: { _ in })
      },
      failed: { _ in })
    for key in 0..<1_000 { source.send(key) }
    #expect(resources.alive == 0)
    #expect(!subscription.isDisposed)
    subscription.dispose()
  }

  private struct Session: Hashable, Sendable {
    let number: Int
    let held: Resources.Resource

    static func == (left: Session, right: Session) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  @Test("a group that ended because it was idle leaves nothing of its key in the run that goes on")
  func forgottenKey() {
    let resources = Resources()
    let subscription = source.group(
      by: { Session(number: $0, held: resources.make()) },
      lifetime: .untilIdle(for: .seconds(10), on: scheduler)
    ).subscribe(next: { _ in }, failed: { _ in })
    send(1, 2)
    #expect(resources.alive > 0)
    scheduler.advance(by: .seconds(10))
    #expect(resources.alive == 0)
    #expect(!subscription.isDisposed)
    subscription.dispose()
  }

  @Test("when the trigger closure disposes the run, the trigger is not run and the group is not sent")
  func disposedInClosure() {
    let (outer, log) = (Box<Subscription?>(nil), Box<[String]>([]))
    let lifetime = Lifetime.until { _ in
      outer.value?.dispose()
      return Signal<Int, Oops>.never().initially { log.value.append("run") }
    }
    outer.value = source.group(by: { $0 }, lifetime: lifetime).doNext { _ in log.value.append("passed on") }
      .subscribe(
        next: { group in
          log.value.append("group")
          group.subscribe(next: { log.value.append("\($0)") }, failed: { _ in })
        }, failed: { _ in })
    send(1, 2)
    #expect(log.value == [])
  }

  @Test("a subscriber that disposes the run when it is sent a group gets no value of it")
  func disposedWithGroup() {
    let (outer, log) = (Box<Subscription?>(nil), Box<[String]>([]))
    outer.value = source.group(by: { $0 }, lifetime: .until { _ in Signal<Int, Oops>.never() }).subscribe(
      next: { group in
        log.value.append("group \(group.key)")
        group.subscribe(next: { log.value.append("\($0)") }, failed: { _ in })
        outer.value?.dispose()
      }, failed: { _ in })
    send(1, 2)
    #expect(log.value == ["group 1"])
  }

  @Test("a group whose end is told before the run is disposed in the same delivery does not complete")
  func disposedAfterEnd() {
    let (outer, log, stop) = (Box<Subscription?>(nil), Box<[String]>([]), Subject<Void, Never>())
    outer.value = source.group(by: { $0 }, lifetime: .until { _ in stop }).subscribe(
      next: { group in
        group.subscribe(
          next: {
            log.value.append("\($0)")
            stop.send()
            outer.value?.dispose()
          }, failed: { _ in }, completed: { log.value.append("completed") })
      }, failed: { _ in })
    send(1)
    #expect(log.value == ["1"])
  }

  @Test("an error thrown by the key closure fails the outer signal, then the open groups")
  func throwing() {
    let log = Box<[String]>([])
    let lifetime = Lifetime.until { $0.filter { $0 == 1 } }
    source.group(
      by: { (value) throws(Oops) in
        if value == 3 { throw Oops(code: value) }
        return value
      }, lifetime: lifetime
    ).subscribe(
      next: { group in
        group.subscribe(
          failed: { _ in log.value.append("\(group.key) failed") },
          completed: { log.value.append("\(group.key) completed") })
      }, failed: { log.value.append("failed \($0.code)") })
    send(1, 2, 3, 4)
    #expect(log.value == ["1 completed", "failed 3", "2 failed"])
  }
}
