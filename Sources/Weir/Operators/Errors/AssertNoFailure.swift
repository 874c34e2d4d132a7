// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Treats a failure as a programming error: it stops the process, in all builds, with a message that names
  /// the error and the place of the call. The returned signal cannot fail.
  ///
  /// Values and completion pass through, and a value costs nothing. Buffers nothing. A failure after disposal
  /// is ignored. ReactiveObjC has no such operator.
  ///
  /// - Parameters:
  ///   - fileID: the place that the message names, with `line`.
  ///   - line: see `fileID`.
  @inlinable @inline(__always)
  public func assertNoFailure(fileID: StaticString = #fileID, line: UInt = #line) -> Signal<Value, Never> {
    mapError { trapOnFailure($0, fileID: fileID, line: line) }
  }
}

@usableFromInline
func trapOnFailure(_ error: any Error, fileID: StaticString, line: UInt) -> Never {
  fatalError(
    "weir: assertNoFailure at \(fileID):\(line): the signal failed with \(error) (handle failures upstream, for example with catch)",
    file: fileID, line: line)
}
