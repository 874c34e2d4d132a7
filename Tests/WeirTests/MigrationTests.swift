// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Migration.md gives in place of operators that Weir has left out.
struct MigrationTests {
  typealias Row = Int

  func mergeDelayingErrors(_ signals: [Signal<Row, any Error>]) -> Signal<Row, any Error> {
    .deferred {
      let first = MutableProperty<(any Error)?>(nil)
      let values = signals.map { signal in
        signal.catch(to: (any Error).self) { error in
          first.modify { $0 = $0 ?? error }
          return .empty()
        }
      }
      return Signal.merge(values).concat(Signal.deferred { first.value.map { .fail($0) } ?? .empty() })
    }
  }

  @Test("mergeDelayError: the others go on after a failure; then the first error is passed on")
  func delayedErrors() {
    let subjects = (0..<3).map { _ in Subject<Row, any Error>() }
    let merged = mergeDelayingErrors(subjects.map(\.signal))
    let recorder = Recorder(merged)
    subjects[0].send(1)
    subjects[1].fail(Oops(code: 1))
    subjects[2].fail(Oops(code: 2))
    subjects[0].send(2)
    #expect(recorder.completion == nil)
    subjects[0].complete()
    #expect(recorder.values == [1, 2])
    guard case .failed(let error) = recorder.completion else { return #expect(recorder.completion != nil) }
    #expect(error as? Oops == Oops(code: 1))
    // Without errors, and with none left from the run before.
    let fine = Recorder(mergeDelayingErrors([.just(1), .just(2)]))
    #expect(fine.values == [1, 2])
    guard case .finished = fine.completion else { return #expect(fine.completion != nil) }
  }

  @Test("expand: a function that calls itself sends a tree, and completes when all of it was sent")
  func expand() {
    @Sendable func children(_ node: Int) -> Signal<Int, Never> {
      Signal([2 * node, 2 * node + 1].filter { $0 < 8 })
    }
    @Sendable func tree(_ node: Int) -> Signal<Int, Never> {
      children(node).flatMap { tree($0) }.startWith(node)
    }
    let nodes = Recorder(tree(1))
    #expect(nodes.values == [1, 2, 4, 5, 3, 6, 7])
    #expect(nodes.completion != nil)
  }

  @Test("bufferToggle: each opening collects what a hot source sends until its closing")
  func toggle() {
    let (source, openings, closings) = (Subject<Int, Never>(), Subject<Int, Never>(), Subject<Int, Never>())
    let closing = { @Sendable (opening: Int) in closings.filter { $0 == opening } }
    let buffers = Recorder(openings.flatMap { source.take(until: closing($0)).collect() })
    source.send(0)
    openings.send(1)
    source.send(1)
    openings.send(2)
    source.send(2)
    closings.send(1)
    source.send(3)
    closings.send(2)
    source.send(4)
    #expect(buffers.values == [[1, 2], [2, 3]])
  }
}
