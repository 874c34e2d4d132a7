// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

struct WorkTurnTests {
  private func withTurn(_ body: (WorkTurn) -> Void) {
    withWords(WorkTurn.wordCount) { words in
      let turn = WorkTurn(words: words)
      body(turn)
      turn.destroy()
    }
  }

  private final class Piece: ScheduledWork {
    private let action: @Sendable () -> Void
    private let abandoned: Counter
    init(_ abandoned: Counter = Counter(), _ action: @escaping @Sendable () -> Void) {
      self.action = action
      self.abandoned = abandoned
    }
    func run() { action() }
    func abandon() { abandoned.add() }
  }

  @Test("the first to push has the turn; the others leave their work with him")
  func first() {
    withTurn { turn in
      #expect(turn.push(Piece {}))
      #expect(!turn.push(Piece {}))
      var left = 9
      #expect(turn.run(atMost: &left, goingOn: {}) == .empty)
      #expect(left == 7)
      #expect(turn.leave())
      #expect(turn.push(Piece {}))
    }
  }

  @Test("portions: what is left over comes first in the next one, before what was pushed meanwhile")
  func portions() {
    withTurn { turn in
      let log = Box<[Int]>([])
      for number in 0..<5 { _ = turn.push(Piece { log.value.append(number) }) }
      var left = 3
      #expect(turn.run(atMost: &left, goingOn: {}) == .limit)
      #expect(log.value == [0, 1, 2])
      for number in 5..<7 { #expect(!turn.push(Piece { log.value.append(number) })) }
      left = 3
      #expect(turn.run(atMost: &left, goingOn: {}) == .limit)
      left = 3
      #expect(turn.run(atMost: &left, goingOn: {}) == .empty)
      #expect(log.value == [0, 1, 2, 3, 4, 5, 6])
    }
  }

  @Test("work that was pushed when the holder had just looked keeps him the turn")
  func nothingForgotten() {
    withTurn { turn in
      _ = turn.push(Piece {})
      var left = 9
      #expect(turn.run(atMost: &left, goingOn: {}) == .empty)
      #expect(!turn.push(Piece {}))
      #expect(!turn.leave())
      #expect(turn.run(atMost: &left, goingOn: {}) == .empty)
      #expect(turn.leave())
    }
  }

  @Test("the end comes while a piece runs: that one is counted as running, all others are abandoned, at once")
  func endedWhileRunning() {
    withTurn { turn in
      let (abandoned, report, late) = (Counter(), Box<ShutdownReport?>(nil), Counter())
      let turnBox = Box(turn)
      _ = turn.push(Piece(abandoned) {})
      _ = turn.push(
        Piece(abandoned) {
          _ = turnBox.value.push(Piece(abandoned) {})
          report.value = turnBox.value.end()
          #expect(abandoned.value == 3)
        })
      for _ in 0..<2 { _ = turn.push(Piece(abandoned) { late.add() }) }
      var left = 9
      #expect(turn.run(atMost: &left, goingOn: {}) == .ended(nil))
      #expect(late.value == 0 && left == 7)
      #expect(report.value == ShutdownReport(notRun: 3, stillRunning: 1))
      #expect(turn.end() == nil)
      #expect(!turn.push(Piece(abandoned) {}))
      #expect(abandoned.value == 4)
    }
  }

  @Test("the first to close it is told so, and closing does not undo the end")
  func closing() {
    withTurn { turn in
      let abandoned = Counter()
      #expect(turn.close() && !turn.close())
      #expect(turn.end() == ShutdownReport(notRun: 0, stillRunning: 0))
      #expect(!turn.close())
      #expect(!turn.push(Piece(abandoned) {}))
      #expect(abandoned.value == 1)
    }
  }

  @Test("the end comes between two portions: what is left of the first is abandoned, too")
  func endedBetween() {
    withTurn { turn in
      let abandoned = Counter()
      for _ in 0..<5 { _ = turn.push(Piece(abandoned) {}) }
      var left = 2
      #expect(turn.run(atMost: &left, goingOn: {}) == .limit)
      _ = turn.push(Piece(abandoned) {})
      #expect(turn.end() == ShutdownReport(notRun: 4, stillRunning: 0))
      #expect(abandoned.value == 4)
      left = 2
      #expect(turn.run(atMost: &left, goingOn: {}) == .ended(nil))
    }
  }

  @Test("a piece that has cut the portion and is about to go is told of before; no other one is")
  func goingOn() {
    withTurn { turn in
      let (turnBox, log) = (Box(turn), Box<[String]>([]))
      let cut: @Sendable () -> Void = { turnBox.value.cutPortion() }
      let kept = Leaving("kept", log, cut)
      for (isCutting, piece) in [(false, nil), (true, kept), (true, nil)] {
        _ = turn.push(piece ?? (isCutting ? Leaving("cut", log, cut) : Leaving("whole", log) {}))
        var left = 9
        turn.beginPortion()
        #expect(turn.run(atMost: &left, goingOn: { log.value.append("going on") }) == .empty)
      }
      #expect(log.value == ["whole", "going on", "cut"])
      withExtendedLifetime(kept) {}
    }
  }

  /// Says when it goes.
  private final class Leaving: ScheduledWork, @unchecked Sendable {  // used by one thread
    private let name: String
    private let log: Box<[String]>
    private let action: @Sendable () -> Void
    init(_ name: String, _ log: Box<[String]>, _ action: @escaping @Sendable () -> Void) {
      self.name = name
      self.log = log
      self.action = action
    }
    deinit { log.value.append(name) }
    func run() { action() }
  }
}
