// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirExplorer
import WeirTesting

@testable import Weir

/// A suspended task, which counts how often it was resumed: that must not be twice.
private final class Suspended: Sleeper, @unchecked Sendable {  // one thread runs at a time
  private let handedOver = Words(1)
  private var isAwake = false
  private(set) var resumptions = 0

  func resume() {
    resumptions += 1
    isAwake = true
    _ = AtomicWord(handedOver.words).add(1)
  }

  func hasBeenResumed() -> Bool {
    _ = AtomicWord(handedOver.words).add(1)
    return isAwake
  }
}

/// Too many numbers are buffered.
private struct Full: Error {}

/// A task that takes numbers: each step runs it until it is suspended.
private final class Reader: @unchecked Sendable {  // one thread runs at a time
  private let (place, ledger) = (Place(), Ledger())
  private let inbox: AwaitedInbox<(Int, Ledger.Token), Full, Suspended>
  private let subject: Subject<(Int, Ledger.Token), Full>
  private var sleeper: Suspended?
  private var sleepers: [Suspended] = []
  private(set) var numbers: [Int] = []
  private(set) var isOver = false
  private var hasTakenNothing = false
  /// How many numbers it takes at the most; nil if it takes them one by one.
  private let chunk: Int?

  init(ahead: Int = 0, chunk: Int? = nil, waiting backlog: Backlog<Full> = .standard) {
    inbox = AwaitedInbox(waiting: backlog)
    self.chunk = chunk
    subject = Subject()
    inbox.listen(to: subject.signal)
    run()
    for number in 0..<ahead { send(number) }
  }

  func send(_ number: Int) { subject.send((number, ledger.make())) }
  func complete() { subject.complete() }
  func cancel() { inbox.cancel() }

  /// What the task does when it runs.
  func run() {
    if let sleeper {
      guard sleeper.hasBeenResumed() else { return }
      self.sleeper = nil
      inbox.becomeConsumer()
    }
    place.visit { takeAll() }
  }

  private func takeAll() {
    while !isOver {
      // A chunk does not look for what it has in hand.
      switch chunk != nil && inbox.hasInHand ? .some : inbox.look() {
      case .some:
        let taken = chunk.map { inbox.takeChunk(upTo: $0) } ?? [inbox.take()]
        if taken.isEmpty { hasTakenNothing = true }
        numbers += taken.map(\.0)
      case .none(let tail):
        let sleeper = Suspended()
        sleepers.append(sleeper)
        self.sleeper = sleeper
        return inbox.suspend(sleeper, after: tail)
      case .over:
        _ = try? inbox.end()
        isOver = true
      }
    }
  }

  /// - Parameter count: how many numbers must have been received; nil if any prefix will do.
  func problem(_ count: Int?, isOver wanted: Bool = true) -> String? {
    // The last one may have to be run twice: when it stays, and for what came then.
    for _ in 0..<8 { run() }
    if place.wasShared { return "the task runs twice at once" }
    if sleepers.contains(where: { $0.resumptions > 1 }) { return "resumed twice" }
    if isOver != wanted { return isOver ? "it is over" : "the task waits for ever" }
    if hasTakenNothing { return "took nothing of what there was" }
    if numbers != Array(0..<numbers.count) { return "got \(numbers)" }
    if let count, numbers.count != count { return "got \(numbers)" }
    return ledger.alive == 0 ? nil : "\(ledger.alive) values are still there"
  }
}

extension Exploring {
  @Suite struct AsyncSuite {
    private func send(_ number: Int) -> Operation<Reader> { Operation("send \(number)") { $0.send(number) } }
    private let complete = Operation<Reader>("complete") { $0.complete() }
    private let run = Operation<Reader>("run") { $0.run() }
    private let cancel = Operation<Reader>("cancel") { $0.cancel() }

    @Test("a task suspended and resumed during sends receives all values and is resumed once each time")
    func handOver() {
      expectSound(
        Scenario(
          "task: send and run", setup: { Reader() },
          threads: [[send(0), send(1), complete], [run, run, run]],
          check: { $0.problem(2) }))
      expectSound(
        Scenario(
          "task: a batch and what comes meanwhile", setup: { Reader(ahead: 2) },
          threads: [[send(2)], [run, run]], check: { $0.problem(3, isOver: false) }))
    }

    @Test(
      "a task cancelled while it is suspended, resumed or running is resumed once at most and releases all values"
    )
    func cancelled() {
      expectSound(
        Scenario(
          "task: send and cancel", setup: { Reader() }, threads: [[send(0), send(1)], [cancel]],
          check: { $0.problem(nil) }), loads: .newest)
      expectSound(
        Scenario(
          "task: run and cancel", setup: { Reader(ahead: 2) }, threads: [[run, run], [cancel]],
          check: { $0.problem(nil) }), loads: .newest)
      expectSound(
        Scenario(
          "task: send, run and cancel", setup: { Reader(ahead: 1) },
          threads: [[send(1), complete], [run, run], [cancel]], check: { $0.problem(nil) }), loads: .newest)
    }

    @Test("chunks are never empty, also if the task is cancelled while the rest of a batch is in hand")
    func chunks() {
      expectSound(
        Scenario(
          "task: chunks and cancel", setup: { Reader(ahead: 3, chunk: 2) }, threads: [[run, run], [cancel]],
          check: { $0.problem(nil) }), loads: .newest)
      expectSound(
        Scenario(
          "task: chunks while values come", setup: { Reader(ahead: 1, chunk: 2) },
          threads: [[send(1), send(2), complete], [run, run, run]], check: { $0.problem(3) }))
    }

    @Test("chunks are never empty, also if the queue overflows while a batch is in hand")
    func chunksOverflow() {
      expectSound(
        Scenario(
          "task: chunks and overflow",
          setup: { Reader(ahead: 1, chunk: 2, waiting: .bounded(1, onOverflow: .fail(Full()))) },
          threads: [[send(1), send(2), complete], [run]], check: { $0.problem(nil) }), loads: .newest)
    }
  }
}
