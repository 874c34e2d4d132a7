// Part of Weir. SPDX-License-Identifier: Apache-2.0

// The protocol of this object stands at the head of SerialDelivery.swift.

/// What a ``SerialDelivery`` is, without its types: making and ending one asks the runtime for none, which
/// takes hundreds of instructions each.
///
/// It is its own node in the list of the subscription that it delivers to; that list keeps its memory, and
/// not the object.
@usableFromInline
final class DeliveryCore: Disposable, @unchecked Sendable {
  // Unchecked: the words are atomic, the handler by invariant 2.
  /// What can only be done where the types are known.
  @frozen @usableFromInline
  enum TypedStep: Sendable {
    /// Takes the turn while something waits and nobody else has it, and delivers that.
    case deliverWaiting
    /// Asks the holder of the turn to release the handler.
    case postRelease
    case destroyTurn
  }

  /// What becomes of a failure that is sent after the end.
  @frozen @usableFromInline enum LateFailure: Sendable { case isReported, isDropped }

  private typealias HandlerWords = InlineArray<6, UInt64>
  /// Seven words may be skipped, and a turn takes eleven.
  private typealias Room = InlineArray<18, UInt64>

  // The first two stand where those of a DisposalNode do.
  @exclusivity(unchecked) private var linkWord: UInt64 = 0
  @exclusivity(unchecked) @usableFromInline var endedWord: UInt64 = 0
  /// Room for a handler, which is of one size whatever it takes.
  @exclusivity(unchecked) private var handlerWords = HandlerWords(repeating: 0)
  /// Room for the words of a turn, and for what is skipped to have them where they should be in cache lines.
  /// In here, as a block of their own would take as long to get as the rest of the object.
  @exclusivity(unchecked) private var room = Room(repeating: 0)
  /// The subscriptions of what is listened to belong in here. It ends when this object has gone, at the
  /// latest; deep inside of other releases, when the innermost of them is over.
  @usableFromInline let upstreams = Subscription()
  private let perform: @Sendable (DeliveryCore, TypedStep) -> Void
  @exclusivity(unchecked) private var hasHandler = true
  /// Belongs to the holder of the turn.
  @exclusivity(unchecked) @usableFromInline var lateFailure = LateFailure.isReported

  @inlinable static var handlerOffset: Int { 16 + 8 * 2 }
  @inlinable static var roomOffset: Int { handlerOffset + 8 * AnyHandler.wordCount }

  /// Whoever makes it puts a handler into its place.
  @usableFromInline
  init(_ perform: @escaping @Sendable (DeliveryCore, TypedStep) -> Void) {
    self.perform = perform
    assert(
      UnsafeRawPointer(words + BiasedTurn<Void>.wordCount) <= handler + MemoryLayout<HandlerWords>.size
        + MemoryLayout<Room>.size,
      "weir: a turn does not fit into the room that a delivery has for it")
    _ = BiasedTurn<Void>(words: words)
  }

  deinit {
    let endsRun = ended.claim()
    perform(self, .destroyTurn)
    // What is upstream may end after this: who refers to this object without keeping it has the turn, and
    // nobody has.
    leaveHandler(endsRun ? { $0.disposeAndDestroy(after: $1) } : { handler, _ in handler.destroy() })
  }

  @inlinable var ended: OnceFlag {
    @inline(__always) get { OnceFlag(AtomicWord(property: 1, of: self)) }
  }

  /// Those of the turn, which begins with the third word of a cache line.
  @inlinable var words: UnsafeMutablePointer<UInt64> {
    @inline(__always) get {
      let room = Unmanaged.passUnretained(self).toOpaque() + Self.roomOffset
      return ((room - 16).alignedUp(toMultipleOf: 64) + 16).assumingMemoryBound(to: UInt64.self)
    }
  }

  @inlinable var handler: UnsafeMutableRawPointer {
    @inline(__always) get { Unmanaged.passUnretained(self).toOpaque() + Self.handlerOffset }
  }

  /// The same for all items but for what waits.
  private var turn: BiasedTurn<Void> { BiasedTurn(sharing: words) }

  @usableFromInline var isDisposed: Bool { ended.isClaimed }

  /// Ends it from downstream, or from inside the handler, which then sends the end itself: no event is
  /// delivered any more, and everything is released.
  @usableFromInline
  func dispose() {
    guard ended.claim() else { return }
    upstreams.dispose()
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
  func releaseHandler() { leaveHandler { handler, _ in handler.destroy() } }

  /// Has the last done with the handler and the upstreams, once. They may be all that keeps another observer,
  /// and so on: as with sources, the first few of these are released inside each other, and what is deeper in
  /// a loop.
  private func leaveHandler(_ doLast: @escaping (AnyHandler, Subscription) -> Void) {
    guard hasHandler else { return }
    hasHandler = false
    let handler = AnyHandler(at: self.handler)
    ReleaseQueue().end(
      { doLast(handler, upstreams) }, orPutOff: LeftHandler(moving: handler, fedBy: upstreams, doLast))
  }
}
