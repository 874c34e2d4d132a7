// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

extension TimedRecorder {
  /// What was recorded, as a marble diagram; below it, what its characters stand for and what does not fit
  /// into it.
  ///
  /// - Parameters:
  ///   - tick: the time of one character. Events between two ticks are listed below the line.
  ///   - values: which character stands for which value. Others get a letter.
  public func marbles(tick: Duration = .seconds(1), values: MarbleValues<Value> = .automatic) -> String {
    var drawing = Drawing<Value, Failure>(tick: tick, values: values)
    let (marbles, rest) = drawing.draw(Timeline(recorded))
    return ([marbles.description] + drawing.legend + rest).joined(separator: "\n")
  }

  /// How what was recorded differs from a diagram; nil if it does not. The problem shows both below each
  /// other, and says what `#` stands for if that differs.
  ///
  /// Values are compared by `==` where they have it, other objects by identity, and everything else, such as
  /// tuples, by description; of optionals, what is inside. If there is a `^` in the diagram, the instant of
  /// the subscription is compared as well, and if there is a `^` or a `!`, that of the disposal. A bad
  /// diagram is a problem, too.
  ///
  /// - Parameters:
  ///   - diagram: what is expected; see ``Marbles``.
  ///   - tick: the time from one character to the next.
  ///   - values: which character stands for which value.
  ///   - failure: what `#` stands for; any error, unless given.
  public func difference(
    from diagram: String, tick: Duration = .seconds(1), values: MarbleValues<Value> = .automatic,
    failure: Failure? = nil
  ) -> Problem? {
    do {
      let expected = try Timeline(diagram, tick: tick, values: values, failure: failure)
      let actual = timeline(withStart: diagram.contains("^"), withEnd: diagram.contains { "^!".contains($0) })
      return firstDifference(expected, actual).map { time in
        describe(time, expected, actual, in: Drawing(tick: tick, values: values))
      }
    } catch { return Problem("\(error)") }
  }

  /// How what was recorded differs from a list of events; nil if it does not. The problem shows both as
  /// diagrams.
  ///
  /// - Parameters:
  ///   - events: what is expected.
  ///   - tick: the time of one character in the diagrams.
  public func difference(
    from events: [Recorded<Value, Failure>], tick: Duration = .seconds(1)
  ) -> Problem? {
    let (expected, actual) = (Timeline(events), Timeline(recorded))
    return firstDifference(expected, actual).map { time in
      describe(time, expected, actual, in: Drawing(tick: tick, values: .automatic))
    }
  }

  private func timeline(withStart: Bool, withEnd: Bool) -> Timeline<Value, Failure> {
    var timeline = Timeline(recorded)
    guard let interval else { return timeline }
    if withStart { timeline.happenings.insert((interval.start, .subscribed), at: 0) }
    if withEnd, completion == nil, let end = interval.end { timeline.happenings.append((end, .disposed)) }
    return timeline
  }

  private func firstDifference(
    _ expected: Timeline<Value, Failure>, _ actual: Timeline<Value, Failure>
  ) -> Duration? {
    let (left, right) = (expected.happenings, actual.happenings)
    for index in 0..<max(left.count, right.count) {
      guard index < left.count else { return right[index].time }
      guard index < right.count else { return left[index].time }
      if left[index].time != right[index].time { return min(left[index].time, right[index].time) }
      if !left[index].what.isAlike(right[index].what) { return left[index].time }
    }
    return nil
  }

  private func describe(
    _ time: Duration, _ expected: Timeline<Value, Failure>, _ actual: Timeline<Value, Failure>,
    in drawing: Drawing<Value, Failure>
  ) -> Problem {
    var drawing = drawing
    let drawn = [drawing.draw(expected), drawing.draw(actual)]
    let (lines, columns) = aligned(drawn.map(\.marbles))
    var text = ["not what was expected, from \(time) on", "expected: " + lines[0], "actual:   " + lines[1]]
    if let tick = drawing.tick(at: time), tick < columns.count {
      text.append(String(repeating: " ", count: 10 + columns[tick]) + "^")
    }
    text += drawing.legend
    if lines.contains(where: { $0.contains("#") }) { text += failureLegend(expected, actual) }
    text += drawn[0].rest.map { "expected, not in the line: " + $0 }
    text += drawn[1].rest.map { "actual, not in the line: " + $0 }
    return Problem(text.joined(separator: "\n"))
  }

  /// What `#` stands for, if there are two errors: they look alike in the diagrams.
  private func failureLegend(
    _ expected: Timeline<Value, Failure>, _ actual: Timeline<Value, Failure>
  ) -> [String] {
    guard let wanted = expected.failure, let found = actual.failure, !isAlike(wanted, found)
    else { return [] }
    return ["# = \(wanted), was \(found)"]
  }
}
