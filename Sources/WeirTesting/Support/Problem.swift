// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What is wrong, in words. Checks of the test kit answer one, or nil if all is well, so that any framework
/// can show it:
///
/// ```swift
/// #expect(recorder.difference(from: "-a-b|") == nil)     // Swift Testing
/// XCTAssertNil(recorder.difference(from: "-a-b|"))       // XCTest
/// ```
public struct Problem: Error, Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  /// The words, in one line or several.
  public let description: String
  /// The same, beginning on a line of its own, so that diagrams below each other stay aligned behind what a
  /// framework puts before it.
  public var debugDescription: String { "\n" + description + "\n" }

  /// A problem described as `description`.
  public init(_ description: String) { self.description = description }
}
