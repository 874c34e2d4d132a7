// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A mistake in a marble diagram: where it is, what was found there, and what to do.
///
/// ```
/// bad marble diagram, character 3: ')' closes no group
///   -a)b-|
///     ^
/// remove it, or put '(' before the first of the events that come together
/// ```
///
/// ReactiveObjC has none.
public struct MarbleError: Error, Hashable, CustomStringConvertible {
  /// The diagram as it was given.
  public let diagram: String
  /// The position of the wrong character, counted from 1; spaces count. The position after the last one if
  /// something is missing.
  public let position: Int
  /// What was found.
  public let found: String
  /// What to do about it.
  public let remedy: String

  /// The whole message, with the position marked.
  public var description: String {
    """
    bad marble diagram, character \(position): \(found)
      \(diagram)
      \(String(repeating: " ", count: position - 1))^
    \(remedy)
    """
  }
}
