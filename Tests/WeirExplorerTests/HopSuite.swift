// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import WeirExplorer
import WeirTesting

@testable import Weir

/// What a subscriber received: numbers, and how it ended.
final class Listener: @unchecked Sendable {  // one thread runs at a time
  private let place = Place()
  private(set) var numbers: [Int] = []
  private(set) var completions = 0

  func take(_ number: Int) { place.visit { numbers.append(number) } }
  func complete() { place.visit { completions += 1 } }

  func subscribe(to signal: Signal<Int, Never>) -> Subscription {
    signal.subscribe(next: { self.take($0) }, completed: { self.complete() })
  }

  var problem: String? {
    if place.wasShared { return "two deliver at once" }
    return completions > 1 ? "completed twice" : nil
  }
}

/// A number that is counted as long as it is retained.
private struct Item: Sendable {
  let number: Int
  let token: Ledger.Token
}

/// Work in a line. The scenario decides which threads run it, and which are in it otherwise.
final class Line: LingeringScheduler, @unchecked Sendable {  // one thread runs at a time
  private var works: [any ScheduledWork] = []
  private var threads: Set<UInt64> = []
  private let looks: Int

  /// - Parameter looks: how often work that has nothing to do may look for more, each time.
  init(looks: Int) { self.looks = looks }

  func linger(until isDone: () -> Bool) -> Bool {
    for _ in 0..<looks where isDone() { return true }
    return false
  }
  func wakeWorkers() {}
  var isCurrent: Bool { threads.contains(weir_thread()) }
  func perform(_ body: () -> Void) {
    threads.insert(weir_thread())
    body()
    threads.remove(weir_thread())
  }
  private let handedOver = Words(1)
  func enqueue(_ work: any ScheduledWork) {
    works.append(work)
    _ = AtomicWord(handedOver.words).add(1)
  }
  func runFirst() {
    _ = AtomicWord(handedOver.words).add(1)
    if !works.isEmpty { works.removeFirst().run() }
  }
  func runAll() { while !works.isEmpty { runFirst() } }
}

/// Values that change threads.
private final class Crossing: @unchecked Sendable {  // one thread runs at a time
  let line: Line
  let listener = Listener()
  let ledger = Ledger()
  let subscription: Subscription
  private var source: Subject<Item, Never>?

  init(
    _ policy: HopPolicy = .always, waiting backlog: Backlog<Never> = .standard, ahead: Int = 0, looks: Int = 0
  ) {
    line = Line(looks: looks)
    let source = Subject<Item, Never>()
    self.source = source
    subscription = source.observe(on: line, policy, waiting: backlog).subscribe(
      next: { [listener] in listener.take($0.number) }, completed: { [listener] in listener.complete() })
    for number in 0..<ahead { send(number) }
  }

  func send(_ number: Int) { source?.send(Item(number: number, token: ledger.make())) }
  func sendInLine(_ number: Int) { line.perform { send(number) } }
  func complete() { source?.complete() }

  /// - Parameter wanted: whether these numbers are right.
  func problem(completed: Int?, _ wanted: ([Int]) -> Bool) -> String? {
    line.runAll()
    source = nil
    if let problem = listener.problem { return problem }
    if !wanted(listener.numbers) { return "delivered \(listener.numbers)" }
    if let completed, listener.completions != completed { return "completed \(listener.completions) times" }
    if subscription.isDisposed, ledger.alive > 0 { return "\(ledger.alive) values are still there" }
    return nil
  }
}

/// Values that change threads, from a source that retains its sink for ever and adds no steps of its own.
private final class Kept: @unchecked Sendable {  // one thread runs at a time
  let line: Line
  private let listener = Listener()
  private let ledger = Ledger()
  private var sink: Sink<Item, Never>?
  private var subscription: Subscription?

  init(_ policy: HopPolicy = .always, ahead: Int = 0, looks: Int = 0) {
    line = Line(looks: looks)
    let source = Signal<Item, Never>.attaching { sink in self.sink = sink }
    subscription = source.observe(on: line, policy).subscribe { [listener, token = ledger.make()] item in
      withExtendedLifetime(token) { listener.take(item.number) }
    }
    for number in 0..<ahead { send(number) }
  }

  func send(_ number: Int) { sink?.ungatedNext(Item(number: number, token: ledger.make())) }
  func sendInLine(_ number: Int) { line.perform { send(number) } }
  func dispose() { subscription?.dispose() }

  /// For scenarios in which it was disposed.
  var problem: String? {
    let left = ledger.alive
    (sink, subscription) = (nil, nil)
    return left == 0 ? listener.problem : "\(left) values, or what they are delivered to, are kept for nobody"
  }

  func problem(delivered: [Int]) -> String? {
    line.runAll()
    dispose()
    return problem ?? (listener.numbers == delivered ? nil : "delivered \(listener.numbers)")
  }
}

/// A queue without values: only its consumer and its clean-up.
private final class Consumers: @unchecked Sendable {  // one thread runs at a time
  private let words = Words(1)
  private let place = Place()
  private var cleanUps = 0
  private var role: DrainRole { DrainRole(AtomicWord(words.words)) }

  func append() {
    switch role.request() {
    case .nothing, .schedule: break
    case .cleanUp: cleanUp()
    }
  }

  func run() {
    guard role.begin() else { return }
    place.visit()
    if !role.leave() { cleanUp() }
  }

  func dispose() { if role.end().isConsumer { cleanUp() } }

  private func cleanUp() {
    place.visit { cleanUps += 1 }
    role.leaveEnded()
  }

  var problem: String? {
    if place.wasShared { return "two consumers at once" }
    if cleanUps == 0 { return "nobody has cleaned up" }
    return role.word.load() == DrainRole.ended ? nil : "the role is \(role.word.load())"
  }
}

/// A ring that streams from the beginning.
private final class Stream: @unchecked Sendable {  // one thread runs at a time
  private let words = Words(HandOffRing<Int>.wordCount + 2)
  private let ring: HandOffRing<Int>
  private let place = Place()
  private var numbers: [Int] = []
  private var role: DrainRole { DrainRole(AtomicWord(words.words + HandOffRing<Int>.wordCount)) }
  private var requests: AtomicWord { AtomicWord(words.words + HandOffRing<Int>.wordCount + 1) }

  init(ahead: Int) {
    ring = HandOffRing(words: words.words, bound: 1_000, .stays)
    for number in 0..<ahead { send(number) }
    ring.beginStream()
  }
  deinit { ring.destroy() }

  func send(_ number: Int) {
    if !ring.hasRoom { _ = ring.makeRoom() }
    ring.append(number)
    if role.isIdle, role.request() == .schedule { _ = requests.add(1) }
  }

  func run() {
    let requested = requests.load()
    guard requested > 0, requests.compareExchange(requested, requested - 1), role.begin() else { return }
    repeat {
      var tail: UInt64 = 0
      place.visit { tail = takeAll() }
      guard role.leave(), ring.tailAfterLeaving() != tail else { return }
    } while role.enter()
  }

  private func takeAll() -> UInt64 {
    while true {
      switch ring.claim() {
      case .batch(let batch):
        for distance in 0..<batch.count { numbers.append(ring.take(batch.first &+ distance)) }
      case .empty(let tail): return tail
      case .closed: return 0
      }
    }
  }

  func problem(_ count: Int) -> String? {
    if place.wasShared { return "two consumers at once" }
    run()
    return numbers == Array(0..<count) ? nil : "delivered \(numbers)"
  }
}

extension Exploring {
  @Suite struct HopSuite {
    private func send(_ number: Int) -> Operation<Crossing> {
      Operation("send \(number)") { $0.send(number) }
    }
    private let complete = Operation<Crossing>("complete") { $0.complete() }
    private let run = Operation<Crossing>("run") { $0.line.runFirst() }
    private let dispose = Operation<Crossing>("dispose") { $0.subscription.dispose() }

    @Test(
      "A13: when one thread fills the ring and others empty it, all values arrive in order, then the completion"
    )
    func delivered() {
      expectSound(
        Scenario(
          "ring: send and run", setup: { Crossing() }, threads: [[send(0), send(1), complete], [run, run]],
          check: { $0.problem(completed: 1) { $0 == [0, 1] } }))
      expectSound(
        Scenario(
          "ring: a batch and what comes meanwhile", setup: { Crossing(ahead: 2) },
          threads: [[send(2), complete], [run, run], [run]],
          check: { $0.problem(completed: 1) { $0 == [0, 1, 2] } }))
    }

    @Test(
      "A1 E9: after disposal during delivery, a prefix has been delivered and all values are released")
    func disposed() {
      // What is disposed is destroyed: counts of references order that, which the explorer does not see.
      let isPrefix: ([Int]) -> Bool = { $0 == Array(0..<$0.count) }
      expectSound(
        Scenario(
          "ring: send and dispose", setup: { Crossing(ahead: 1) }, threads: [[send(1), send(2)], [dispose]],
          check: { $0.problem(completed: 0, isPrefix) }), loads: .newest)
      expectSound(
        Scenario(
          "ring: run and dispose", setup: { Crossing(ahead: 2) }, threads: [[run, run], [dispose]],
          check: { $0.problem(completed: 0, isPrefix) }), loads: .newest)
      expectSound(
        Scenario(
          "ring: send, run and dispose", setup: { Crossing(ahead: 1) },
          threads: [[send(1), complete], [run, run], [dispose]],
          check: { $0.problem(completed: nil, isPrefix) }), loads: .newest)
    }

    @Test("with spinning threads, values sent while the consumer looks, or has just given up, are delivered")
    func spinning() {
      expectSound(
        Scenario(
          "ring: send and look", setup: { Crossing(ahead: 1, looks: 2) },
          threads: [[send(1), send(2), complete], [run, run]],
          check: { $0.problem(completed: 1) { $0 == [0, 1, 2] } }))
      expectSound(
        Scenario(
          "ring: look and dispose", setup: { Crossing(ahead: 1, looks: 2) },
          threads: [[send(1)], [run, run], [dispose]],
          check: { $0.problem(completed: 0) { $0 == Array(0..<$0.count) } }), loads: .newest)
    }

    @Test(
      "I10: values that are delivered directly and others that are queued all arrive, in each thread's order"
    )
    func whenNeeded() {
      let inLine = (0..<2).map { number in
        Operation<Crossing>("send \(number) in line") { $0.sendInLine(number) }
      }
      expectSound(
        Scenario(
          "ring: in line and from elsewhere", setup: { Crossing(.whenNeeded) },
          threads: [[inLine[0], inLine[1]], [send(10), send(11), run]],
          check: {
            $0.problem(completed: 0) {
              $0.filter { $0 < 10 } == [0, 1] && $0.filter { $0 >= 10 } == [10, 11]
            }
          }
        ))
      expectSound(
        Scenario(
          "ring: in line while another thread runs", setup: { Kept(.whenNeeded, ahead: 1) },
          threads: [
            (1...2).map { number in Operation("send \(number) in line") { $0.sendInLine(number) } },
            [Operation("run") { $0.line.runFirst() }],
          ],
          check: { $0.problem(delivered: [0, 1, 2]) }))
      expectSound(
        Scenario(
          "ring: in line while another thread looks", setup: { Kept(.whenNeeded, ahead: 1, looks: 3) },
          threads: [
            (1...2).map { number in Operation("send \(number) in line") { $0.sendInLine(number) } },
            [Operation("run") { $0.line.runFirst() }],
          ],
          check: { $0.problem(delivered: [0, 1, 2]) }))
      expectSound(
        Scenario(
          "ring: in line and dispose", setup: { Crossing(.whenNeeded) },
          threads: [[inLine[0], inLine[1]], [dispose]],
          check: { $0.problem(completed: 0) { $0 == Array(0..<$0.count) } }), loads: .newest)
    }

    @Test("E9: a value appended during disposal is released, although the source stays alive")
    func leftOver() {
      expectSound(
        Scenario(
          "ring: send and dispose, and the source stays", setup: { Kept() },
          threads: [[Operation("send") { $0.send(0) }], [Operation("dispose") { $0.dispose() }]],
          check: { $0.problem }))
      expectSound(
        Scenario(
          "ring: send in line and dispose, and the source stays", setup: { Kept(.whenNeeded) },
          threads: [
            [Operation("send in line") { $0.sendInLine(0) }], [Operation("dispose") { $0.dispose() }],
          ],
          check: { $0.problem }), loads: .newest)
    }

    @Test(
      "a queue has one consumer at a time, and is cleaned up by that or by the thread that ends the queue")
    func role() {
      let append = Operation<Consumers>("append") { $0.append() }
      let run = Operation<Consumers>("run") { $0.run() }
      expectSound(
        Scenario(
          "role: run and dispose", setup: { Consumers() },
          threads: [[append, run, append, run], [Operation("dispose") { $0.dispose() }]],
          check: { $0.problem }))
    }

    @Test("values move into a larger ring or are claimed in the smaller one, not both")
    func grows() {
      expectSound(
        Scenario(
          "ring: grow and run", setup: { Crossing(ahead: 64) }, threads: [[send(64), complete], [run]],
          check: { $0.problem(completed: 1) { $0 == Array(0...64) } }))
    }

    @Test(
      "a value appended without a fence as a stream runs empty is found, or the consumer is scheduled again")
    func stream() {
      let send = (0..<6).map { number in Operation<Stream>("send \(number)") { $0.send(number) } }
      let run = Operation<Stream>("run") { $0.run() }
      expectSound(
        Scenario(
          "ring: a stream", setup: { Stream(ahead: 1) }, threads: [[send[1], send[2]], [run]],
          check: { $0.problem(3) }), preemptions: 4)
      expectSound(
        Scenario(
          "ring: a stream, and another", setup: { Stream(ahead: 1) },
          threads: [Array(send[1...5]), [run, run, run], [run]], check: { $0.problem(6) }))
    }

    @Test(
      "the oldest value is either dropped or claimed when both happen concurrently, and the newest comes last"
    )
    func dropsOldest() {
      expectSound(
        Scenario(
          "ring: drop the oldest",
          setup: { Crossing(waiting: .bounded(1, onOverflow: .dropOldest), ahead: 1) },
          threads: [[send(1), send(2), complete], [run, run]],
          check: {
            $0.problem(completed: 1) { $0 == $0.sorted() && Set($0).count == $0.count && $0.last == 2 }
          }))
    }
  }
}
