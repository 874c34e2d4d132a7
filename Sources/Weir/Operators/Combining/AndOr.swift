// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible where Value == Bool {
  /// Sends whether the newest values of this signal, `other` and `others` are all true, each time one of them
  /// sends a value, once all have sent one.
  ///
  /// All must have the failure type of this signal (see ``setFailureType(to:)``), but a single `other` may be
  /// one that cannot fail. Threads, completion, failure and memory are those of ``combineLatest(with:)``.
  /// ReactiveObjC: `-and`, on a signal of tuples.
  @inlinable
  public func and(
    _ other: some SignalConvertible<Bool, Failure>, _ others: any SignalConvertible<Bool, Failure>...
  ) -> Signal<Bool, Failure> {
    row(of: beside(other, others)) {
      LatestRun($0, shaped: BooleanRow($0.count, .all), trigger: .all, to: $1)
    }
  }

  /// The same as ``and(_:_:)``, for an `other` that cannot fail.
  ///
  /// ReactiveObjC: `-and`, on a signal of tuples.
  @_disfavoredOverload @_documentation(visibility: internal)
  @inlinable
  public func and(_ other: some SignalConvertible<Bool, Never>) -> Signal<Bool, Failure> {
    and(other.setFailureType(to: Failure.self))
  }

  /// Sends whether any of the newest values of this signal, `other` and `others` is true, each time one of
  /// them sends a value, once all have sent one.
  ///
  /// All must have the failure type of this signal (see ``setFailureType(to:)``), but a single `other` may be
  /// one that cannot fail. Threads, completion, failure and memory are those of ``combineLatest(with:)``.
  /// ReactiveObjC: `-or`, on a signal of tuples.
  @inlinable
  public func or(
    _ other: some SignalConvertible<Bool, Failure>, _ others: any SignalConvertible<Bool, Failure>...
  ) -> Signal<Bool, Failure> {
    row(of: beside(other, others)) {
      LatestRun($0, shaped: BooleanRow($0.count, .any), trigger: .all, to: $1)
    }
  }

  /// The same as ``or(_:_:)``, for an `other` that cannot fail.
  ///
  /// ReactiveObjC: `-or`, on a signal of tuples.
  @_disfavoredOverload @_documentation(visibility: internal)
  @inlinable
  public func or(_ other: some SignalConvertible<Bool, Never>) -> Signal<Bool, Failure> {
    or(other.setFailureType(to: Failure.self))
  }
}

/// One Boolean for each signal, combined by a rule: that needs no array.
@frozen @usableFromInline
struct BooleanRow: Row {
  @frozen @usableFromInline enum Rule: Sendable { case all, any }

  @usableFromInline let count: Int
  @usableFromInline let rule: Rule
  @usableFromInline var stride: Int { count }
  @usableFromInline var alignment: Int { 1 }

  @inlinable
  init(_ count: Int, _ rule: Rule) {
    self.count = count
    self.rule = rule
  }

  @inlinable
  func read(_ row: UnsafeMutableRawPointer) -> Bool {
    let values = UnsafeBufferPointer(start: row.assumingMemoryBound(to: Bool.self), count: count)
    return switch rule {
    case .all: !values.contains(false)
    case .any: values.contains(true)
    }
  }

  @inlinable
  func take(_ row: UnsafeMutableRawPointer) -> Bool { read(row) }
}
