// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// A picture of an operator for the articles, drawn from a run of that operator.
struct Picture: Sendable, CustomTestStringConvertible {
  typealias Failure = TestFailure

  /// The name of its file in the catalog, without `marbles-` and the extension.
  let file: String
  /// Runs the operator, and draws what happened.
  let draw: @Sendable () throws -> MarbleDiagram

  var testDescription: String { file }

  /// An operator with one source of numbers.
  static func one<Output: Sendable>(
    _ file: String, _ name: String, _ source: String,
    text: @escaping @Sendable (Output) -> String = { "\($0)" },
    _ apply: @escaping @Sendable (HotSignal<Int, Failure>, VirtualScheduler) -> Signal<Output, Failure>
  ) -> Picture {
    Picture(file: file) {
      let scheduler = VirtualScheduler()
      let source = try HotSignal<Int, Failure>(source, on: scheduler)
      let recorder = TimedRecorder(apply(source, scheduler), on: scheduler)
      scheduler.advance(by: .seconds(40))
      return MarbleDiagram(name, sources: [source.lane()], results: [recorder.lane(text: text)])
    }
  }

  /// An operator with a source of numbers and one of letters.
  static func two<Output: Sendable>(
    _ file: String, _ name: String, _ first: String, _ second: String,
    text: @escaping @Sendable (Output) -> String = { "\($0)" },
    _ apply:
      @escaping @Sendable (HotSignal<Int, Failure>, HotSignal<String, Failure>) -> Signal<Output, Failure>
  ) -> Picture {
    Picture(file: file) {
      let scheduler = VirtualScheduler()
      let first = try HotSignal<Int, Failure>(first, on: scheduler)
      let second = try HotSignal<String, Failure>(second, on: scheduler)
      let recorder = TimedRecorder(apply(first, second), on: scheduler)
      scheduler.advance(by: .seconds(40))
      return MarbleDiagram(
        name, sources: [first.lane(), second.lane()], results: [recorder.lane(text: text)])
    }
  }

  /// An operator that runs cold signals: a line for each run.
  static func runs<Output: Sendable>(
    _ file: String, _ name: String, _ diagrams: [String],
    _ apply: @escaping @Sendable ([ColdSignal<Int, Failure>]) -> Signal<Output, Failure>
  ) -> Picture {
    Picture(file: file) {
      let scheduler = VirtualScheduler()
      let sources = try diagrams.map { try ColdSignal<Int, Failure>($0, on: scheduler) }
      let recorder = TimedRecorder(apply(sources), on: scheduler)
      scheduler.advance(by: .seconds(40))
      return MarbleDiagram(name, sources: sources.flatMap { $0.lanes() }, results: [recorder.lane()])
    }
  }

  /// An operator that makes a cold signal, `a-b|` or the like, of each number.
  static func flattening(
    _ file: String, _ name: String, _ source: String, inner: String,
    _ apply:
      @escaping @Sendable (
        HotSignal<Int, Failure>, @escaping @Sendable (Int) -> Signal<String, Failure>
      ) -> Signal<String, Failure>
  ) -> Picture {
    Picture(file: file) {
      let scheduler = VirtualScheduler()
      let source = try HotSignal<Int, Failure>(source, on: scheduler)
      let letters = try ColdSignal<String, Failure>(inner, on: scheduler)
      let result = apply(source) { number in letters.map { "\(number)\($0)" } }
      let recorder = TimedRecorder(result, on: scheduler)
      scheduler.advance(by: .seconds(40))
      return MarbleDiagram(
        name, sources: [source.lane()] + letters.lanes("of each"), results: [recorder.lane()])
    }
  }

  /// An operator that sends signals: a line for each of them.
  static func windows(
    _ file: String, _ name: String, _ source: String,
    _ apply:
      @escaping @Sendable (HotSignal<Int, Failure>, VirtualScheduler) -> Signal<Signal<Int, Failure>, Failure>
  ) -> Picture {
    Picture(file: file) {
      let scheduler = VirtualScheduler()
      let source = try HotSignal<Int, Failure>(source, on: scheduler)
      let windows = Box<[TimedRecorder<Int, Failure>]>([])
      let subscription = apply(source, scheduler).subscribe(
        next: { windows.value.append(TimedRecorder($0, on: scheduler)) }, failed: { _ in })
      scheduler.advance(by: .seconds(40))
      subscription.dispose()
      return MarbleDiagram(name, sources: [source.lane()], results: windows.value.map { $0.lane() })
    }
  }
}
