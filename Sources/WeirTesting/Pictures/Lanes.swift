// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

extension HotSignal {
  /// All its events on one line of a picture. If it had one subscription, what is outside is drawn faintly.
  ///
  /// - Parameters:
  ///   - label: what stands before the line.
  ///   - tick: the time from one tick to the next.
  ///   - text: what stands in the marble of a value.
  public func lane(
    _ label: String = "", tick: Duration = .seconds(1), text: (Value) -> String = { "\($0)" }
  ) -> MarbleDiagram.Lane {
    MarbleDiagram.Lane(
      label, events, listening: subscriptions.count == 1 ? subscriptions.first : nil, tick: tick, text: text)
  }
}

extension ColdSignal {
  /// A line of a picture for each subscription, beginning there. What it did not get any more is drawn
  /// faintly.
  ///
  /// - Parameters:
  ///   - label: what stands before the first line.
  ///   - tick: the time from one tick to the next.
  ///   - text: what stands in the marble of a value.
  public func lanes(
    _ label: String = "", tick: Duration = .seconds(1), text: (Value) -> String = { "\($0)" }
  ) -> [MarbleDiagram.Lane] {
    subscriptions.enumerated().map { index, interval in
      MarbleDiagram.Lane(
        index == 0 ? label : "", events, listening: interval, beginning: interval.start, tick: tick,
        text: text)
    }
  }
}

extension TimedRecorder {
  /// What was recorded, on one line of a picture, which begins with the subscription.
  ///
  /// - Parameters:
  ///   - label: what stands before the line.
  ///   - tick: the time from one tick to the next.
  ///   - text: what stands in the marble of a value.
  public func lane(
    _ label: String = "", tick: Duration = .seconds(1), text: (Value) -> String = { "\($0)" }
  ) -> MarbleDiagram.Lane {
    var lane = MarbleDiagram.Lane(label, recorded, tick: tick, text: text)
    lane.beginning = (interval?.start ?? .zero) / tick
    return lane
  }
}
