// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Recipes.md says of merging streams that are sorted.
struct SortedRecipeTests {
  private struct Line: Sendable, Equatable {
    var second: Int
    var machine: Int
  }

  private let sources = (0..<3).map { _ in Subject<Line, Oops>() }

  private func merged() -> Recorder<Line, Oops> {
    Recorder(Recipes().mergedInOrder(sources.map(\.signal)) { $0.second < $1.second })
  }

  private func send(_ second: Int, from machine: Int) {
    sources[machine].send(Line(second: second, machine: machine))
  }

  @Test("sorted streams become one, whatever comes first; equal values are in the order of the streams")
  func sorted() {
    for seed in 1...200 {
      let (sources, lines) = lines(seed: UInt64(seed))
      let recorder = Recorder(Recipes().mergedInOrder(sources.map(\.signal)) { $0.second < $1.second })
      var random = SplitMix64(seed: UInt64(seed))
      var left = lines.map { $0[...] }
      var open = Set(sources.indices)
      while let place = open.randomElement(using: &random) {
        if let line = left[place].popFirst() {
          sources[place].send(line)
        } else {
          sources[place].complete()
          open.remove(place)
        }
      }
      let wanted = lines.joined().sorted { ($0.second, $0.machine) < ($1.second, $1.machine) }
      #expect(recorder.values == wanted && recorder.completion == .completed, "seed \(seed)")
    }
  }

  private func lines(seed: UInt64) -> (sources: [Subject<Line, Oops>], lines: [[Line]]) {
    var random = SplitMix64(seed: seed &* 7)
    let lines = sources.indices.map { machine in
      (0..<Int.random(in: 0...5, using: &random)).map { _ in Int.random(in: 0...9, using: &random) }.sorted()
        .map { Line(second: $0, machine: machine) }
    }
    return (lines.map { _ in Subject() }, lines)
  }

  @Test("a value waits until every other stream has sent one, or has completed")
  func waiting() {
    let recorder = merged()
    send(1, from: 0)
    send(2, from: 1)
    #expect(recorder.values.isEmpty)
    send(5, from: 2)
    #expect(recorder.values.map(\.second) == [1])
    sources[0].complete()
    #expect(recorder.values.map(\.second) == [1, 2])
    sources[1].complete()
    #expect(recorder.values.map(\.second) == [1, 2, 5] && recorder.completion == nil)
    sources[2].complete()
    #expect(recorder.completion == .completed)
  }

  @Test("a failure is forwarded at once; without streams the result is empty")
  func ends() {
    let recorder = merged()
    send(1, from: 0)
    sources[1].fail(Oops(code: 2))
    #expect(recorder.events == [.failed(Oops(code: 2))] && sources[0].subscriberCount == 0)
    let none: [Signal<Line, Oops>] = []
    #expect(Recorder(Recipes().mergedInOrder(none) { $0.second < $1.second }).events == [.completed])
  }
}
