// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirExplorer
import WeirTesting

@testable import Weir

/// A delivery turn, used as hot sources use theirs.
final class Turn {
  private let words = Words(DeliveryTurn<Int>.wordCount)
  private let place = Place()
  private(set) var delivered: [Int] = []
  let turn: DeliveryTurn<Int>

  init() { turn = DeliveryTurn(words: words.words) }
  deinit { turn.destroy() }

  func send(_ item: Int) {
    if turn.enter(as: 1) {
      deliver(item)
      turn.leave()
    } else {
      turn.post(item)
    }
    settle()
  }

  func settle() { if turn.isWaiting { turn.deliverWaiting(as: 1) { deliver($0) } } }

  func deliver(_ item: Int) { place.visit { delivered.append(item) } }

  /// - Parameter sent: what each thread sent, in order.
  func problem(sent: [[Int]]) -> String? {
    if place.wasShared { return "two deliver at once" }
    if turn.isWaiting || turn.token.load() != 0 { return "something is left in the turn" }
    if delivered.sorted() != sent.joined().sorted() { return "delivered \(delivered)" }
    for items in sent where delivered.filter(items.contains) != items { return "out of order: \(delivered)" }
    return nil
  }
}

/// A biased turn, used as operators use theirs. The first thread owns it.
private final class Owned: @unchecked Sendable {  // one thread runs at a time
  private let words = Words(BiasedTurn<Int>.wordCount)
  private let place = Place()
  private var delivered: [Int] = []
  let turn: BiasedTurn<Int>

  init() { turn = BiasedTurn(words: words.words, patience: 1) }
  deinit { turn.destroy() }

  func send(_ item: Int) {
    if turn.enter(as: 1) {
      deliver(item)
      turn.leave()
    } else {
      turn.post(item)
    }
    if turn.isWaiting { turn.deliverWaiting(as: 1) { deliver($0) } }
  }

  private func deliver(_ item: Int) {
    place.visit { delivered.append(item) }
    // A nested item is delivered after this one.
    if item % 10 == 5 { send(item + 1) }
  }

  func problem(sent: [[Int]]) -> String? {
    if place.wasShared { return "two deliver at once" }
    if turn.isWaiting { return "something is left in the turn" }
    let token = turn.turn.token.load()
    if token & (1 | Bias.revoked) != 0 || turn.bias.inside.load() != 0 {
      return "the turn is taken"
    }
    if delivered.sorted() != sent.joined().sorted() { return "delivered \(delivered)" }
    for items in sent where delivered.filter(items.contains) != items { return "out of order: \(delivered)" }
    return nil
  }
}

extension Exploring {
  @Suite struct TurnSuite {
    private func sendOwned(_ item: Int) -> Operation<Owned> { Operation("send \(item)") { $0.send(item) } }

    @Test(
      "A13 AC5: a biased turn delivers the items of its owner and other threads serially, in order, without loss"
    )
    func biased() {
      expectSound(
        Scenario(
          "biased turn: the owner, and one who comes once", setup: { Owned() },
          threads: [[sendOwned(10), sendOwned(11)], [sendOwned(20)]],
          check: { $0.problem(sent: [[10, 11], [20]]) }), preemptions: 3)
      expectSound(
        Scenario(
          "biased turn: the owner and another", setup: { Owned() },
          threads: [[sendOwned(10), sendOwned(11), sendOwned(12)], [sendOwned(20), sendOwned(21)]],
          check: { $0.problem(sent: [[10, 11, 12], [20, 21]]) }))
      expectSound(
        Scenario(
          "biased turn: sends from inside", setup: { Owned() },
          threads: [[sendOwned(10), sendOwned(15)], [sendOwned(25)]],
          check: { $0.problem(sent: [[10, 15, 16], [25, 26]]) }))
      let reclaim = Operation<Owned>("reclaim") { _ = $0.turn.bias.published() }
      expectSound(
        Scenario(
          "biased turn: the owner and one who reclaims", setup: { Owned() },
          threads: [[sendOwned(10), sendOwned(11), sendOwned(12)], [reclaim, reclaim]],
          check: { $0.problem(sent: [[10, 11, 12]]) }))
      expectSound(
        Scenario(
          "biased turn: the owner and two others", setup: { Owned() },
          threads: [[sendOwned(10), sendOwned(11)], [sendOwned(20)], [sendOwned(30)]],
          check: { $0.problem(sent: [[10, 11], [20], [30]]) }))
    }

    private func send(_ item: Int) -> Operation<Turn> { Operation("send \(item)") { $0.send(item) } }
    private func post(_ item: Int) -> Operation<Turn> {
      Operation("post \(item)") {
        $0.turn.post(item)
        $0.settle()
      }
    }

    @Test("A13 AC5: a turn delivers the items of two senders serially, in each sender's order, without loss")
    func senders() {
      expectSound(
        Scenario(
          "turn: two senders", setup: { Turn() }, threads: [[send(10), send(11)], [send(20)]],
          check: { $0.problem(sent: [[10, 11], [20]]) }))
    }

    @Test(
      "A13: a turn delivers the items of two posters and a holder serially, in the order of each, without loss"
    )
    func posters() {
      expectSound(
        Scenario(
          "turn: two posters and a holder", setup: { Turn() },
          threads: [[send(10), send(11)], [post(20), post(21)], [post(30)]],
          check: { $0.problem(sent: [[10, 11], [20, 21], [30]]) }))
    }

    @Test(
      "a serial scheduler runs or abandons each piece of work, once and in order, whenever it is ended")
    func work() {
      func push(_ number: Int) -> Operation<SerialWork> { Operation("push \(number)") { $0.push(number) } }
      let end = Operation<SerialWork>("end") { $0.end() }
      expectSound(
        Scenario(
          "work turn: two push", setup: { SerialWork() }, threads: [[push(10), push(11)], [push(20)]],
          check: { $0.problem(pushed: [10, 11, 20], ended: 0) }))
      expectSound(
        Scenario(
          "work turn: push, and end from inside", setup: { SerialWork() }, threads: [[push(15)], [push(20)]],
          check: { $0.problem(pushed: [15, 20]) }), preemptions: 3)
      expectSound(
        Scenario(
          "work turn: push and end", setup: { SerialWork() }, threads: [[push(10), push(11)], [end]],
          check: { $0.problem(pushed: [10, 11]) }))
      expectSound(
        Scenario(
          "work turn: two push, one ends", setup: { SerialWork() },
          threads: [[push(10), push(11)], [push(20)], [end]],
          check: { $0.problem(pushed: [10, 11, 20]) }))
    }

    @Test("the report of an ended serial scheduler leaves out nothing that was queued or running at the end")
    func report() {
      let run = Operation<SerialWork>("run") { $0.run() }
      let end = Operation<SerialWork>("end") { $0.end() }
      expectSound(
        Scenario(
          "work turn: one ends, while the last piece pushes another",
          setup: { SerialWork(queued: [10, 17]) },
          threads: [[run], [end]], check: { $0.problemOfReport(queued: [10, 17]) }), preemptions: 3)
      expectSound(
        Scenario(
          "work turn: one ends, while the first piece pushes another",
          setup: { SerialWork(queued: [17, 20, 30]) },
          threads: [[run], [end]], check: { $0.problemOfReport(queued: [17, 20, 30]) }), preemptions: 3)
    }

    @Test("work that a serial scheduler accepts before it is closed is run, whatever the turn's holder does")
    func workInTime() {
      let enqueue = (0..<3).map { number in
        Operation<Closing>("enqueue \(number)") { $0.enqueue(number) }
      }
      let close = Operation<Closing>("close") { $0.close() }
      expectSound(
        Scenario(
          "serial scheduler: enqueue and close", setup: { Closing() },
          threads: [[enqueue[0], enqueue[1]], [enqueue[2], close]], check: { $0.problem(accepted: 2) }))
    }
  }
}

/// A serial scheduler that runs its work on the thread that has the turn, and is closed.
private final class Closing: @unchecked Sendable {  // one thread runs at a time
  private final class Piece: ScheduledWork, @unchecked Sendable {
    private(set) var fate: [String] = []
    func run() { fate.append("run") }
    func abandon() { fate.append("abandoned") }
  }

  private let scheduler = SerialScheduler(on: .immediate)
  private let pieces = [Piece(), Piece(), Piece()]

  func enqueue(_ number: Int) { scheduler.enqueue(pieces[number]) }
  func close() { scheduler.close() }

  /// - Parameter accepted: what was enqueued before, by the thread that has closed it.
  func problem(accepted: Int) -> String? {
    let fates = pieces.map(\.fate)
    return fates[accepted] == ["run"] && fates.allSatisfy { $0.count == 1 } ? nil : "\(fates)"
  }
}

/// A work turn whose work is run by the thread that got the turn.
private final class SerialWork: @unchecked Sendable {  // one thread runs at a time
  private final class Piece: ScheduledWork {
    let number: Int
    unowned let owner: SerialWork
    init(_ number: Int, _ owner: SerialWork) {
      self.number = number
      self.owner = owner
    }
    func run() {
      if owner.hasEnded { owner.late += 1 }
      owner.place.visit { owner.ran.append(number) }
      if number % 10 == 5 { owner.end() }
      if number % 10 == 7 { owner.lineUp(number + 1) }
    }
    func abandon() { owner.abandoned.append(number) }
  }

  private let words = Words(WorkTurn.wordCount)
  private let turn: WorkTurn
  fileprivate let place = Place()
  fileprivate var ran: [Int] = []
  fileprivate var abandoned: [Int] = []
  fileprivate var hasEnded = false
  /// How many began after the end.
  fileprivate var late = 0
  private var reports: [ShutdownReport] = []

  init() { turn = WorkTurn(words: words.words) }
  deinit { turn.destroy() }

  /// Work is queued, and the turn taken, for the thread that calls ``run()``.
  convenience init(queued: [Int]) {
    self.init()
    for number in queued { _ = turn.push(Piece(number, self)) }
  }

  func push(_ number: Int) {
    let piece = Piece(number, self)
    if turn.isClosed { return piece.abandon() }
    if turn.push(piece) { run() }
  }

  /// Also while it is being ended.
  fileprivate func lineUp(_ number: Int) { if turn.push(Piece(number, self)) { run() } }

  func end() {
    _ = turn.close()
    let report = turn.end()
    hasEnded = true
    finish(report)
  }

  private func finish(_ report: ShutdownReport?) { if let report { reports.append(report) } }

  func run() {
    while true {
      var left = 2
      switch turn.run(atMost: &left, waking: {}) {
      case .limit: continue
      case .ended(let report): return finish(report)
      case .empty where turn.isClosed: return finish(turn.end())
      case .empty: if turn.leave() { return }
      }
    }
  }

  func problem(pushed: [Int], ended: Int = 1) -> String? {
    if place.wasShared { return "two pieces run at once" }
    if (ran + abandoned).sorted() != pushed { return "ran \(ran), abandoned \(abandoned)" }
    if ran.filter({ $0 / 10 == 1 }) != ran.filter({ $0 / 10 == 1 }).sorted() { return "out of order: \(ran)" }
    if reports.count != ended { return "\(reports.count) reports" }
    // One that was claimed before the end may begin after it.
    if let report = reports.first, late > report.stillRunning {
      return "\(late) began after the end: \(report)"
    }
    return nil
  }

  /// For work that is queued before the end, and what that pushes while it runs.
  func problemOfReport(queued: [Int]) -> String? {
    let linedUp = ran.filter { $0 % 10 == 7 }.map { $0 + 1 }
    if let problem = problem(pushed: (queued + linedUp).sorted()) { return problem }
    let (report, lost) = (reports[0], abandoned)
    return lost.count > report.notRun + report.stillRunning ? "abandoned \(lost): \(report)" : nil
  }
}
