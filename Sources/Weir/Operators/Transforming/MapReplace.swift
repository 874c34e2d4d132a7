// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends `replacement` for each value. Terminal events pass through. Runs on the sending thread; buffers
  /// nothing.
  ///
  /// ReactiveObjC: `-mapReplace:`.
  @inlinable @inline(__always)
  public func mapReplace<Output: Sendable>(_ replacement: Output) -> Signal<Output, Failure> {
    map { _ in replacement }
  }
}
