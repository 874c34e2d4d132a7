// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// What happens on one subscription, with times and values: what a diagram says, or what a recorder saw.
struct Timeline<Value: Sendable, Failure: Error> {
  /// What can happen.
  enum Happening {
    case subscribed
    case value(Value)
    /// Nil stands for any error.
    case failed(Failure?)
    case completed
    case disposed
  }

  var happenings: [(time: Duration, what: Happening)] = []
  /// What the characters of a diagram stand for.
  var characters: [(character: Character, value: Value)] = []

  /// The error, if there is a failure whose error is known.
  var failure: Failure? {
    for case (_, .failed(let error?)) in happenings { return error }
    return nil
  }

  /// The timeline of a diagram.
  init(
    _ diagram: String, tick: Duration, values: MarbleValues<Value>, failure: Failure?
  ) throws(MarbleError) {
    requireTick(tick)
    let marks = try Marbles(diagram).marks
    for (index, placed) in marks.enumerated() {
      let what: Happening
      switch placed.mark {
      case .subscribed: what = .subscribed
      case .failed: what = .failed(failure)
      case .completed: what = .completed
      case .disposed: what = .disposed
      case .value(let character):
        guard let value = values.value(character) else {
          throw MarbleError(
            diagram: diagram, mark: index, found: "'\(character)' stands for no \(Value.self)",
            remedy: "give it a value in `values:`, or use a character that has one")
        }
        what = .value(value)
        characters.append((character, value))
      }
      happenings.append((instant(ofTick: placed.tick, tick), what))
    }
  }

  /// The timeline of recorded events.
  init(_ recorded: [Recorded<Value, Failure>]) {
    happenings = recorded.map { recorded in
      switch recorded.event {
      case .next(let value): (recorded.time, .value(value))
      case .failed(let error): (recorded.time, .failed(error))
      case .completed: (recorded.time, .completed)
      }
    }
  }
}

extension Timeline.Happening {
  func isAlike(_ other: Self) -> Bool {
    switch (self, other) {
    case (.subscribed, .subscribed), (.completed, .completed), (.disposed, .disposed): true
    case (.value(let left), .value(let right)): WeirTesting.isAlike(left, right)
    case (.failed(let left?), .failed(let right?)): WeirTesting.isAlike(left, right)
    case (.failed, .failed): true
    default: false
    }
  }
}

extension MarbleError {
  /// An error at the mark with this index among the marks of the diagram.
  init(diagram: String, mark index: Int, found: String, remedy: String) {
    let positions = diagram.enumerated().filter { !"-() ".contains($0.element) }.map(\.offset)
    self.init(diagram: diagram, position: positions[index] + 1, found: found, remedy: remedy)
  }
}

extension Array {
  /// The events of a diagram, in the order of their times. Throws a ``MarbleError`` if the diagram is
  /// malformed, or shows anything but events.
  ///
  /// - Parameters:
  ///   - diagram: see ``Marbles``; without `^` and `!`.
  ///   - tick: the time from one character to the next.
  ///   - values: which character stands for which value.
  ///   - failure: what `#` stands for; by default ``TestFailure``, if the signal can fail with it.
  public init<Value: Sendable, Failure: Error>(
    marbles diagram: String, tick: Duration = .seconds(1), values: MarbleValues<Value> = .automatic,
    failure: Failure? = nil
  ) throws(MarbleError) where Element == Recorded<Value, Failure> {
    if let index = diagram.firstIndex(where: { "^!".contains($0) }) {
      throw MarbleError(
        diagram: diagram, position: diagram.distance(from: diagram.startIndex, to: index) + 1,
        found: "'\(diagram[index])', which is about a subscription, in the diagram of a source's events",
        remedy: """
          remove it; to subscribe later or dispose earlier, pass the interval to the recorder: \
          `during: SubscriptionInterval("--^---!")`
          """)
    }
    let timeline = try Timeline(
      diagram, tick: tick, values: values, failure: failure ?? TestFailure() as? Failure)
    self.init()
    for (index, (time, what)) in timeline.happenings.enumerated() {
      switch what {
      case .value(let value): append(Recorded(time, .next(value)))
      case .completed: append(Recorded(time, .completed))
      case .failed(let error?): append(Recorded(time, .failed(error)))
      case .failed(nil):
        throw MarbleError(
          diagram: diagram, mark: index, found: "'#', a failure for which no error was given",
          remedy: Failure.self == Never.self ? "this signal cannot fail: remove it" : "pass it as `failure:`")
      case .subscribed, .disposed: continue  // refused above
      }
    }
  }
}
