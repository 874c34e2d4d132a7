// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// The interval from the start of a subscription until its end.
///
/// ReactiveObjC has none.
public struct SubscriptionInterval: Hashable, Sendable {
  /// When it started.
  public var start: Duration
  /// When it ended, by a terminal event or by disposal; nil if it has not.
  public var end: Duration?

  /// A subscription from `start` until `end`, if any.
  ///
  /// - Precondition: `end` is not before `start`.
  public init(start: Duration, end: Duration? = nil) {
    if let end {
      require(
        start <= end,
        "weir: SubscriptionInterval(start: \(start), end: \(end)): it ends before it begins; swap the two")
    }
    self.start = start
    self.end = end
  }

  /// The interval that a diagram such as `"--^---!"` shows: started at tick 2, ended at tick 6. Without `!`
  /// it has no end. Throws a ``MarbleError`` if the diagram is malformed, contains an event, or has no `^`.
  ///
  /// - Parameters:
  ///   - diagram: see ``Marbles``; only `-`, `^`, `!`, and a group of the two.
  ///   - tick: the time from one character to the next.
  /// - Precondition: `tick` is positive.
  public init(_ diagram: String, tick: Duration = .seconds(1)) throws(MarbleError) {
    requireTick(tick)
    var start: Duration?
    var end: Duration?
    for (index, placed) in try Marbles(diagram).marks.enumerated() {
      switch placed.mark {
      case .subscribed: start = instant(ofTick: placed.tick, tick)
      case .disposed: end = instant(ofTick: placed.tick, tick)
      case .value, .failed, .completed:
        throw MarbleError(
          diagram: diagram, mark: index,
          found: "'\(placed.mark.character)', an event, in the diagram of a subscription",
          remedy: "write '^' where the subscription begins and '!' where it ends, whatever ends it")
      }
    }
    guard let start else {
      throw MarbleError(
        diagram: diagram, position: diagram.count + 1,
        found: "no '^', which marks the start of the subscription",
        remedy: "write '^' where the subscription starts")
    }
    self.init(start: start, end: end)
  }

  /// The interval as a diagram such as `"--^---!"`; in words if an instant is between two ticks, or after the
  /// first 160 ticks.
  public func marbles(tick: Duration = .seconds(1)) -> String {
    let drawing = Drawing<Never, Never>([], tick: tick, values: MarbleValues { _ in nil })
    guard let first = drawing.tick(at: start) else { return words }
    guard let end else { return Marbles([.init(first, .subscribed)]).description }
    guard let last = drawing.tick(at: end) else { return words }
    return Marbles([.init(first, .subscribed), .init(last, .disposed)]).description
  }

  private var words: String { "from \(start) " + (end.map { "until \($0)" } ?? "on") }
}

extension SubscriptionInterval: CustomStringConvertible {
  /// The interval as a diagram with one character a second, or in words.
  public var description: String { marbles() }
}
