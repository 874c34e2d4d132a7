// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension HotSignal {
  /// All its events on one line of a picture. If it had exactly one subscription, everything outside it is
  /// drawn faintly.
  ///
  /// - Parameters:
  ///   - label: the text before the line.
  ///   - tick: the time from one tick to the next.
  ///   - text: the text in the marble of a value.
  public func lane(
    _ label: String = "", tick: Duration = .seconds(1), text: (Value) -> String = { "\($0)" }
  ) -> MarbleDiagram.Lane {
    MarbleDiagram.Lane(
      label, events, listening: subscriptions.count == 1 ? subscriptions.first : nil, tick: tick, text: text)
  }
}

extension ColdSignal {
  /// One line of a picture for each subscription, starting when it does. Events that it no longer got are
  /// drawn faintly.
  ///
  /// - Parameters:
  ///   - label: the text before the first line.
  ///   - tick: the time from one tick to the next.
  ///   - text: the text in the marble of a value.
  public func lanes(
    _ label: String = "", tick: Duration = .seconds(1), text: (Value) -> String = { "\($0)" }
  ) -> [MarbleDiagram.Lane] {
    subscriptions.enumerated().map { index, interval in
      MarbleDiagram.Lane(
        index == 0 ? label : "", events, beginning: interval.start, listening: interval, tick: tick,
        text: text)
    }
  }
}

extension TimedRecorder {
  /// The recorded events on one line of a picture, which starts at the subscription.
  ///
  /// - Parameters:
  ///   - label: the text before the line.
  ///   - tick: the time from one tick to the next.
  ///   - text: the text in the marble of a value.
  public func lane(
    _ label: String = "", tick: Duration = .seconds(1), text: (Value) -> String = { "\($0)" }
  ) -> MarbleDiagram.Lane {
    var lane = MarbleDiagram.Lane(label, events, tick: tick, text: text)
    lane.beginning = (interval?.start ?? .zero) / tick
    return lane
  }
}
