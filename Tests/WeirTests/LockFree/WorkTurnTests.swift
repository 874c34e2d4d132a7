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

  @Test("the first push takes the turn; later ones leave their work to the holder")
  func first() {
    withTurn { turn in
      #expect(turn.push(Piece {}))
      #expect(!turn.push(Piece {}))
      var left = 9
      #expect(turn.run(atMost: &left, waking: {}) == .empty)
      #expect(left == 7)
      #expect(turn.leave())
      #expect(turn.push(Piece {}))
    }
  }

  @Test("work left over from a portion runs first in the next one, before work pushed meanwhile")
  func portions() {
    withTurn { turn in
      let log = Box<[Int]>([])
      for number in 0..<5 { _ = turn.push(Piece { log.value.append(number) }) }
      var left = 3
      #expect(turn.run(atMost: &left, waking: {}) == .limit)
      #expect(log.value == [0, 1, 2])
      for number in 5..<7 { #expect(!turn.push(Piece { log.value.append(number) })) }
      left = 3
      #expect(turn.run(atMost: &left, waking: {}) == .limit)
      left = 3
      #expect(turn.run(atMost: &left, waking: {}) == .empty)
      #expect(log.value == [0, 1, 2, 3, 4, 5, 6])
    }
  }

  @Test("leave() fails if work was pushed after the holder had found none")
  func nothingForgotten() {
    withTurn { turn in
      _ = turn.push(Piece {})
      var left = 9
      #expect(turn.run(atMost: &left, waking: {}) == .empty)
      #expect(!turn.push(Piece {}))
      #expect(!turn.leave())
      #expect(turn.run(atMost: &left, waking: {}) == .empty)
      #expect(turn.leave())
    }
  }

  @Test("end() while a piece runs counts it as still running, and abandons all others at once")
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
      #expect(turn.run(atMost: &left, waking: {}) == .ended(nil))
      #expect(late.value == 0 && left == 7)
      #expect(report.value == ShutdownReport(notRun: 3, stillRunning: 1))
      #expect(turn.end() == nil)
      #expect(!turn.push(Piece(abandoned) {}))
      #expect(abandoned.value == 4)
    }
  }

  @Test("only the first close() returns true, and close() does not undo end()")
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

  @Test("end() between two portions also abandons what is left over from the first")
  func endedBetween() {
    withTurn { turn in
      let abandoned = Counter()
      for _ in 0..<5 { _ = turn.push(Piece(abandoned) {}) }
      var left = 2
      #expect(turn.run(atMost: &left, waking: {}) == .limit)
      _ = turn.push(Piece(abandoned) {})
      #expect(turn.end() == ShutdownReport(notRun: 4, stillRunning: 0))
      #expect(abandoned.value == 4)
      left = 2
      #expect(turn.run(atMost: &left, waking: {}) == .ended(nil))
    }
  }

  @Test("goingOn is called only before a piece that has cut its portion is deallocated")
  func goingOn() {
    withTurn { turn in
      let (turnBox, log) = (Box(turn), Box<[String]>([]))
      let cut: @Sendable () -> Void = { turnBox.value.cutPortion() }
      let kept = Leaving("kept", log, cut)
      for (isCutting, piece) in [(false, nil), (true, kept), (true, nil)] {
        _ = turn.push(piece ?? (isCutting ? Leaving("cut", log, cut) : Leaving("whole", log) {}))
        var left = 9
        turn.beginPortion()
        #expect(turn.run(atMost: &left, waking: { log.value.append("going on") }) == .empty)
      }
      #expect(log.value == ["whole", "going on", "cut"])
      withExtendedLifetime(kept) {}
    }
  }

  /// Logs its deallocation.
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
