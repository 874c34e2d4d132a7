// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Drops all values, and forwards only the terminal event, on the thread on which the source ends. Buffers
  /// nothing. The result is a signal of `Never`, or of another type of value where the context says so, such
  /// as that of a signal with which it is merged.
  ///
  /// ReactiveObjC: `-ignoreValues`.
  @inlinable @inline(__always)
  public func ignoreValues() -> Signal<Never, Failure> { compactMap { _ in nil } }

  /// The same as a signal of another type of value. Not preferred: what the result is used for would decide
  /// the type of values of the source, such as that of a task.
  ///
  /// ReactiveObjC: `-ignoreValues`.
  @_disfavoredOverload @_documentation(visibility: internal)
  @inlinable @inline(__always)
  public func ignoreValues<Output>() -> Signal<Output, Failure> { compactMap { _ in nil } }
}
