// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// partitioned(by:into:): the values of a key stay together and in order.
struct PartitionedTests {
  /// Everything a subscriber of all partitions receives, in order.
  private func log(_ source: Signal<Int, Oops>, into count: Int = 3) -> [String] {
    let log = Box<[String]>([])
    source.partitioned(by: { _ in 0 }, into: count).subscribe(
      next: { partition in
        let number = partition.key
        log.value.append("partition \(number)")
        partition.subscribe(
          next: { log.value.append("value \($0)") },
          failed: { log.value.append("\(number) failed \($0.code)") },
          completed: { log.value.append("\(number) completed") })
      }, failed: { log.value.append("failed \($0.code)") }, completed: { log.value.append("completed") })
    return log.value
  }

  @Test("partitions are emitted before the first value, and complete in order after the outer signal")
  func completion() {
    let partitions = (0..<3).map { "partition \($0)" }
    let ends = ["completed", "0 completed", "1 completed", "2 completed"]
    #expect(log(Signal(1..<3)) == partitions + ["value 1", "value 2"] + ends)
    #expect(log(Signal<Int, Oops>.empty()) == partitions + ends)
  }

  @Test("partitions fail in order, after the outer signal")
  func failure() {
    let failing = Signal<Int, Oops>([6]).concat(Signal<Int, Oops>.fail(Oops(code: 9)))
    #expect(
      log(failing, into: 2) == [
        "partition 0", "partition 1", "value 6", "failed 9", "0 failed 9", "1 failed 9",
      ])
  }

  @Test("all values of a key go to one partition, in order, and every partition receives some of many keys")
  func keys() {
    let (count, keys) = (4, 200)
    let partitionsOfKey = Box([Int: Set<Int>]())
    let valuesOfKey = Box([Int: [Int]]())
    Signal<Int, Never>(0..<2_000).partitioned(by: { $0 % keys }, into: count).subscribe { partition in
      let number = partition.key
      partition.subscribe { value in
        partitionsOfKey.value[value % keys, default: []].insert(number)
        valuesOfKey.value[value % keys, default: []].append(value)
      }
    }
    #expect(partitionsOfKey.value.count == keys)
    #expect(partitionsOfKey.value.values.allSatisfy { $0.count == 1 })
    #expect(Set(partitionsOfKey.value.values.joined()) == Set(0..<count))
    for key in 0..<keys { #expect(valuesOfKey.value[key] == Array(stride(from: key, to: 2_000, by: keys))) }
  }

  @Test("a value whose key closure disposes the run is not sent to its partition")
  func disposedInClosure() {
    let (run, values) = (Box<Subscription?>(nil), Box<[Int]>([]))
    let source = Subject<Int, Never>()
    let partitions = source.partitioned(
      by: { value in
        if value == 2 { run.value?.dispose() }
        return value
      }, into: 2)
    run.value = partitions.subscribe { partition in partition.subscribe { values.value.append($0) } }
    for value in 1...3 { source.send(value) }
    #expect(values.value == [1])
  }

  @Test("keys with a custom hashValue are spread over all partitions")
  func ownHashValue() {
    struct Account: Hashable {
      let number: Int
      // Small numbers only.
      var hashValue: Int { number }
      func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }
    let partitions = Box(Set<Int>())
    Signal<Int, Never>(0..<200).partitioned(by: { Account(number: $0) }, into: 4).subscribe { partition in
      let number = partition.key
      partition.subscribe { _ in partitions.value.insert(number) }
    }
    #expect(partitions.value == Set(0..<4))
  }

  @Test("an error thrown by the key closure stops the source and fails the signal, and no value follows")
  func throwing() {
    let (source, stops) = (Subject<Int, Oops>(), Counter())
    let recorder = Recorder(
      source.on(disposed: { stops.add() }).partitioned(
        by: { (value) throws(Oops) in
          if value == 2 { throw Oops(code: 2) }
          return value
        }, into: 2
      ).flatten())
    source.send(1)
    #expect(stops.value == 0)
    source.send(2)
    #expect(stops.value == 1)
    source.send(3)
    #expect(recorder.events == [.next(1), .failed(Oops(code: 2))])
  }

  @Test("disposing the outer subscription disposes those of the partitions, without a terminal event")
  func disposed() {
    let source = Subject<Int, Never>()
    let (inner, events) = (Box<[Subscription]>([]), Counter())
    let outer = source.partitioned(by: { $0 }, into: 2).subscribe { partition in
      inner.value.append(partition.subscribe(next: { _ in events.add() }, completed: { events.add() }))
    }
    source.send(1)
    #expect(events.value == 1)
    outer.dispose()
    source.send(2)
    source.complete()
    #expect(events.value == 1)
    #expect(inner.value.allSatisfy { $0.isDisposed })
  }

  @Test("take(first: 1) of the partitions receives only the first, and the source is not run")
  func stoppedEarly() {
    let runs = Counter()
    let source = Signal<Int, Never>.deferred {
      runs.add()
      return .just(1)
    }
    let recorder = Recorder(source.partitioned(by: { $0 }, into: 3).map(\.key).take(first: 1))
    #expect(recorder.events == [.next(0), .completed])
    #expect(runs.value == 0)
  }

  @Test("values of a key stay in order when each partition is observed on a scheduler of its own")
  func workers() async {
    let (senders, values) = (8, 4_000)
    let pool = WorkerPool(threads: 2)
    let (isInOrder, seen, ended) = (Box(true), Counter(), Counter())
    let last = (0..<senders).map { _ in Box(-1) }
    let source = Subject<Int, Never>()
    source.partitioned(by: { $0 % senders }, into: 2).subscribe { partition in
      partition.observe(on: SerialScheduler(on: pool), waiting: .bounded(values, onOverflow: .trap))
        .subscribe(
          next: { value in
            let key = value % senders
            if last[key].value >= value { isInOrder.value = false }
            last[key].value = value
            seen.add()
          }, completed: { ended.add() })
    }
    for value in 0..<values { source.send(value) }
    source.complete()
    await pool.shutdown(within: .seconds(60))
    #expect(isInOrder.value)
    #expect(seen.value == values)
    #expect(ended.value == 2)
  }

  @Test("partitioned(by:into:) traps when the number of partitions is 0")
  func none() async {
    await #expect(processExitsWith: .failure) {
      _ = Signal<Int, Never>.just(1).partitioned(by: { $0 }, into: 0)
    }
  }
}
