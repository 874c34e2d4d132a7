// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A value that can be read, set and observed from any thread, never fails, and never blocks.
///
/// ```swift
/// let limit = MutableProperty(100)
/// limit.signal.subscribe { print($0) }   // prints 100
/// limit.value = 200                      // prints 200
/// limit.modify { $0 += 1 }               // prints 201
/// ```
///
/// **It is state, not a stream of events.** A new value is seen by every reader as soon as the setter has
/// returned, also inside an observer and while another thread is delivering. An observer gets the value when
/// it subscribes, on the subscribing thread, and then each change, on the thread that made it: one for each
/// set, whether or not the new value equals the old, and in one order for all observers. Only where sets
/// meet, because two threads set or an observer sets inside its callback, or a set meets an observer that is
/// just subscribing, one delivery may stand for several, on the thread of any of them: it delivers the newest
/// value, so an observer may miss values in between. It never gets an older value after a newer one, no
/// change twice, and always the last value. ``CurrentValue`` is the other way round: every event is
/// delivered, and its value is that of the event that was delivered last.
///
/// **Lifetime.** The signal retains neither the property nor its value: when the last reference to the
/// property is released, the value set last is delivered, all signals of the property complete, and the value
/// is released; a later subscriber gets only the completion. An observer that is just subscribing then gets
/// the value that it has found, and may get the completion without a change made in between. Observers are
/// released when they are disposed, at the latest when the delivery under way is over. Nothing is buffered,
/// however often the property is set: at most one notice is queued for each thread that sets it. A subscriber
/// that comes while an observer blocks is queued, with some two hundred bytes, until that is over or it
/// leaves.
///
/// As a property wrapper it provides its value under the name of the variable, and itself under `$` and the
/// name:
///
/// ```swift
/// @MutableProperty var limit = 100
/// $limit.signal.subscribe { print($0) }
/// limit = 200
/// ```
///
/// To the compiler, the variable behind a wrapper is mutable, so a class that is checked to be `Sendable`
/// declares `let limit = MutableProperty(100)` instead.
///
/// Cost: reading is one atomic load for plain values of up to eight bytes such as `Int`, `Double` or a small
/// enum; for others it is two read-modify-writes and a copy, which retains what the value refers to. Setting
/// is one read-modify-write, and with observers a turn (see ``Subject``) and a call for each of them; for
/// values of the second kind it is a few more, and in the long run no allocation.
///
/// ReactiveObjC: a property observed by `RACObserve`, without run-time tricks.
@propertyWrapper
public final class MutableProperty<Value: Sendable>: Sendable {
  @usableFromInline let core: PropertyCore<Value>

  /// A property with a first value.
  @inlinable
  public init(_ value: Value) { core = PropertyCore(value) }

  /// A property with a first value, as a property wrapper.
  @inlinable
  public convenience init(wrappedValue: Value) { self.init(wrappedValue) }

  deinit { core.end() }

  /// The value. Setting it delivers it to the observers, or has the delivery under way do so; the observers'
  /// closures run inside the setter. To compute the new value from the old one, use ``modify(_:)``.
  @inlinable
  public var value: Value {
    @inline(__always) get {
      // What is read lives in the core.
      defer { _fixLifetime(self) }
      return core.cell.load()
    }
    set {
      defer { _fixLifetime(self) }
      core.cell.set(newValue)
      core.announce()
    }
  }

  /// ``value``, as a property wrapper.
  @inlinable
  public var wrappedValue: Value {
    @inline(__always) get { value }
    set { value = newValue }
  }

  /// The property itself, as a property wrapper.
  @inlinable
  public var projectedValue: MutableProperty { self }

  /// The value now, on the subscribing thread, and then each change, on the thread that made it; see
  /// ``MutableProperty`` for changes that meet. Completes when the property is released, and retains neither
  /// it nor its value.
  ///
  /// ReactiveObjC: `RACObserve`, `-rac_valuesForKeyPath:observer:`, which end with the observer, too: see
  /// ``SignalConvertible/take(during:)``.
  @inlinable
  public var signal: Signal<Value, Never> {
    Signal(attaching: { [core] sink, _ in core.attach(sink) })
  }

  /// How many observers there are now, for metrics. May be read from any thread, without waiting; while
  /// observers come and go, it may be off by as many as do so meanwhile, and so be 0 where one takes over
  /// from another. An observer is counted when it has got the value, and the delivery under way is over.
  ///
  /// They are counted at each read, which takes time in proportion to their number; nothing else pays for it.
  ///
  /// ReactiveObjC has none.
  public var subscriberCount: Int { withExtendedLifetime(self) { core.broadcast.list.subscriberCount } }

  /// Sets the value and returns the one that it replaces: of several threads, each gets a different one. It
  /// delivers as setting ``value`` does.
  ///
  /// ReactiveObjC has none.
  @inlinable @discardableResult
  public func swap(_ value: Value) -> Value {
    defer { _fixLifetime(self) }
    let old = core.cell.exchange(value)
    core.announce()
    return old
  }

  /// Changes the value in one step: no other change comes between the value that `change` gets and the one
  /// that it leaves. If another thread changes the value meanwhile, `change` is called again with the newer
  /// one, so it should only compute: subscribe, send and create objects after `modify` has returned, as its
  /// result says.
  ///
  /// `change` is called on this thread, before this returns; then the change is delivered as setting
  /// ``value`` does, even if the value is the same as before. To change nothing and deliver nothing, read
  /// ``value`` first, or throw.
  ///
  /// Changing a collection in place copies all of it each time, as the property still holds the one before:
  /// a table that grows entry by entry takes quadratic time. Where that matters, hold a collection whose
  /// copies share most of their memory, such as the `TreeDictionary` of swift-collections, or keep the table
  /// in an actor, and send its changes.
  ///
  /// As the only statement of a closure that returns nothing, a call whose `change` returns something is
  /// rejected: write `{ seen.modify { _ = $0.insert(id) } }`.
  ///
  /// - Parameter change: works on a copy. What it throws is rethrown, and nothing changes. It may read and
  ///   set this property, but if it sets it in each call, this never ends.
  /// - Returns: what the last call of `change` returned.
  /// - Throws: what `change` throws.
  ///
  /// ReactiveObjC has none.
  @inlinable @discardableResult
  public func modify<Result, Failure: Error>(
    _ change: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { _fixLifetime(self) }
    while true {
      var (value, version) = core.cell.loadVersioned()
      let result = try change(&value)
      if core.cell.compareExchange(version, value) {
        core.announce()
        return result
      }
    }
  }
}
