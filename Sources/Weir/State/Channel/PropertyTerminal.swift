// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import CWeirAtomics

extension MutableProperty {
  /// A terminal of a new channel to this property: what is sent to it sets the property, and it sends the
  /// values that others set.
  ///
  /// A subscriber of the terminal gets the value of the property, and then its changes except for those made
  /// through this very terminal; as with ``signal``, one may stand for several where changes meet. They are
  /// delivered on the thread that subscribes or sets, or on one that is already delivering. A value that is
  /// sent while the terminal is delivering another one is set after that, and an end takes effect after what
  /// was sent before it.
  ///
  /// The channel ends when the terminal is ended, which leaves the property alone, or when the property is
  /// deallocated. The terminal does not retain the property, nor the property the terminal; a subscription to
  /// the terminal lasts as long as the property. Values that are sent while the terminal is delivering are
  /// queued, bounded only by memory; of changes, at most one notice is queued for each subscriber. A new
  /// subscriber that comes meanwhile waits until the delivery is over, and leaves nothing behind if it is
  /// disposed before.
  ///
  /// To keep two properties equal whatever threads set them, use ``bindBothWays(with:)``, or
  /// ``bindBothWays(with:mapping:back:)``: terminals that are forwarded to each other can swap the two values
  /// when both properties are set at the same time.
  ///
  /// ReactiveObjC: `RACChannelTo`, that is the following terminal of a `RACKVOChannel`.
  @inlinable
  public func makeTerminal() -> ChannelTerminal<Value, Never> {
    let link = TerminalLink(core)
    return ChannelTerminal(receiving: link.signal, sendingTo: link.entrance { link.set($0) })
  }

  /// A terminal of a new channel to this property, for senders that may send nil: see ``makeTerminal()``.
  ///
  /// - Parameter nilValue: what the property is set to instead of nil.
  ///
  /// ReactiveObjC: `RACChannelTo` with a third argument.
  @inlinable
  public func makeTerminal(nilValue: Value) -> ChannelTerminal<Value?, Never> {
    let link = TerminalLink(core)
    return ChannelTerminal(
      receiving: link.signal.map(Optional.some), sendingTo: link.entrance { link.set($0 ?? nilValue) })
  }
}

/// What a terminal of a property shares with its subscribers.
///
/// Setting, and deciding whether a change was made by others, happen in one turn. So the version of a value
/// is noted as the terminal's own before anybody compares it.
///
/// What a subscriber requests once, its first value and its end, waits in a ``WaitingRoom``: so subscribers
/// that come and go while a callback hangs leave nothing in the queue. No subscriber is let in before what
/// was sent before it came: a value that is set here after its first value is withheld from it, as the
/// terminal's own.
@usableFromInline
final class TerminalLink<Value: Sendable>: @unchecked Sendable {
  // Unchecked: the turn; `ownVersion` and what subscribers have got belong to its holder.
  @usableFromInline
  enum Work {
    case set(Value)
    /// The property has changed.
    case pass(TerminalSubscriber<Value>)
    /// The property has been deallocated, and `last` is what it held last. It is carried along, as the
    /// property releases it before a busy turn gets to this item; nil for a subscriber that came after the
    /// end.
    case end(TerminalSubscriber<Value>, last: ValueCell<Value>.Versioned?)
    /// The terminal is ended: takes effect after what was sent before, which may still be queued.
    case endAll
    /// Lets in the subscribers that had come when this was posted.
    case letNewcomersIn(below: UInt64)
  }

  @usableFromInline let ending = Subscription()
  @usableFromInline let core: PropertyCore<Value>
  @usableFromInline let words: UnsafeMutablePointer<UInt64>
  @usableFromInline let turn: DeliveryTurn<Work>
  /// The version of the last value that was set here.
  @exclusivity(unchecked) @usableFromInline var ownVersion: UInt64 = 0

  @inlinable static var wordCount: Int { 2 + DeliveryTurn<Work>.wordCount }

  @inlinable
  init(_ core: PropertyCore<Value>) {
    self.core = core
    words = weir_block_allocate(8 * Self.wordCount).assumingMemoryBound(to: UInt64.self)
    turn = DeliveryTurn(words: words + 2)
  }

  /// One of the two words before the turn.
  @inlinable var room: WaitingRoom { .room(at: AtomicWord(words)) }

  deinit {
    WaitingRoom.releaseRoom(at: AtomicWord(words))
    turn.destroy()
    weir_block_free(words, 8 * Self.wordCount)
  }

  @inlinable
  func set(_ value: Value) { perform(.set(value)) }

  /// Takes the values sent to a terminal; ends the subscriptions that feed it when the terminal ends or the
  /// property is deallocated.
  @inlinable
  func entrance<Sent>(_ set: @escaping @Sendable (Sent) -> Void) -> TerminalEntrance<Sent> {
    TerminalEntrance(
      adoptedWith: core.broadcast.list.adopt, set, end: { self.perform(.endAll) })
  }

  @inlinable var signal: Signal<Value, Never> {
    Signal(attaching: { [self] sink, _ in
      let subscriber = TerminalSubscriber(sink)
      core.attach(
        Sink(
          next: { _ in self.announce(to: subscriber) },
          terminate: { _ in
            let last = subscriber.isTold ? self.core.cell.loadUnlessCleared() : nil
            self.perform(.end(subscriber, last: last), onceFor: subscriber)
          },
          subscription: sink.subscription))
    })
    .take(untilDisposalOf: ending)
  }

  /// The property has changed: passes the value on at once, or requests that if the turn is taken.
  @inlinable
  func announce(to subscriber: TerminalSubscriber<Value>) {
    let isFirst = subscriber.noteChange()
    if turn.enter(as: 1) {
      // The turn is part of this object.
      defer { _fixLifetime(self) }
      passNewest(to: subscriber)
      turn.leave()
      turn.deliverWaiting(as: 1) { performNow($0) }
    } else if subscriber.ask() {
      perform(.pass(subscriber), onceFor: isFirst ? subscriber : nil)
    }
  }

  /// - Parameter subscriber: the one that requests this, only once; if it must wait, it is dropped when the
  ///   subscriber leaves.
  @inlinable
  func perform(_ work: Work, onceFor subscriber: TerminalSubscriber<Value>? = nil) {
    withExtendedLifetime(self) {
      if turn.enter(as: 1) {
        performNow(work)
        turn.leave()
      } else if let subscriber {
        let newcomer = Newcomer { if case .comesIn = $0 { self.performNow(work) } }
        room.seat(newcomer, of: subscriber.sink.subscription) { postLettingIn() }
      } else {
        turn.post(work)
      }
      turn.deliverWaiting(as: 1) { performNow($0) }
    }
  }

  @inlinable
  func performNow(_ work: Work) {
    switch work {
    case .set(let value): setNow(value)
    case .pass(let subscriber):
      subscriber.beginAnswer()
      passNewest(to: subscriber)
    case .end(let subscriber, let last):
      if let last { pass(last, to: subscriber) }
      subscriber.sink.terminate(.completed)
    case .endAll: ending.dispose()
    case .letNewcomersIn(let limit): room.letIn(below: limit) { postLettingIn() }
    }
  }

  @inlinable
  func postLettingIn() { turn.post(.letNewcomersIn(below: room.limit)) }

  @inlinable
  func passNewest(to subscriber: TerminalSubscriber<Value>) {
    // Without a value, the end follows, and carries the last one.
    if let newest = core.cell.loadUnlessCleared() { pass(newest, to: subscriber) }
  }

  @inlinable
  func pass(_ newest: ValueCell<Value>.Versioned, to subscriber: TerminalSubscriber<Value>) {
    subscriber.take(newest, ownUpTo: ownVersion)
  }

  @inlinable
  func setNow(_ value: Value) {
    var version: UInt64
    repeat {
      if ending.isDisposed || core.hasEnded.isClaimed { return }
      guard let newest = core.cell.loadUnlessCleared() else { return }
      version = newest.version
    } while !core.cell.compareExchange(version, value)
    ownVersion = version &+ 1
    core.announce()
  }
}

/// A subscriber of a terminal, used in the terminal's turn except for ``noteChange()`` and ``ask()``.
@usableFromInline
final class TerminalSubscriber<Value>: @unchecked Sendable {
  // Unchecked: an atomic word; `isTold` belongs to the thread that delivers for the property, the rest to the
  // turn.
  @exclusivity(unchecked) @usableFromInline var askedWord: UInt64 = 0
  @usableFromInline let sink: Sink<Value, Never>
  @usableFromInline let next: (Value) -> Void
  /// Whether the subscriber came before the end of the property.
  @exclusivity(unchecked) @usableFromInline var isTold = false
  /// Versions begin with 1.
  @exclusivity(unchecked) @usableFromInline var known: UInt64 = 0

  @inlinable
  init(_ sink: Sink<Value, Never>) {
    next = sink.next
    self.sink = sink
  }

  @inlinable var isAsked: AtomicWord { AtomicWord(property: 0, of: self) }

  /// Called for each value of the property. True for the first.
  @inlinable
  func noteChange() -> Bool {
    defer { isTold = true }
    return !isTold
  }

  /// Requests the newest value. True if no request of this subscriber is pending: then the caller must post
  /// one. So at most one of them waits.
  @inlinable
  func ask() -> Bool { isAsked.exchange(1) == 0 }

  /// Called before the value is read: a later change requests again.
  @inlinable
  func beginAnswer() { _ = isAsked.exchange(0) }

  /// Forwards a value that is newer than what the subscriber has got; one of the terminal's own only as the
  /// first. A version below the terminal's own, which the last value of a deallocated property may have, is
  /// one that was replaced there.
  @inlinable
  func take(_ newest: ValueCell<Value>.Versioned, ownUpTo ownVersion: UInt64) {
    if newest.version <= known { return }
    let isFirst = known == 0
    known = newest.version
    if isFirst || newest.version > ownVersion { next(newest.value) }
  }
}
