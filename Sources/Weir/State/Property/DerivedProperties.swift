// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension PropertyProtocol {
  /// A property whose value is computed from that of this one: `user.map(\.name)`.
  ///
  /// It retains this property. Its signal delivers where this one's does, buffers nothing, and completes with
  /// it.
  ///
  /// - Parameter transform: called for each read, and for each value and observer; it should depend on
  ///   nothing but its argument.
  ///
  /// ReactiveObjC: the key path of `RACObserve`, or `-map:` behind it.
  @inlinable
  public func map<Output: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Output
  ) -> Property<Output> {
    Property(reading: { transform(self.value) }, observing: signal.map(transform))
  }

  /// A property with the value of another one, which `transform` selects by the value of this one, such as a
  /// property of the object stored in this one: `session.flatMap { $0.user }`.
  ///
  /// When this property changes, observers get the value of the newly selected one at once, and from then on
  /// its changes: on the thread that made the change, or on one that is already delivering. Changes of one
  /// property that meet a delivery of another are queued, bounded only by memory. The signal completes when
  /// this property and the one selected last have been released. The derived property retains this one.
  ///
  /// - Parameter transform: called for each read, and for each value of this property and observer. Observing
  ///   does not retain the property that it returns: something else must, such as the value it is called
  ///   with.
  ///
  /// ReactiveObjC: a key path with more than one component.
  @inlinable
  public func flatMap<Picked: PropertyProtocol>(
    _ transform: @escaping @Sendable (Value) -> Picked
  ) -> Property<Picked.Value> {
    Property(
      reading: { transform(self.value).value },
      observing: signal.map { transform($0).signal }.switchToLatest())
  }

  /// A property whose observers get a value only when it differs from the one before. Reading it is reading
  /// this one.
  ///
  /// It retains this property. Its signal delivers where this one's does, retains one value for each
  /// observer, and completes with it.
  ///
  /// ReactiveObjC: `-distinctUntilChanged` behind `RACObserve`.
  @inlinable
  public func distinctUntilChanged() -> Property<Value> where Value: Equatable & SendableMetatype {
    Property(reading: { self.value }, observing: signal.distinctUntilChanged())
  }

  /// A property whose value is the pair of the values of two properties.
  ///
  /// The two values are read one after the other: so a pair may combine the value of one from before a change
  /// with that of the other from after a later change. Observers get a pair at once, and another for each
  /// change of either, in one order, on the thread that made it or on one that is already delivering. Changes
  /// of one property that meet a delivery of another are queued, bounded only by memory. The property retains
  /// both; its signal retains the newest values of both for each observer. The signal costs one more turn per
  /// change (see ``Subject``), and completes when both properties have been released. Where both depend on a
  /// third property, a change of that sends two pairs, the first of them half old; a single ``map(_:)`` of
  /// the third one does not.
  ///
  /// ReactiveObjC: `+combineLatest:` of `RACObserve`s.
  @inlinable
  public func combined<Other>(with other: some PropertyProtocol<Other>) -> Property<(Value, Other)> {
    Property(
      reading: { (self.value, other.value) }, observing: signal.combineLatest(with: other.signal))
  }

  /// A property of the values of three properties or more: `a.combined(with: b, c)`. See ``combined(with:)``.
  ///
  /// - Parameters:
  ///   - first: the property whose value comes second.
  ///   - second: the property whose value comes third.
  ///   - others: any number of further ones.
  ///
  /// ReactiveObjC: `+combineLatest:` of `RACObserve`s.
  @inlinable
  public func combined<First, Second, each Other>(
    with first: some PropertyProtocol<First>, _ second: some PropertyProtocol<Second>,
    _ others: repeat any PropertyProtocol<each Other>
  ) -> Property<(Value, First, Second, repeat each Other)> {
    Property(
      reading: { (self.value, first.value, second.value, repeat erasedValue(each others)) },
      observing: row(ofAll: signal, first.signal, second.signal, others: repeat erasedSignal(each others)) {
        LatestRun($0, shaped: TupleRow<(Value, First, Second, repeat each Other)>(), trigger: .all, to: $1)
      })
  }
}

// As with `erased(_:)`, these cannot be written where the property is an element of a parameter pack.
@usableFromInline @inline(never)
func erasedValue<Value>(_ property: any PropertyProtocol<Value>) -> Value { property.value }
@usableFromInline @inline(never)
func erasedSignal<Value>(_ property: any PropertyProtocol<Value>) -> Signal<Value, Never> {
  property.signal
}
