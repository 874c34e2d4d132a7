// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Serial delivery
//
// Guarantees: events that any number of threads deliver through it reach one sink serially, in the order of
// its turn, never nested, and none after the end. Observers are made of it, and so is every operator that
// sends the events of several upstreams.
//
// Ownership: the upstreams retain the delivery; the sink's subscription disposes it but does not retain it.
// So when the last upstream lets go of it without a terminal event, it is deallocated, and ends the sink's
// subscription. The object is a DeliveryCore, which has no types; this struct is its typed interface.
//
// Invariants:
//  1. `ended` is claimed once: by the terminal event, by disposal from downstream, or by `deinit`. A handler
//     that ends the whole run by itself disposes first: it is called in the turn, and is released when that
//     is left.
//  2. The handler is called and released by the holder of the turn only, and released after `ended` was
//     claimed. A holder that has entered and then found `ended` unclaimed may therefore use the handler, and
//     all that the handler owns, until it leaves the turn. The handler may be moved away, to be released in a
//     loop: see ReleaseQueue.swift.
//  3. `upstreams` is disposed before the terminal event is delivered: by the thread that claimed `ended`, or
//     left a terminal event to the holder of the turn. Items that waited before that event are delivered.
//  4. A failure that is sent after a terminal event is reported. So is one that was sent before disposal, and
//     whose turn comes after it, or that is on its way while a clean-up of the upstreams disposes the run.
//     One that is sent after disposal is reported, too, if the delivery is an operator's, whose closures may
//     throw then; even if a clean-up that runs before this delivery is disposed makes it fail. If the
//     delivery is an observer's, it is dropped, unless a terminal event was sent before the disposal: the
//     source has just not learnt yet that nobody wants it.
//
// Orderings: those of the turn. `ended` is checked after the turn was entered: a thread that claims it later
// needs the turn to do more.

/// Brings events from any number of threads into the serial order that a sink needs.
@frozen @usableFromInline
struct SerialDelivery<Item, Failure: Error>: Sendable {
  /// An item that waits for the turn.
  @frozen @usableFromInline
  enum Waiting {
    case item(Item)
    case terminal(Completion<Failure>)
    /// Asks the holder of the turn to release the handler.
    case release
    /// A closure to call after the items before it, even after the end. Indirect, so that the other cases do
    /// not get larger for its sake.
    indirect case errand(() -> Void)
  }

  @usableFromInline let core: DeliveryCore

  /// The typed interface of `core`.
  @inlinable @inline(__always)
  init(_ core: DeliveryCore) { self.core = core }

  @inlinable
  init(to sink: consuming Sink<Item, Failure>) {
    core = DeliveryCore { core, step in SerialDelivery(core).perform(step) }
    let subscription = sink.subscription
    handler.initialize(to: sink)
    subscription.list.addUnowned(core)
  }

  @inlinable @inline(__always) var turn: BiasedTurn<Waiting> { BiasedTurn(sharing: core.words) }

  /// The same turn for code that does not depend on the type of waiting items, and so needs no type metadata.
  @inlinable @inline(__always) var plainTurn: BiasedTurn<Void> { BiasedTurn(sharing: core.words) }

  @inlinable @inline(__always) var handler: Handler<Item, Failure> { Handler(AnyHandler(at: core.handler)) }

  @inlinable @inline(__always) var upstreams: Subscription { core.upstreams }

  @inlinable @inline(__always) var hasEnded: Bool { core.hasEnded }

  /// Delivers an item, or leaves it to the delivery under way. Does nothing after the end.
  @inlinable @inline(__always)
  func send(_ item: Item) { send(item, orLeave: item) }

  /// Delivers `item`, or leaves `other` to the delivery under way. Does nothing after the end.
  @inlinable @inline(__always)
  func send(_ item: Item, orLeave other: @autoclosure () -> Item) {
    switch enter() {
    case .entered:
      handler.next(item)
      leave()
    case .busy: post(other())
    case .ended: return
    }
  }

  /// Delivers an item of an upstream, or leaves it to the delivery under way. Does nothing if the upstream
  /// was disposed, as it is at the end; also a closure of an operator before this one may have done that.
  @inlinable @inline(__always)
  func send(_ item: Item, of upstream: Subscription) {
    switch enter(for: upstream) {
    case .entered:
      handler.next(item)
      leave()
    case .busy: post(item)
    case .ended: return
    }
  }

  /// The result of trying to enter the turn.
  @frozen @usableFromInline
  enum Entry {
    /// The caller has the turn, may use the handler and what that owns, and then calls ``leave()``.
    case entered
    /// Another delivery is under way; the caller leaves an item with ``post(_:)``.
    case busy
    case ended
  }

  @inlinable @inline(__always)
  func enter() -> Entry { hasEnded ? .ended : enterTurn() }

  /// The same for an item of an upstream: see ``send(_:of:)``.
  @inlinable @inline(__always)
  func enter(for upstream: Subscription) -> Entry { upstream.isDisposed ? .ended : enterTurn() }

  @inlinable @inline(__always)
  func enterTurn() -> Entry {
    guard plainTurn.enter(as: BiasedTurn<Void>.ownMark) else { return .busy }
    if mayDeliver { return .entered }
    leave()
    return .ended
  }

  /// For the holder of the turn: whether it may call the handler. Two checks, as another thread may be
  /// between the two steps of disposing.
  @inlinable @inline(__always) var mayDeliver: Bool { !hasEnded && !handler.isDisposed }

  @inlinable @inline(__always)
  func leave() {
    plainTurn.leave()
    if plainTurn.isWaiting { deliverWaiting() }
  }

  /// Whether the calling thread is inside a delivery.
  @inlinable @inline(__always) var isHere: Bool { plainTurn.isHere }

  @inlinable @inline(never)
  func post(_ item: Item) {
    turn.post(.item(item))
    deliverWaiting()
  }

  /// Calls `errand` in the turn, after all that was sent before, even after the end: it may ``finish(_:)``.
  @inlinable
  func inTurn(_ errand: @escaping () -> Void) {
    if turn.enter(as: BiasedTurn<Void>.ownMark) {
      errand()
      turn.leave()
    } else {
      turn.post(.errand(errand))
    }
    core.deliverWaiting()
  }

  /// Calls `errand` after all that was sent before: at once and outside the turn, if that has been delivered;
  /// otherwise in the turn, after that.
  @inlinable
  func afterItems(_ errand: @escaping () -> Void) {
    if turn.passThrough(as: BiasedTurn<Void>.ownMark), !turn.isWaiting {
      errand()
    } else {
      turn.post(.errand(errand))
      core.deliverWaiting()
    }
  }

  /// Sends a terminal event: ends the upstreams, and delivers it. After the end, see invariant 4.
  @inlinable
  func terminate(_ completion: Completion<Failure>) {
    if hasEnded { return terminateLate(completion) }
    if turn.enter(as: BiasedTurn<Void>.ownMark) {
      finish(completion)
      turn.leave()
    } else if isHere, handler.isDisposed {
      // The run has ended, and this delivery is about to: another thread is stopping it.
      return terminateLate(completion)
    } else {
      turn.post(.terminal(completion))
      // What they still send would be queued after the end; and nothing else stops an upstream that never
      // ends.
      core.upstreams.end()
    }
    core.deliverWaiting()
  }

  /// Handles a terminal event after the end. Nobody waits for a completion then, so nothing is touched for
  /// it.
  @inlinable
  func terminateLate(_ completion: Completion<Failure>) {
    guard case .failed(let error) = completion else { return }
    // After a terminal event that was sent before, and may still wait.
    inTurn { if core.lateFailure == .isReported { UnhandledErrors.report(error) } }
  }

  @inlinable
  func perform(_ step: DeliveryCore.TypedStep) {
    switch step {
    case .deliverWaiting: deliverWaiting()
    case .postRelease: turn.post(.release)
    case .destroyTurn: turn.destroy()
    }
  }

  @inlinable @inline(never)
  func deliverWaiting() {
    turn.deliverWaiting(as: BiasedTurn<Void>.ownMark) { waiting in
      switch waiting {
      case .item(let item): if mayDeliver { handler.next(item) }
      case .terminal(let completion):
        // It was sent before any disposal, so its failure is reported, and not dropped.
        core.lateFailure = .isReported
        finish(completion)
      case .release: core.releaseHandler()
      case .errand(let errand): errand()
      }
    }
  }

  @inlinable
  func finish(_ completion: Completion<Failure>) {
    let lateFailure = core.lateFailure
    core.lateFailure = .isReported
    guard core.ended.claim() else {
      if case .failed(let error) = completion { UnhandledErrors.report(error) }
      return
    }
    // Whether it was sent after disposal, by a clean-up that runs before this. Checked before another
    // clean-up may dispose.
    let isDropped = lateFailure == .isDropped && handler.isDisposed
    core.upstreams.end()
    if !handler.isDisposed {
      handler.terminate(completion)
    } else if !isDropped {
      handler.any.run.pointee.subscription.reportError(of: completion)
    }
    core.releaseHandler()
  }
}
