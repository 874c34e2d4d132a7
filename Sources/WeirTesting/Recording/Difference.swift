// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension TimedRecorder {
  /// The recorded events as a marble diagram; below it, what its characters stand for and which events do not
  /// fit into it. If one of them is at tick 160 or later, the line is empty, and all are listed.
  ///
  /// - Parameters:
  ///   - tick: the time of one character. Events between two ticks are listed below the line.
  ///   - values: which character stands for which value. Other values get a letter.
  public func marbles(tick: Duration = .seconds(1), values: MarbleValues<Value> = .automatic) -> String {
    let timeline = Timeline(events)
    var drawing = Drawing([timeline], tick: tick, values: values)
    let (marbles, rest) = drawing.draw(timeline)
    return ([marbles.description] + drawing.legend + rest).joined(separator: "\n")
  }

  /// How the recorded events differ from a diagram; nil if they do not. The problem shows both, one below the
  /// other, and says what `#` stands for if the errors differ.
  ///
  /// Values are compared by `==` if they are `Equatable`, other objects by identity, and everything else,
  /// such as tuples, by description; optionals by their contents. With `^` in the diagram, the start is
  /// compared; with `^` or `!`, the disposal. A malformed diagram is a problem, too.
  ///
  /// - Parameters:
  ///   - diagram: what is expected; see ``Marbles``.
  ///   - tick: the time from one character to the next.
  ///   - values: which character stands for which value.
  ///   - failure: what `#` stands for; any error if nil.
  public func difference(
    from diagram: String, tick: Duration = .seconds(1), values: MarbleValues<Value> = .automatic,
    failure: Failure? = nil
  ) -> Problem? {
    do {
      let expected = try Timeline(diagram, tick: tick, values: values, failure: failure)
      let actual = timeline(withStart: diagram.contains("^"), withEnd: diagram.contains { "^!".contains($0) })
      return firstDifference(expected, actual).map { time in
        describe(time, expected, actual, in: Drawing([expected, actual], tick: tick, values: values))
      }
    } catch { return Problem("\(error)") }
  }

  /// How the recorded events differ from a list of events; nil if they do not. The problem shows both as
  /// diagrams.
  ///
  /// - Parameters:
  ///   - events: what is expected.
  ///   - tick: the time of one character in the diagrams.
  public func difference(
    from events: [Recorded<Value, Failure>], tick: Duration = .seconds(1)
  ) -> Problem? {
    let (expected, actual) = (Timeline(events), Timeline(self.events))
    return firstDifference(expected, actual).map { time in
      describe(time, expected, actual, in: Drawing([expected, actual], tick: tick, values: .automatic))
    }
  }

  private func timeline(withStart: Bool, withEnd: Bool) -> Timeline<Value, Failure> {
    var timeline = Timeline(events)
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

  /// The two errors that `#` stands for, if they differ: they look alike in the diagrams.
  private func failureLegend(
    _ expected: Timeline<Value, Failure>, _ actual: Timeline<Value, Failure>
  ) -> [String] {
    guard let wanted = expected.failure, let found = actual.failure, !isAlike(wanted, found)
    else { return [] }
    return ["# = \(wanted), was \(found)"]
  }
}
