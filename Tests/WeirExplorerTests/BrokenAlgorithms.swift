// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirExplorer
import WeirTesting

@testable import Weir

extension Exploring {
  /// Algorithms with a mistake that is easily made: the explorer must find each of them within so many
  /// schedules, and its report must repeat the failure. Each program is also run without the mistake, and
  /// passes.
  @Suite struct BrokenAlgorithms {
    private func expectFound<State>(
      _ scenario: Scenario<State>, _ search: Search, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let failure = try #require(explore(scenario, search).failure, sourceLocation: sourceLocation)
      let again = try #require(replay(scenario, failure.schedule).failure, sourceLocation: sourceLocation)
      #expect(again.problem == failure.problem, sourceLocation: sourceLocation)
      #expect(again.trace == failure.trace, sourceLocation: sourceLocation)
      #expect(again.schedule == failure.schedule, sourceLocation: sourceLocation)
    }

    // MARK: A cell whose reader takes a pin and does not look again

    /// Whether the reader looks again whether its block is still current.
    private enum Pinning { case validated, unvalidated }

    private static func cell(_ pinning: Pinning) -> Scenario<WatchedCell> {
      let read = Operation<WatchedCell>("read") { state in
        switch pinning {
        case .validated: state.read()
        case .unvalidated:
          let block = state.cell.currentBlock()
          block.control.add(PinnedControl.pin)
          state.use(block)
        }
      }
      let replace = Operation<WatchedCell>("replace") { $0.replace() }
      return Scenario(
        "cell \(pinning)", setup: { WatchedCell() }, threads: [[read], [replace, replace]],
        invariant: { $0.problem }, check: { $0.finish() })
    }

    @Test("the explorer finds a reader that does not validate its pin and uses recycled content")
    func unvalidatedPin() throws {
      try expectFound(Self.cell(.unvalidated), .exhaustive(preemptions: 2, atMost: 2_000))
      try expectFound(Self.cell(.unvalidated), .priorities(changes: 2, schedules: 2_000))
      #expect(explore(Self.cell(.validated), .exhaustive(preemptions: 2, atMost: 2_000)).failure == nil)
    }

    // MARK: A turn whose holder does not look at what has been posted

    private enum Leaving { case looksAgain, leavesForGood }

    private static func turn(_ leaving: Leaving) -> Scenario<Turn> {
      func send(_ item: Int) -> Operation<Turn> {
        Operation("send \(item)") { state in
          if state.turn.enter(as: 1) {
            state.deliver(item)
            state.turn.leave()
            if leaving == .leavesForGood { return }
          } else {
            state.turn.post(item)
          }
          state.settle()
        }
      }
      return Scenario(
        "turn \(leaving)", setup: { Turn() }, threads: [[send(10)], [send(20)]],
        check: { $0.problem(sent: [[10], [20]]) })
    }

    @Test("the explorer finds an item that is lost when a turn's holder leaves without looking at the inbox")
    func forgottenInbox() throws {
      try expectFound(Self.turn(.leavesForGood), .exhaustive(preemptions: 1, atMost: 500))
      try expectFound(Self.turn(.leavesForGood), .priorities(changes: 2, schedules: 500))
      #expect(explore(Self.turn(.looksAgain), .exhaustive(preemptions: 2, atMost: 5_000)).failure == nil)
    }

    // MARK: A stack that is popped without a tag

    private enum Tagging { case tagged, untagged }

    /// A stack of three nodes, named by number, each with the number of the next. The head is a number in the
    /// low half of its word, and a tag above it, which each change of the head increments.
    private final class Stack {
      let tagStep: UInt64
      let words = Words(4)
      var owner = [0, 0, 0, 0]
      var problem: String?
      var head: AtomicWord { AtomicWord(words.words) }
      func next(_ node: UInt64) -> AtomicWord { AtomicWord(words.words + Int(node)) }

      init(_ tagging: Tagging) {
        tagStep = tagging == .tagged ? 1 << 32 : 0
        for node: UInt64 in [3, 2, 1] { push(node) }
      }

      /// Puts a node on top, if the head has not changed.
      private func change(_ top: UInt64, to node: UInt64) -> Bool {
        head.compareExchange(top, (top & ~0xFFFF_FFFF | node) + tagStep)
      }

      func pop() -> UInt64? {
        while true {
          let top = head.load()
          let node = top & 0xFFFF_FFFF
          if node == 0 { return nil }
          let rest = next(node).load()
          guard change(top, to: rest) else { continue }
          owner[Int(node)] += 1
          if owner[Int(node)] > 1 { problem = "two have node \(node)" }
          return node
        }
      }

      func push(_ node: UInt64) {
        owner[Int(node)] = 0
        while true {
          let top = head.load()
          next(node).storeRelaxed(top & 0xFFFF_FFFF)
          if change(top, to: node) { return }
        }
      }
    }

    private static func stack(_ tagging: Tagging) -> Scenario<Stack> {
      Scenario(
        "stack \(tagging)", setup: { Stack(tagging) },
        threads: [
          [Operation("pop") { _ = $0.pop() }, Operation("pop") { _ = $0.pop() }],
          [
            Operation("pop, pop, push") { stack in
              let first = stack.pop()
              _ = stack.pop()
              if let first { stack.push(first) }
            }
          ],
        ], check: { $0.problem })
    }

    @Test("the explorer finds the ABA error of a stack without a tag")
    func untaggedStack() throws {
      try expectFound(Self.stack(.untagged), .exhaustive(preemptions: 2, atMost: 2_000))
      #expect(explore(Self.stack(.tagged), .exhaustive(preemptions: 2, atMost: 2_000)).failure == nil)
    }
  }
}
