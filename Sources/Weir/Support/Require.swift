// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Stops the process with a message if a caller has not kept to what is documented. Not `precondition`, whose
/// message a release build does not print.
///
/// - Parameter message: names the call, its argument, and what is wrong with that.
@inlinable @inline(__always)
package func require(
  _ condition: Bool, _ message: @autoclosure () -> String, file: StaticString = #file, line: UInt = #line
) {
  if !condition { refuse(message, file, line) }
}

/// Not inlined, so that a call of ``require(_:_:file:line:)`` is a comparison and a branch.
@usableFromInline @inline(never)
package func refuse(_ message: () -> String, _ file: StaticString, _ line: UInt) -> Never {
  fatalError(message(), file: file, line: line)
}
