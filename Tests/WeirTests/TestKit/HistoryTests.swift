// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

/// A cell that holds a number.
private struct Register: SequentialModel {
  enum Step: Sendable { case wrote(Int), read(Int) }
  var value = 0

  func states(after step: Step) -> [Register] {
    switch step {
    case .wrote(let new): [Register(value: new)]
    case .read(let answer): answer == value ? [self] : []
    }
  }
}

/// A queue, first in, first out.
private struct Queue: SequentialModel {
  enum Step: Sendable { case pushed(Int), popped(Int?) }
  var items: [Int] = []

  func states(after step: Step) -> [Queue] {
    switch step {
    case .pushed(let item): [Queue(items: items + [item])]
    case .popped(let item): item == items.first ? [Queue(items: Array(items.dropFirst()))] : []
    }
  }
}

struct HistoryTests {
  private func isLinearizable<Model: SequentialModel>(
    _ model: Model, _ calls: (Model.Step, ClosedRange<Int>)...
  ) -> Bool {
    History(calls.enumerated().map { .init(thread: $0, step: $1.0, time: $1.1) }).problem(with: model) == nil
  }

  #if compiler(>=6.3)  // Closures of exit tests capture values from 6.3 on.
  @Test(
    "negative numbers of threads or rounds, an unknown thread and a lone operation trap with a message that says why",
    arguments: 0..<5)
  func refused(place: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [place] in
      switch place {
      case 0: _ = HistoryRecorder<Int>(threads: -1)
      case 1: HistoryRecorder<Int>(threads: 2).record(on: 2) { 0 }
      case 2: withThreads(-1) { _ in }
      case 3: _ = RaceTable(setup: {}, race: [{ _ in }], outcome: { _ in 0 }, allowed: [])
      default:
        _ = RaceTable(rounds: -1, setup: {}, race: [{ _ in }, { _ in }], outcome: { _ in 0 }, allowed: [])
      }
    }
    let wanted = [
      "weir: HistoryRecorder(threads: -1): pass how many threads record",
      "weir: record(on: 2): the recorder was made for 2 threads",
      "weir: withThreads(-1): pass how many threads",
      "weir: a race table needs two operations or more",
      "weir: RaceTable(rounds: -1): pass how often",
    ]
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains(wanted[place]))
  }
  #endif

  @Test("sequential calls are linearizable if the model allows them in their order")
  func sequential() {
    #expect(isLinearizable(Register()))
    #expect(isLinearizable(Register(), (.wrote(1), 0...1), (.read(1), 2...3)))
    #expect(!isLinearizable(Register(), (.wrote(1), 0...1), (.read(0), 2...3)))
    #expect(!isLinearizable(Register(), (.read(1), 0...1), (.wrote(1), 2...3)))
  }

  @Test("overlapping calls may take effect in either order")
  func concurrent() {
    #expect(isLinearizable(Register(), (.wrote(1), 0...3), (.read(0), 1...2)))
    #expect(isLinearizable(Register(), (.wrote(1), 0...3), (.read(1), 1...2)))
    #expect(!isLinearizable(Register(), (.wrote(1), 0...3), (.read(2), 1...2)))
  }

  @Test("a value that was read does not revert while the write is in progress")
  func newThenOld() {
    #expect(isLinearizable(Register(), (.wrote(1), 0...9), (.read(0), 1...2), (.read(1), 3...4)))
    #expect(!isLinearizable(Register(), (.wrote(1), 0...9), (.read(1), 1...2), (.read(0), 3...4)))
  }

  @Test("a value that a later write has replaced is not read again")
  func independentReads() {
    #expect(
      !isLinearizable(
        Register(), (.wrote(1), 0...20), (.wrote(2), 1...21), (.read(1), 2...3), (.read(2), 4...5),
        (.read(1), 6...7)))
  }

  @Test("a queue keeps the order of pushes, loses and duplicates nothing, and is empty only when it was")
  func queues() {
    #expect(
      isLinearizable(
        Queue(), (.pushed(1), 0...3), (.pushed(2), 1...2), (.popped(2), 4...5), (.popped(1), 6...7)))
    #expect(
      !isLinearizable(
        Queue(), (.pushed(1), 0...1), (.pushed(2), 2...3), (.popped(2), 4...5), (.popped(1), 6...7)))
    #expect(!isLinearizable(Queue(), (.pushed(1), 0...1), (.popped(1), 2...5), (.popped(1), 3...4)))
    #expect(!isLinearizable(Queue(), (.pushed(1), 0...1), (.popped(nil), 2...3)))
    #expect(isLinearizable(Queue(), (.pushed(1), 0...3), (.popped(nil), 1...2)))
  }

  @Test("a model may allow several states after a step: any of them will do")
  func undetermined() {
    struct Coin: SequentialModel {
      enum Step: Sendable { case tossed, showed(Bool) }
      var isHeads = true
      func states(after step: Step) -> [Coin] {
        switch step {
        case .tossed: [Coin(isHeads: true), Coin(isHeads: false)]
        case .showed(let side): side == isHeads ? [self] : []
        }
      }
    }
    #expect(isLinearizable(Coin(), (.tossed, 0...1), (.showed(false), 2...3)))
    #expect(!isLinearizable(Coin(), (.tossed, 0...1), (.showed(false), 2...3), (.showed(true), 4...5)))
  }

  @Test(
    "the search visits no state twice, so twelve overlapping calls with half a billion orders can be checked")
  func memory() {
    let writes = (0..<12).map {
      History<Register.Step>.Call(thread: $0, step: .wrote(7), time: $0...(100 + $0))
    }
    let read = History<Register.Step>.Call(thread: 12, step: .read(0), time: 200...201)
    #expect(History(writes + [read]).problem(with: Register()) != nil)
  }

  @Test("a problem shows the history, and the calls that could not be put in order")
  func report() {
    let history = History<Register.Step>([
      .init(thread: 1, step: .read(0), time: 2...3), .init(thread: 0, step: .wrote(1), time: 0...1),
    ])
    #expect(
      history.problem(with: Register())?.description == """
        no order of these calls is allowed
          0 to 1, thread 0: wrote(1)
          2 to 3, thread 1: read(0)
        with 1 of them done, the state can be Register(value: 1); left are
          2 to 3, thread 1: read(0)
        """)
  }

  @Test("the recorder records which calls overlapped")
  func recorded() {
    let recorder = HistoryRecorder<Int>(threads: 3)
    recorder.record(on: 0) { 0 }
    recorder.record(on: 1) {
      recorder.record(on: 2) { 2 }
      return 1
    }
    let calls = recorder.history.calls
    #expect(calls.map(\.step) == [0, 1, 2] && calls.map(\.thread) == [0, 1, 2])
    #expect(calls.map(\.time) == [0...1, 2...5, 3...4])
  }
}
