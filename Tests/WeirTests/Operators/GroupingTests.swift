// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// group(by:): one signal for each key.
struct GroupingTests {
  /// The log of a subscriber that subscribes to every group.
  private func log(_ source: Signal<Int, Oops>) -> [String] {
    let log = Box<[String]>([])
    source.group(by: { $0 % 4 }).subscribe(
      next: { group in
        let key = group.key
        log.value.append("group \(key)")
        group.subscribe(
          next: { log.value.append("\(key): \($0)") },
          failed: { log.value.append("\(key) failed \($0.code)") },
          completed: { log.value.append("\(key) completed") })
      }, failed: { log.value.append("failed \($0.code)") }, completed: { log.value.append("completed") })
    return log.value
  }

  @Test("flatMap misses no value of a group that opens during one of its deliveries")
  func opensInsideOfDelivery() {
    for strategy in [FlattenStrategy<Never>.merge, .latest] {
      let (requests, log, scheduler) = (Subject<Int, Never>(), Box<[Int]>([]), VirtualScheduler())
      requests.group(by: { $0 }).flatMap(strategy) { $0.delay(.seconds(1), on: scheduler) }
        .subscribe { value in
          log.value.append(value)
          if value == 1 { requests.send(2) }
        }
      requests.send(1)
      scheduler.run()
      #expect(log.value == [1, 2])
    }
  }

  @Test("C15 AC31: groups complete in the order in which they opened, after the outer signal")
  func completion() {
    let expected =
      (0..<4).flatMap { ["group \($0)", "\($0): \($0)"] } + (4..<20).map { "\($0 % 4): \($0)" } + [
        "completed", "0 completed", "1 completed", "2 completed", "3 completed",
      ]
    #expect(log(Signal(0..<20)) == expected)
  }

  @Test("C15: groups fail in the order in which they opened, after the outer signal")
  func failure() {
    let failing = Signal<Int, Oops>([6, 5, 2, 7]).concat(Signal<Int, Oops>.fail(Oops(code: 9)))
    #expect(
      log(failing) == [
        "group 2", "2: 6", "group 1", "1: 5", "2: 2", "group 3", "3: 7", "failed 9", "2 failed 9",
        "1 failed 9",
        "3 failed 9",
      ])
  }

  @Test("C16: groups receive all values, the first included, in source order when three threads send")
  func order() {
    let source = Subject<Int, Never>()
    let byKey = Box<[Int: [Int]]>([:])
    let grammar = Grammar<Int, Never>(next: { byKey.value[$0 / 1_000, default: []].append($0 % 1_000) })
    let subscription = grammar.subscribe(to: source.group(by: { $0 / 1_000 }).flatten())
    withThreads(3) { thread in for number in 0..<100 { source.send(thread * 1_000 + number) } }
    subscription.dispose()
    #expect(byKey.value == [0: Array(0..<100), 1: Array(0..<100), 2: Array(0..<100)])
    #expect(grammar.violations == 0)
  }

  @Test("group(by:transform:) sends the transformed values; each subscription has groups of its own")
  func transform() {
    let calls = Counter()
    let lengths = Signal<String, Oops>(["a", "bb", "c"]).group(
      by: { word in
        calls.add()
        return word.count
      }, transform: { $0 + "!" })
    for _ in 0..<2 {
      let seen = Box<[Int: [String]]>([:])
      lengths.subscribe(
        next: { group in
          group.subscribe(next: { seen.value[group.key, default: []].append($0) }, failed: { _ in })
        },
        failed: { _ in })
      #expect(seen.value == [1: ["a!", "c!"], 2: ["bb!"]])
    }
    #expect(calls.value == 6)
  }

  @Test("an error thrown by the transform fails the outer signal, then the open groups, and opens no group")
  func throwing() {
    let source = Subject<Int, Oops>()
    let log = Box<[String]>([])
    source.group(
      by: { $0 },
      transform: { (value) throws(Oops) in
        if value == 2 { throw Oops(code: value) }
        return value
      }
    ).subscribe(
      next: { group in
        log.value.append("group \(group.key)")
        group.subscribe(failed: { _ in log.value.append("\(group.key) failed") })
      }, failed: { log.value.append("failed \($0.code)") })
    for value in 1...3 { source.send(value) }
    #expect(log.value == ["group 1", "failed 2", "1 failed"])
  }

  @Test(
    "a late subscriber of a group receives the values sent from then on, or only the completion once it has ended"
  )
  func late() {
    let source = Subject<Int, Oops>()
    let groups = Recorder(source.group(by: { $0 % 2 }))
    source.send(1)
    guard let group = groups.values.first else { return #expect(groups.values.count == 1) }
    let late = Recorder(group)
    #expect(late.events == [])
    source.send(3)
    source.send(4)
    source.complete()
    #expect(late.events == [.next(3), .completed])
    #expect(Recorder(group).events == [.completed])
    #expect(groups.values.map(\.key) == [1, 0])
  }

  @Test("disposing the outer subscription ends the groups without an event and releases their subscribers")
  func outerDisposed() {
    let (source, resources) = (Subject<Int, Oops>(), Resources())
    let kept = Box<GroupedSignal<Int, Int, Oops>?>(nil)
    let values = Box<[Int]>([])
    let outer = source.group(by: { _ in 0 }).subscribe(
      next: { group in
        kept.value = group
        group.subscribe(
          next: { [token = resources.make()] value in
            _ = token
            // The closure captures the group it is subscribed to.
            values.value.append(value + group.key)
          }, failed: { _ in }, completed: { values.value.append(-1) })
      }, failed: { _ in })
    source.send(1)
    #expect(resources.alive == 1)
    outer.dispose()
    #expect(resources.alive == 0)
    source.send(2)
    source.complete()
    #expect(values.value == [1])
    let late = kept.value.map { Recorder($0) }
    #expect(late?.events == [])
    #expect(late?.subscription.isDisposed == true)
  }

  @Test("groups end without an event when the source releases its sink without a terminal event")
  func sourceDropped() {
    let sink = Box<Sink<Int, Oops>?>(nil)
    let source = Signal<Int, Oops>.attaching { sink.value = $0 }
    let (inner, events) = (Box<Subscription?>(nil), EventLog())
    source.group(by: { $0 }).subscribe(
      next: { group in
        // The closure captures the group it is subscribed to.
        inner.value = group.subscribe(
          next: { events.append("\(group.key): \($0)") }, failed: { _ in events.append("failed") },
          completed: { events.append("completed") })
      }, failed: { _ in events.append("outer failed") }, completed: { events.append("outer completed") })
    sink.value?.next(1)
    #expect(inner.value?.isDisposed == false)
    sink.value = nil
    #expect(inner.value?.isDisposed == true)
    #expect(events.value == ["1: 1"])
  }

  @Test("a run that ends when a group is sent, or during a group's value, sends nothing more")
  func endedInside() {
    let source = Subject<Int, Oops>()
    let seen = Box<[Int]>([])
    let listen: @Sendable (GroupedSignal<Int, Int, Oops>) -> Void = { group in
      group.subscribe(next: { seen.value.append($0) }, failed: { _ in }, completed: { seen.value.append(-1) })
    }
    source.group(by: { $0 }).take(first: 2).subscribe(next: listen, failed: { _ in })
    for value in 1...3 { source.send(value) }
    #expect(seen.value == [1])

    seen.value = []
    let outer = Box<Subscription?>(nil)
    outer.value = source.group(by: { _ in 0 }).subscribe(
      next: { group in
        group.subscribe(
          next: { value in
            seen.value.append(value)
            outer.value?.dispose()
          }, failed: { _ in })
        listen(group)
      }, failed: { _ in })
    source.send(7)
    source.send(8)
    source.complete()
    // The value in progress reaches all subscribers of its group.
    #expect(seen.value == [7, 7])
  }

  @Test("when the key closure disposes the run, neither its value nor its error is sent")
  func disposedInClosure() {
    for fails in [false, true] {
      let source = Subject<Int, Oops>()
      let outer = Box<Subscription?>(nil)
      let log = Box<[Int]>([])
      outer.value = source.group(by: { (value) throws(Oops) in
        if value == 2 {
          outer.value?.dispose()
          if fails { throw Oops() }
        }
        return 0
      }).subscribe(
        next: { group in
          group.subscribe(next: { log.value.append($0) }, failed: { _ in log.value.append(-1) })
        }, failed: { _ in log.value.append(-2) })
      source.send(1)
      source.send(2)
      #expect(log.value == [1])
    }
  }

  @Test("groups retain their subscribers until the outer subscription is disposed")
  func memory() {
    let resources = Resources()
    let source = Subject<Int, Never>()
    let outer = source.group(by: { $0 }).subscribe { group in
      group.subscribe { [token = resources.make()] _ in _ = token }
    }
    for key in 0..<100 { source.send(key) }
    #expect(resources.alive == 100)
    outer.dispose()
    #expect(resources.alive == 0)
  }
}
