// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Serial delivery
//
// Guarantees: what any number of threads deliver through it reaches one sink serially, in the order of its turn, never
// nested, and nothing after the end. It is what observers and all operators with several upstreams are made of.
//
// Who owns what: the upstreams keep the delivery; the sink's subscription disposes it but does not keep it. So when the last
// upstream lets go of it without a terminal event, it goes, and ends the sink's subscription.
//
// Invariants:
//  1. `ended` is claimed once: by the terminal event, by disposal from downstream, or by `deinit`.
//  2. The handler is called and released by the holder of the turn only, and released after `ended` was claimed. A holder that
//     has entered and then found `ended` unclaimed may therefore use the handler, and all that the handler owns, until it
//     leaves the turn.
//  3. `upstreams` is disposed by whoever claimed `ended`, before the terminal event is delivered.
//
// Orderings: those of the turn. `ended` is looked at after the turn was entered: whoever claims it then needs the turn to do more.

/// Brings events from any number of threads into the serial order that a sink needs.
@usableFromInline
final class SerialDelivery<Item, Failure: Error>: Disposable, @unchecked Sendable {
  // Unchecked: the words are atomic, the handler by invariant 2.
  /// What waits for the turn.
  @frozen @usableFromInline
  enum Waiting {
    case item(Item)
    case terminal(Completion<Failure>)
    /// Asks the holder of the turn to release the handler.
    case release
  }

  @usableFromInline let words: UnsafeMutablePointer<UInt64>
  @usableFromInline let turn: BiasedTurn<Waiting>
  @usableFromInline let handler: UnsafeMutablePointer<Handler<Item, Failure>>
  @exclusivity(unchecked) private var hasHandler = true
  /// Ends with this object; the subscriptions of what is listened to belong in here.
  @usableFromInline let upstreams = Subscription()

  private static var wordCount: Int { 2 + BiasedTurn<Waiting>.wordCount }

  @usableFromInline
  init(to sink: Sink<Item, Failure>) {
    words = weir_block_allocate(8 * Self.wordCount).assumingMemoryBound(to: UInt64.self)
    turn = BiasedTurn(words: words + 2)
    handler = .allocate(capacity: 1)
    handler.initialize(to: Handler(sink))
    sink.subscription.add(WeakDisposal(of: self))
  }

  deinit {
    if ended.claim() {
      upstreams.dispose()
      handler.pointee.subscription.dispose()
    }
    turn.destroy()
    releaseHandler()
    handler.deallocate()
    weir_block_free(words, 8 * Self.wordCount)
  }

  @inlinable var ended: OnceFlag {
    @inline(__always) get { OnceFlag(AtomicWord(words)) }
  }

  @inlinable var isDisposed: Bool {
    @inline(__always) get { ended.isClaimed }
  }

  /// Delivers an item, or leaves it with the delivery under way. Does nothing after the end.
  @inlinable @inline(__always)
  func send(_ item: Item) {
    switch enter() {
    case .entered:
      handler.pointee.next(item)
      leave()
    case .busy: post(item)
    case .ended: return
    }
  }

  /// What came of trying to enter the turn.
  @frozen @usableFromInline
  enum Entry {
    /// The caller has the turn, may use the handler and what that owns, and then calls ``leave()``.
    case entered
    /// Another delivery is under way; the caller leaves an item with ``post(_:)``.
    case busy
    case ended
  }

  @inlinable @inline(__always)
  func enter() -> Entry {
    if ended.isClaimed { return .ended }
    guard turn.enter(as: 1) else { return .busy }
    if !ended.isClaimed { return .entered }
    leave()
    return .ended
  }

  @inlinable @inline(__always)
  func leave() {
    turn.leave()
    if turn.isWaiting { deliverWaiting() }
  }

  @inlinable
  func post(_ item: Item) {
    turn.post(.item(item))
    deliverWaiting()
  }

  /// Takes the end: ends the upstreams, and delivers it. A failure after the end is reported as unhandled.
  @usableFromInline
  func terminate(_ completion: Completion<Failure>) {
    if turn.enter(as: 1) {
      finish(completion)
      turn.leave()
    } else {
      turn.post(.terminal(completion))
    }
    deliverWaiting()
  }

  /// Ends it from downstream: no event is delivered any more, and everything is released.
  @usableFromInline
  func dispose() {
    guard ended.claim() else { return }
    upstreams.dispose()
    if turn.enter(as: 1) {
      releaseHandler()
      turn.leave()
    } else {
      turn.post(.release)
    }
    deliverWaiting()
  }

  @inlinable @inline(never)
  func deliverWaiting() {
    turn.deliverWaiting(as: 1) { waiting in
      switch waiting {
      case .item(let item): if !ended.isClaimed { handler.pointee.next(item) }
      case .terminal(let completion): finish(completion)
      case .release: releaseHandler()
      }
    }
  }

  @usableFromInline
  func finish(_ completion: Completion<Failure>) {
    guard ended.claim() else {
      if case .failed(let error) = completion { UnhandledErrors.report(error) }
      return
    }
    upstreams.dispose()
    handler.pointee.terminate(completion)
    releaseHandler()
  }

  @usableFromInline
  func releaseHandler() {
    guard hasHandler else { return }
    hasHandler = false
    handler.deinitialize(count: 1)
  }
}
