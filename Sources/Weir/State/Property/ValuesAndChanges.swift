// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A value of a property, with the one that the same observer got before it.
///
/// ReactiveObjC: the tuple of `-rac_valuesAndChangesForKeyPath:options:observer:`.
@frozen
public struct PropertyChange<Value> {
  /// The value before it: what the observer got last or, with ``InitialValue/excluded``, found when it
  /// subscribed. Nil only for the value that ``InitialValue/included`` adds.
  public let old: Value?
  /// What it gets now.
  public let new: Value

  /// Creates a change, for a test of what handles changes.
  @inlinable
  public init(from old: Value?, to new: Value) {
    self.old = old
    self.new = new
  }
}

extension PropertyChange: Sendable where Value: Sendable {}
extension PropertyChange: Equatable where Value: Equatable {}
extension PropertyChange: Hashable where Value: Hashable {}

/// Whether an observer of changes also gets the value that it finds when it subscribes.
///
/// ReactiveObjC: `NSKeyValueObservingOptionInitial`, or its absence.
@frozen
public enum InitialValue: Sendable {
  /// The first thing that it gets is the first change.
  case excluded
  /// It gets the value it finds, at once, with `old` nil.
  case included
}

extension PropertyProtocol {
  /// The changes of the property, each with the value before and after it.
  ///
  /// The `old` of each is the `new` of the one before, also where the property had values in between that
  /// this observer missed because sets met. Setting an equal value is a change. Delivers and completes as
  /// ``signal`` does, and buffers nothing but the last value.
  ///
  /// ReactiveObjC: `-rac_valuesAndChangesForKeyPath:options:observer:`, with
  /// `NSKeyValueObservingOptionInitial` for ``InitialValue/included``.
  @inlinable
  public func valuesAndChanges(_ initial: InitialValue = .excluded) -> Signal<PropertyChange<Value>, Never> {
    let changes = signal.map(Optional.some).combinePrevious(nil)
      .compactMap { pair in pair.current.map { PropertyChange(from: pair.previous, to: $0) } }
    return switch initial {
    case .included: changes
    case .excluded: changes.skip(first: 1)
    }
  }
}
