// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

extension MutableProperty {
  /// A terminal of a new channel to this property: what is sent to it sets the property, and what comes out
  /// of it are the values that others set.
  ///
  /// Who subscribes to the terminal gets the value of the property, and then its changes but for those made
  /// through this very terminal; as with ``signal``, one may stand for several where changes meet. They come
  /// on the thread that subscribes or sets, or on one that is delivering already. A value that is sent while
  /// the terminal is delivering another one is set after that, and an end comes after what was sent before
  /// it.
  ///
  /// The channel ends when the terminal is ended, which leaves the property alone, or when the property goes.
  /// The terminal does not keep the property, nor the property the terminal; a subscription to the terminal
  /// lasts as long as the property. Values that are sent while the terminal is delivering wait, without a
  /// bound but memory; of changes, one notice waits for each subscriber. Who subscribes meanwhile waits until
  /// that is over, and leaves nothing behind if it is disposed before.
  ///
  /// To keep two properties equal whatever threads set them, use ``bindBothWays(with:)``: terminals that are
  /// forwarded to each other can pass each other's values on when both are set at the same time.
  ///
  /// ReactiveObjC: `RACChannelTo`, that is the following terminal of a `RACKVOChannel`.
  public func makeTerminal() -> ChannelTerminal<Value, Never> {
    let link = TerminalLink(core)
    return ChannelTerminal(receiving: link.signal, sendingTo: link.entrance { link.set($0) })
  }

  /// The same for senders that may send nil: see ``makeTerminal()``.
  ///
  /// - Parameter nilValue: what the property is set to instead of nil.
  ///
  /// ReactiveObjC: `RACChannelTo` with a third argument.
  public func makeTerminal(nilValue: Value) -> ChannelTerminal<Value?, Never> {
    let link = TerminalLink(core)
    return ChannelTerminal(
      receiving: link.signal.map(Optional.some), sendingTo: link.entrance { link.set($0 ?? nilValue) })
  }
}

/// What a terminal of a property and its subscribers share.
///
/// Setting, and deciding whether a change was set by others, happen in one turn. So the version of a value is
/// noted as the terminal's own before anybody asks for it.
///
/// What a subscriber asks for once, its first value and its end, waits in a ``WaitingRoom``: so those who
/// come and go while a callback hangs leave nothing in the queue. Nobody is let in before what was sent
/// before it came: what is set here after its first value is kept from a subscriber, as the terminal's own.
private final class TerminalLink<Value: Sendable>: @unchecked Sendable {
  // Unchecked: the turn; `ownVersion` and what subscribers have got belong to its holder.
  private enum Work {
    case set(Value)
    /// The property has changed.
    case pass(TerminalSubscriber<Value>)
    /// The property has gone, and this is what it held last. Taken along, as it lets go of that before a turn
    /// that is busy comes to the end; nil for who came after the end.
    case end(TerminalSubscriber<Value>, last: ValueCell<Value>.Versioned?)
    /// The terminal is ended: after what was sent before, which may still wait.
    case endAll
    /// Those who had come when this was posted.
    case letNewcomersIn(below: UInt64)
  }

  private let ending = Subscription()
  private let core: PropertyCore<Value>
  private let words: UnsafeMutablePointer<UInt64>
  private let turn: DeliveryTurn<Work>
  /// That of the last value that was set here.
  @exclusivity(unchecked) private var ownVersion: UInt64 = 0

  private static var wordCount: Int { 2 + DeliveryTurn<Work>.wordCount }

  init(_ core: PropertyCore<Value>) {
    self.core = core
    words = weir_block_allocate(8 * Self.wordCount).assumingMemoryBound(to: UInt64.self)
    turn = DeliveryTurn(words: words + 2)
  }

  /// One of the two words before the turn.
  private var room: WaitingRoom { .room(at: AtomicWord(words)) }

  deinit {
    WaitingRoom.releaseRoom(at: AtomicWord(words))
    turn.destroy()
    weir_block_free(words, 8 * Self.wordCount)
  }

  func set(_ value: Value) { perform(.set(value)) }

  /// What takes the values of a terminal, and ends what sends them when the terminal ends or the property
  /// goes.
  func entrance<Sent>(_ set: @escaping @Sendable (Sent) -> Void) -> TerminalEntrance<Sent> {
    TerminalEntrance(
      adoptedWith: core.broadcast.list.adopt, set, end: { self.perform(.endAll) })
  }

  var signal: Signal<Value, Never> {
    Signal(connecting: { [self] sink in
      let subscriber = TerminalSubscriber(sink)
      core.attach(
        Sink(
          next: { _ in
            let isFirst = !subscriber.isTold
            if subscriber.ask() { self.perform(.pass(subscriber), onceFor: isFirst ? subscriber : nil) }
          },
          terminate: { _ in
            let last = subscriber.isTold ? self.core.cell.loadUnlessCleared() : nil
            self.perform(.end(subscriber, last: last), onceFor: subscriber)
          },
          subscription: sink.subscription))
    })
    .take(untilDisposalOf: ending)
  }

  /// - Parameter subscriber: who asks for this once; if it must wait, it does so until that has left.
  private func perform(_ work: Work, onceFor subscriber: TerminalSubscriber<Value>? = nil) {
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

  private func performNow(_ work: Work) {
    switch work {
    case .set(let value): setNow(value)
    case .pass(let subscriber):
      subscriber.beginAnswer()
      // Without a value the end follows, and has the last one with it.
      if let newest = core.cell.loadUnlessCleared() { pass(newest, to: subscriber) }
    case .end(let subscriber, let last):
      if let last { pass(last, to: subscriber) }
      subscriber.sink.terminate(.finished)
    case .endAll: ending.dispose()
    case .letNewcomersIn(let limit): room.letIn(below: limit) { postLettingIn() }
    }
  }

  private func postLettingIn() { turn.post(.letNewcomersIn(below: room.limit)) }

  private func pass(_ newest: ValueCell<Value>.Versioned, to subscriber: TerminalSubscriber<Value>) {
    subscriber.take(newest, ownUpTo: ownVersion)
  }

  private func setNow(_ value: Value) {
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

/// A subscriber of a terminal, used in the terminal's turn but for asking.
private final class TerminalSubscriber<Value>: @unchecked Sendable {
  // Unchecked: an atomic word; `isTold` belongs to who delivers for the property, the rest to the turn.
  @exclusivity(unchecked) private var askedWord: UInt64 = 0
  let sink: Sink<Value, Never>
  /// Whether it has come before the end of the property.
  @exclusivity(unchecked) private(set) var isTold = false
  /// Versions begin with 1.
  @exclusivity(unchecked) private var known: UInt64 = 0

  init(_ sink: Sink<Value, Never>) { self.sink = sink }

  private var isAsked: AtomicWord { AtomicWord(property: 0, of: self) }

  /// True if nobody has been told yet that the subscriber wants the newest value: then the caller tells. So
  /// one such word waits at most.
  func ask() -> Bool {
    isTold = true
    return isAsked.exchange(1) == 0
  }

  /// Before the value is read: what changes later asks again.
  func beginAnswer() { _ = isAsked.exchange(0) }

  /// Passes a value on that is newer than what the subscriber knows, and one of the terminal's own only to
  /// begin with. A version below the terminal's own one, which the last value of a property that has gone may
  /// have, is one that was replaced there.
  func take(_ newest: ValueCell<Value>.Versioned, ownUpTo ownVersion: UInt64) {
    if newest.version <= known { return }
    let isFirst = known == 0
    known = newest.version
    if isFirst || newest.version > ownVersion { sink.next(newest.value) }
  }
}
