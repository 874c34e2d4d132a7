// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// The protocol of this object is at the head of SerialDelivery.swift.

/// The object of a ``SerialDelivery``, without its types: creating and ending it needs no type metadata from
/// the runtime, which takes hundreds of instructions for each type.
///
/// It is also the subscription that adopts those of the upstreams, as an object of its own for that would
/// cost an allocation for each delivery: what it inherits concerns the upstreams, what it adds the delivery.
/// The upstreams end when it is deallocated, at the latest; deep inside other releases, when the innermost
/// of them is over.
///
/// It is its own node in the list of the subscription that it delivers to; that list retains its memory, and
/// not the object.
@usableFromInline
final class DeliveryCore: Subscription, @unchecked Sendable {
  // Unchecked: the words are atomic, the handler by invariant 2.
  /// The steps that need the types.
  @frozen @usableFromInline
  enum TypedStep: Sendable {
    /// Takes the turn while items wait and no other thread has it, and delivers them.
    case deliverWaiting
    /// Asks the holder of the turn to release the handler.
    case postRelease
    case destroyTurn
  }

  /// What becomes of a failure that is sent after the end.
  @frozen @usableFromInline enum LateFailure: Sendable { case isReported, isDropped }

  private typealias HandlerWords = InlineArray<6, UInt64>
  /// Up to six words are skipped for alignment, as objects start at a multiple of two words, and a turn takes
  /// ten.
  private typealias Room = InlineArray<16, UInt64>

  @exclusivity(unchecked) private var endedWord: UInt64 = 0
  /// Room for a handler, whose size does not depend on its types.
  @exclusivity(unchecked) private var handlerWords = HandlerWords(repeating: 0)
  /// Room for the words of a turn, and for the words skipped to align them to cache lines. In this object, as
  /// allocating a block of their own would take as long as the rest of the object.
  @exclusivity(unchecked) private var room = Room(repeating: 0)
  @exclusivity(unchecked) private var ownWordValue: UInt64 = 0
  private let perform: @Sendable (DeliveryCore, TypedStep) -> Void
  @exclusivity(unchecked) private var hasHandler = true
  /// Belongs to the holder of the turn.
  @exclusivity(unchecked) @usableFromInline var lateFailure = LateFailure.isReported

  @inlinable static var endedOffset: Int { 16 + 8 * Subscription.wordCount }
  @inlinable static var handlerOffset: Int { endedOffset + 8 }
  @inlinable static var roomOffset: Int { handlerOffset + 8 * AnyHandler.wordCount }
  @inlinable static var ownWordOffset: Int { roomOffset + 8 * 16 }

  /// The caller initialises the handler afterwards.
  @usableFromInline
  init(_ perform: @escaping @Sendable (DeliveryCore, TypedStep) -> Void) {
    self.perform = perform
    super.init(.shared)
    // Also in release builds, where it takes four instructions: a compiler that lays objects out in another
    // way must not corrupt memory.
    require(
      UnsafeRawPointer(words + BiasedTurn<Void>.wordCount) <= handler + MemoryLayout<HandlerWords>.size
        + MemoryLayout<Room>.size,
      "weir: a turn does not fit into the room that a delivery has for it")
    require(
      MemoryLayout<HandlerWords>.size == 8 * AnyHandler.wordCount
        && withUnsafePointer(to: &ownWordValue) { $0 } == UnsafePointer(ownWord.address),
      "weir: the properties of a delivery are not where their offsets say")
    _ = BiasedTurn<Void>(words: words)
  }

  deinit {
    let endsRun = ended.claim()
    perform(self, .destroyTurn)
    // The upstreams may end after this object is gone: only the holder of the turn refers to it without
    // retaining it, and there is no holder. An empty chain if they have ended already: the run has not.
    leaveHandler(endingRunAfter: endsRun ? list.close() ?? 0 : nil)
    weir_end_deinit()
  }

  @inlinable @inline(__always) var ended: OnceFlag {
    OnceFlag(AtomicWord(property: Subscription.wordCount, of: self))
  }

  /// A word for the operator that delivers, zero at first.
  @inlinable @inline(__always) var ownWord: AtomicWord {
    AtomicWord(at: Unmanaged.passUnretained(self).toOpaque() + Self.ownWordOffset)
  }

  /// Itself, as the subscription of the upstreams.
  @inlinable @inline(__always) var upstreams: Subscription { self }

  /// The words of the turn, which starts at the third word of a cache line.
  @inlinable var words: UnsafeMutablePointer<UInt64> {
    @inline(__always) get {
      let room = Unmanaged.passUnretained(self).toOpaque() + Self.roomOffset
      return ((room - 16).alignedUp(toMultipleOf: 64) + 16).assumingMemoryBound(to: UInt64.self)
    }
  }

  @inlinable @inline(__always) var handler: UnsafeMutableRawPointer {
    Unmanaged.passUnretained(self).toOpaque() + Self.handlerOffset
  }

  /// The turn without its type of item: for everything but the waiting items.
  private var turn: BiasedTurn<Void> { BiasedTurn(sharing: words) }

  /// Whether no value is delivered any more. Not ``isDisposed``, which is that of the upstreams: a terminal
  /// event that waits for its turn has disposed these, and ends the delivery only then.
  @inlinable @inline(__always) var hasEnded: Bool { ended.isClaimed }

  /// Ends the delivery from downstream, or from inside the handler, which then sends the terminal event
  /// itself: no event is delivered any more, and everything is released.
  @usableFromInline
  func endDelivery() {
    guard let chain = stopDelivery() else { return }
    DisposalList.dispose(chain, for: .ending)
    leaveHandlerInTurn()
  }

  /// Ends the delivery without disposing anything yet. Returns the chain of the upstreams to the one call
  /// that did so, which then disposes it, and calls ``leaveHandlerInTurn()``.
  func stopDelivery() -> UInt64? { ended.claim() ? stop() ?? 0 : nil }

  /// Has the handler released: by this thread, or by the one that is in the turn.
  func leaveHandlerInTurn() {
    if turn.enter(as: BiasedTurn<Void>.ownMark) {
      releaseHandler()
      turn.leave()
    } else {
      perform(self, .postRelease)
    }
    deliverWaiting()
  }

  @usableFromInline
  func deliverWaiting() { if turn.isWaiting { perform(self, .deliverWaiting) } }

  @usableFromInline
  func releaseHandler() { leaveHandler(endingRunAfter: nil) }

  /// Disposes the upstreams of `chain` and ends the run, if there is one; then destroys the handler. Does
  /// nothing the second time. The upstreams may hold the last reference to another observer, and so on: as
  /// with sources, the first few of these are released recursively, and deeper ones in a loop.
  private func leaveHandler(endingRunAfter chain: UInt64?) {
    guard hasHandler else { return }
    hasHandler = false
    let handler = AnyHandler(at: self.handler)
    ReleaseQueue().end(
      { handler.destroy(endingRunAfter: chain) },
      orPutOff: LeftHandler(moving: handler, endingRunAfter: chain))
  }
}
