// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// A picture of what an operator does: the lines of its sources, a box with its name, and the lines of what
/// it sends. ``svg`` draws it.
///
/// Fill it from a run in virtual time, so that it shows what the operator really does:
///
/// ```swift
/// let source = try HotSignal<Int, Never>("-1-2-3-|", on: scheduler)
/// let recorder = TimedRecorder(source.map { $0 * 10 }, on: scheduler)
/// scheduler.run()
/// let picture = MarbleDiagram("map { $0 * 10 }", sources: [source.lane()], results: [recorder.lane()])
/// try picture.svg.write(toFile: "map.svg", atomically: true, encoding: .utf8)
/// ```
///
/// ReactiveObjC has none.
public struct MarbleDiagram: Sendable {
  /// The text in the box.
  public var name: String
  /// The lines above the box.
  public var sources: [Lane]
  /// The lines below it.
  public var results: [Lane]

  /// A picture of these lines.
  public init(_ name: String, sources: [Lane], results: [Lane]) {
    self.name = name
    self.sources = sources
    self.results = results
  }

  /// A line of time with the events on it.
  public struct Lane: Sendable {
    /// What a mark looks like.
    public enum Kind: Sendable {
      /// A marble with its text.
      case value
      /// A bar.
      case completed
      /// A cross.
      case failed
    }

    /// An event on the line.
    public struct Mark: Sendable {
      /// The distance from the left end in ticks; need not be a whole number.
      public var tick: Double
      /// What it looks like.
      public var kind: Kind
      /// The text in the marble.
      public var text: String
      /// A mark of this kind, `tick` ticks from the left end.
      public init(tick: Double, kind: Kind, text: String = "") {
        self.tick = tick
        self.kind = kind
        self.text = text
      }
    }

    /// The text before the line.
    public var label: String
    /// All marks, in order.
    public var marks: [Mark]
    /// Where the line starts, in ticks.
    public var beginning: Double
    /// From when until when there is a subscriber, in ticks; everything outside is drawn faintly. Nil if
    /// there always is one.
    public var listening: ClosedRange<Double>?

    /// A line with these marks.
    ///
    /// - Parameters:
    ///   - label: the text before the line.
    ///   - marks: the marks on it, in order.
    ///   - beginning: where it starts, in ticks.
    ///   - listening: from when until when there is a subscriber, in ticks; nil if there always is one.
    public init(
      _ label: String = "", marks: [Mark], beginning: Double = 0, listening: ClosedRange<Double>? = nil
    ) {
      self.label = label
      self.marks = marks
      self.beginning = beginning
      self.listening = listening
    }
  }
}

extension MarbleDiagram.Lane {
  /// A line with these events.
  ///
  /// - Parameters:
  ///   - label: the text before the line.
  ///   - events: the events on it.
  ///   - beginning: where the line starts; the times of the events count from there.
  ///   - interval: from when until when there is a subscriber; nil if there always is one.
  ///   - tick: the time from one tick to the next.
  ///   - text: the text in the marble of a value.
  /// - Precondition: `tick` is positive, and the interval does not end before it starts.
  public init<Value, Failure>(
    _ label: String = "", _ events: [Recorded<Value, Failure>], beginning: Duration = .zero,
    listening interval: SubscriptionInterval? = nil, tick: Duration = .seconds(1),
    text: (Value) -> String = { "\($0)" }
  ) {
    requireTick(tick)
    if let interval, let end = interval.end {
      require(
        interval.start <= end, "weir: a lane with a subscriber from \(interval.start) until \(end): swap them"
      )
    }
    self.init(
      label,
      marks: events.map { recorded in
        let at = beginning.adding(recorded.time) / tick
        return switch recorded.event {
        case .next(let value): Mark(tick: at, kind: .value, text: text(value))
        case .completed: Mark(tick: at, kind: .completed, text: "")
        case .failed: Mark(tick: at, kind: .failed, text: "")
        }
      },
      beginning: beginning / tick,
      listening: interval.map { $0.start / tick...($0.end.map { $0 / tick } ?? .infinity) })
  }
}
