// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// An event that broke a rule of signals; see ``Grammar``.
///
/// ReactiveObjC has none.
public struct GrammarViolation: Hashable, Sendable {
  /// The rules.
  @nonexhaustive
  public enum Rule: Sendable {
    /// An event came inside the handler of another one, on the same thread.
    case nested
    /// An event came while another thread was delivering one.
    case overlapping
    /// An event came after the terminal event.
    case afterEnd
    /// An event came on a thread after `dispose()` had returned there.
    case afterDisposal
  }

  /// The kinds of events.
  @nonexhaustive
  public enum Kind: Sendable {
    /// A value.
    case value
    /// The end with an error.
    case failure
    /// The end without an error.
    case completion
  }

  /// Which event of a subscription, and on which thread it came.
  public struct Place: Hashable, Sendable {
    /// Its number, counted from 1.
    public let event: Int
    /// The number of the thread, which no other one has at the same time.
    public let thread: UInt64
  }

  /// Which rule was broken.
  public let rule: Rule
  /// The kind of the event.
  public let kind: Kind
  /// The event, and its thread.
  public let place: Place
  /// The event that it came during or after: the one that was being delivered, or the terminal one. Nil after
  /// a disposal, and where it is not known: because its delivery was just starting or ending, or because the
  /// terminal event itself came during another one.
  public let other: Place?

  init(_ rule: Rule, _ kind: Kind, _ place: Place, _ other: Place?) {
    self.rule = rule
    self.kind = kind
    self.place = place
    self.other = other
  }
}

extension GrammarViolation: CustomStringConvertible {
  /// The violation in one line.
  public var description: String {
    let event = "event \(place.event) (\(kind)) came on thread \(String(place.thread, radix: 16))"
    let met = other.map { other in
      let thread = "on thread \(String(other.thread, radix: 16))"
      return rule == .afterEnd
        ? " after event \(other.event) had ended the signal \(thread)"
        : " while event \(other.event) was being delivered \(thread)"
    }
    return event + (met ?? "") + ": " + command
  }

  private var command: String {
    switch rule {
    case .nested: "events must not come inside each other"
    case .overlapping: "events must come one at a time"
    case .afterEnd: "nothing may come after the terminal event"
    case .afterDisposal: "nothing may come on a thread that has disposed the subscription"
    }
  }
}
