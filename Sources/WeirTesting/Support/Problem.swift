// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What is wrong, in words. The checks of the test kit return one, or nil if all is well, so that any test
/// framework can show it:
///
/// ```swift
/// #expect(recorder.difference(from: "-a-b|") == nil)     // Swift Testing
/// XCTAssertNil(recorder.difference(from: "-a-b|"))       // XCTest
/// ```
///
/// ReactiveObjC has none.
public struct Problem: Error, Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  /// The description, in one line or several.
  public let description: String
  /// The same, starting on a new line, so that diagrams stay aligned whatever a framework prints before it.
  public var debugDescription: String { "\n" + description + "\n" }

  /// A problem described as `description`.
  public init(_ description: String) { self.description = description }
}
