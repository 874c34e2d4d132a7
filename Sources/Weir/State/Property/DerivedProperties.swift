// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension PropertyProtocol {
  /// A property whose value is computed from that of this one: `user.map(\.name)`.
  ///
  /// It keeps this property. Its signal delivers where this one's does, buffers nothing, and completes with
  /// it.
  ///
  /// - Parameter transform: called for each read, and for each value and observer; it should depend on
  ///   nothing but its argument.
  ///
  /// ReactiveObjC: the key path of `RACObserve`, or `-map:` behind it.
  public func map<Output: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Output
  ) -> Property<Output> {
    Property(reading: { transform(self.value) }, observing: signal.map(transform))
  }

  /// A property that has the value of the property that `transform` picks by the value of this one, such as a
  /// property of the object that is in this one: `session.flatMap { $0.user }`.
  ///
  /// When this one changes, observers get the value of the property then picked, at once, and from then on
  /// its changes: on the thread that made the change, or on one that is delivering already. The signal
  /// completes when this property and the one picked last have been released. The property keeps this one.
  ///
  /// - Parameter transform: called for each read, and for each value of this property and observer. Observing
  ///   does not keep the property that it returns: something else must, such as the value it is called with.
  ///
  /// ReactiveObjC: a key path with more than one component.
  public func flatMap<Picked: PropertyProtocol>(
    _ transform: @escaping @Sendable (Value) -> Picked
  ) -> Property<Picked.Value> {
    Property(
      reading: { transform(self.value).value },
      observing: signal.map { transform($0).signal }.switchToLatest())
  }

  /// A property that is observed only when its value becomes another one. Reading it is reading this one.
  ///
  /// It keeps this property. Its signal delivers where this one's does, keeps one value for each observer,
  /// and completes with it.
  ///
  /// ReactiveObjC: `-distinctUntilChanged` behind `RACObserve`.
  public func distinct() -> Property<Value> where Value: Equatable & SendableMetatype {
    Property(reading: { self.value }, observing: signal.distinctUntilChanged())
  }

  /// A property of pairs of the values of two.
  ///
  /// The two values are read one after the other: a pair may be of before a change of one and after a change
  /// of the other. Observers get a pair at once, and another for each change of either, in one order, on the
  /// thread that made it or on one that is delivering already. The property keeps both; its signal keeps the
  /// newest values of both for each observer. The signal costs one turn a change more (see ``Subject``), and
  /// completes when both properties have been released. Where both depend on a third, its change is two
  /// pairs, the first of them half old: one ``map(_:)`` of that has none.
  ///
  /// ReactiveObjC: `+combineLatest:` of `RACObserve`s.
  public func combined<Other>(with other: some PropertyProtocol<Other>) -> Property<(Value, Other)> {
    Property(
      reading: { (self.value, other.value) }, observing: signal.combineLatest(with: other.signal))
  }

  /// The same with three properties or more: `a.combined(with: b, c)`. See ``combined(with:)``.
  ///
  /// - Parameters:
  ///   - first: whose value comes second.
  ///   - second: whose value comes third.
  ///   - others: any number more.
  ///
  /// ReactiveObjC: `+combineLatest:` of `RACObserve`s.
  public func combined<First, Second, each Other>(
    with first: some PropertyProtocol<First>, _ second: some PropertyProtocol<Second>,
    _ others: repeat any PropertyProtocol<each Other>
  ) -> Property<(Value, First, Second, repeat each Other)> {
    Property(
      reading: { (self.value, first.value, second.value, repeat (each others).value) },
      observing: signal.combineLatest(
        with: first.signal, second.signal, repeat (each others).signal))
  }
}
