// Part of Weir. SPDX-License-Identifier: Apache-2.0

infix operator <-> : BindingPrecedence

extension MutableProperty {
  /// Keeps this property and `other` equal, whichever of them is set, and on whatever thread:
  /// `self <-> other`.
  ///
  /// At the start this property is set to the value of `other`, even if they are equal. From then on a change
  /// of either sets the other one, on the thread that made the change or on one that is already forwarding
  /// another change; the observers of the other one get the value once, and the property that was changed
  /// gets no echo. Where changes meet, one delivery may stand for several, and if both properties were
  /// changed, `other` wins: once nobody sets them any more, they are equal.
  ///
  /// Bindings can form chains, and one property can be bound to many. They must not close a circle, in which
  /// a value would be forwarded for ever; in debug builds that stops the process. A change runs through a
  /// chain as nested calls: a link takes up to 1 KB of stack, up to 5 KB in a debug build.
  ///
  /// The binding ends when the returned subscription is disposed, or when one of the properties is
  /// deallocated; the other one has taken over its last value by then. It retains neither property, and it
  /// does not end when the returned subscription is discarded. Buffers nothing.
  ///
  /// - Parameter other: the property whose value counts at the start.
  /// - Returns: disposing it ends the binding.
  /// - Precondition: `other` is not this property.
  ///
  /// ReactiveObjC: `RACChannelTo(…) = RACChannelTo(…)`.
  @inlinable
  @discardableResult
  public func bindBothWays(with other: MutableProperty) -> Subscription {
    bind(with: other, forth: { $0 }, back: { $0 })
  }

  /// Keeps this property and one with another type of value equal, by conversions:
  /// `port.bindBothWays(with: text, mapping: { String($0) }, back: { Int($0) })`.
  ///
  /// The rest is as with ``bindBothWays(with:)``: at the start `other` counts, and where both are set,
  /// `other` wins. A conversion that returns nil, as for a text that is no number, leaves the property to be
  /// set as it is. Conversions are called on the thread that forwards a change, again if another change comes
  /// meanwhile: so they should have no effects. A value that is converted back may be another one (`"07"`, 7,
  /// `"7"`); it is not set again.
  ///
  /// - Parameters:
  ///   - other: the property whose value counts at the start.
  ///   - forth: makes the value for `other`.
  ///   - back: makes the value for this property.
  /// - Returns: disposing it ends the binding.
  /// - Precondition: `other` is not this property.
  ///
  /// ReactiveObjC: two terminals, with a `-map:` in each direction. When both properties are set at the same
  /// time, those may swap the values.
  @inlinable
  @discardableResult
  public func bindBothWays<Other>(
    with other: MutableProperty<Other>, mapping forth: @escaping @Sendable (Value) -> Other?,
    back: @escaping @Sendable (Other) -> Value?
  ) -> Subscription {
    bind(with: other, forth: forth, back: back)
  }

  @inlinable
  func bind<Other>(
    with other: MutableProperty<Other>, forth: @escaping @Sendable (Value) -> Other?,
    back: @escaping @Sendable (Other) -> Value?
  ) -> Subscription {
    require(
      self !== (other as AnyObject),
      "weir: <->, bindBothWays(with:): a property cannot be bound to itself")
    let link = PropertyLink(core, other.core, forth: forth, back: back)
    ActiveBindings.enter(link.binding, between: self, and: other)
    withExtendedLifetime((self, other)) { link.start() }
    return link.binding
  }

  /// Keeps two properties equal, starting with the value of the one on the right: ``bindBothWays(with:)``.
  ///
  /// ReactiveObjC: `RACChannelTo(…) = RACChannelTo(…)`.
  @inlinable
  @discardableResult
  public static func <-> (left: MutableProperty, right: MutableProperty) -> Subscription {
    left.bindBothWays(with: right)
  }
}

// # Two-way binding
//
// Guarantees: when nobody sets the two properties any more, and all deliveries are over, they are equal.
//
// No value is passed along with an event. Every event only requests that the versions of the two values be
// compared with those at which they were last made equal. So the binding's own writes are recognised by their
// versions, and coalesced events do no harm.
//
// Who owns what: observers in the two cores own the link, the link owns the cores. A property that is
// deallocated ends its core. That is a request like a change, and comes after those that were made before it;
// the thread that answers it disposes the binding, which releases the observers.
//
// Invariants:
//  1. `requests` counts the requests since it last was 0. The thread that raised it from 0 compares until it
//     is 0 again; no other thread touches `equal`.
//  2. The value of the left at version `equal.left` was copied to or from the right at version `equal.right`;
//     or one of them has no counterpart.
//  3. A value is copied only over the version that was compared, and its new version is noted before the
//     value is announced.
//  4. A property that has been deallocated is not set any more: it takes no value, so trying would never end.
//
// Orderings: a property announces a change after it has changed, and a request is a read-modify-write: a
// comparison after it sees the change.

/// One of two properties that are kept equal.
@usableFromInline
final class BoundProperty<Value: Sendable>: @unchecked Sendable {
  // Unchecked: `last` is written before the cell is cleared, and read only when the cell is found cleared.
  @usableFromInline let core: PropertyCore<Value>
  @exclusivity(unchecked) @usableFromInline var last: ValueCell<Value>.Versioned?

  @inlinable
  init(_ core: PropertyCore<Value>) { self.core = core }

  /// The value, or the last one if the property has been deallocated. Nil if the binding had ended before
  /// that.
  @inlinable var newest: ValueCell<Value>.Versioned? { core.cell.loadUnlessCleared() ?? last }

  /// Called while the end of the property is being delivered: the cell is cleared after that.
  @inlinable
  func keepLast() { last = core.cell.loadUnlessCleared() }
}

/// Keeps two properties equal, for as long as both exist.
@usableFromInline
final class PropertyLink<Left: Sendable, Right: Sendable>: @unchecked Sendable {
  // Unchecked: the word is atomic, `equal` by invariant 1, the rest constant.
  private var requestWord: UInt64 = 0
  /// Versions begin with 1.
  @exclusivity(unchecked) @usableFromInline var equal: (left: UInt64, right: UInt64) = (0, 0)
  @usableFromInline let left: BoundProperty<Left>
  @usableFromInline let right: BoundProperty<Right>
  @usableFromInline let forth: @Sendable (Left) -> Right?
  @usableFromInline let back: @Sendable (Right) -> Left?
  @usableFromInline let binding = Subscription()

  /// What a request adds to the word. There are two ends at most, and any number of changes.
  @inlinable static var change: UInt64 { 1 }
  @inlinable static var end: UInt64 { 1 << 62 }

  @inlinable
  init(
    _ left: PropertyCore<Left>, _ right: PropertyCore<Right>, forth: @escaping @Sendable (Left) -> Right?,
    back: @escaping @Sendable (Right) -> Left?
  ) {
    self.left = BoundProperty(left)
    self.right = BoundProperty(right)
    self.forth = forth
    self.back = back
  }

  @inlinable
  func start() {
    observe(left)
    observe(right)
  }

  @inlinable
  func observe(_ property: BoundProperty<some Sendable>) {
    let observation = Subscription()
    binding.adopt(observation)
    property.core.attach(
      Sink(
        next: { _ in self.compare(Self.change) },
        terminate: { _ in
          property.keepLast()
          self.compare(Self.end)
        },
        subscription: observation))
  }

  @inlinable
  func compare(_ request: UInt64) {
    let requests = AtomicWord(property: 0, of: self)
    guard requests.add(request) == 0 else { return }
    // The word is part of this object, which the end of the binding may release.
    defer { _fixLifetime(self) }
    var answered: UInt64
    repeat {
      answered = requests.load()
      while !binding.isDisposed, copyChange() {}
      if answered >= Self.end { binding.dispose() }
    } while requests.subtract(answered) != answered
  }

  /// Makes the two equal if one has changed. False if neither has, or the one that is to be set has been
  /// deallocated.
  @inlinable
  func copyChange() -> Bool {
    guard let (leftValue, leftVersion) = left.newest, let (rightValue, rightVersion) = right.newest else {
      return false
    }
    if rightVersion != equal.right {
      if left.core.hasEnded.isClaimed { return false }
      let value = back(rightValue)
      // The conversion may have disposed it.
      if binding.isDisposed { return false }
      guard let value else {
        // Even if the left one has changed, too: the right one wins.
        equal = (leftVersion, rightVersion)
        return true
      }
      if left.core.cell.compareExchange(leftVersion, value) {
        equal = (leftVersion &+ 1, rightVersion)
        left.core.announce()
      }
      return true
    }
    if leftVersion != equal.left {
      if right.core.hasEnded.isClaimed { return false }
      let value = forth(leftValue)
      if binding.isDisposed { return false }
      guard let value else {
        equal.left = leftVersion
        return true
      }
      if right.core.cell.compareExchange(rightVersion, value) {
        equal = (leftVersion, rightVersion &+ 1)
        right.core.announce()
      }
      return true
    }
    return false
  }
}
