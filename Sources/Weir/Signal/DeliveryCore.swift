// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// The protocol of this object stands at the head of SerialDelivery.swift.

/// What a ``SerialDelivery`` is, without its types: making and ending one asks the runtime for none, which takes hundreds of instructions each.
///
/// It is its own node in the list of the subscription that it delivers to; that list keeps its memory, and not the object.
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

  // The first two stand where those of a DisposalNode do.
  @exclusivity(unchecked) private var linkWord: UInt64 = 0
  @exclusivity(unchecked) @usableFromInline var endedWord: UInt64 = 0
  /// Room for a handler, which is of one size whatever it takes.
  @exclusivity(unchecked) @usableFromInline var handlerWords: (UInt64, UInt64, UInt64, UInt64, UInt64) =
    (0, 0, 0, 0, 0)
  /// Those of the turn.
  @usableFromInline let words: UnsafeMutablePointer<UInt64>
  /// Ends with this object; the subscriptions of what is listened to belong in here.
  @usableFromInline let upstreams = Subscription()
  private let perform: @Sendable (DeliveryCore, TypedStep) -> Void
  @exclusivity(unchecked) private var hasHandler = true

  /// The turn begins with the third word of a cache line.
  private static var wordCount: Int { 2 + BiasedTurn<Void>.wordCount }

  /// Whoever makes it puts a handler into its place.
  @usableFromInline
  init(_ perform: @escaping @Sendable (DeliveryCore, TypedStep) -> Void) {
    words = weir_block_allocate(8 * Self.wordCount).assumingMemoryBound(to: UInt64.self) + 2
    self.perform = perform
    _ = BiasedTurn<Void>(words: words)
  }

  deinit {
    if ended.claim() {
      upstreams.dispose()
      subscription(ofHandler: handler).dispose()
    }
    perform(self, .destroyTurn)
    releaseHandler()
    weir_block_free(words - 2, 8 * Self.wordCount)
  }

  @inlinable var ended: OnceFlag {
    @inline(__always) get { OnceFlag(AtomicWord(property: 1, of: self)) }
  }

  @inlinable var handler: UnsafeMutableRawPointer {
    @inline(__always) get { Unmanaged.passUnretained(self).toOpaque() + 32 }
  }

  /// The same for all items but for what waits.
  private var turn: BiasedTurn<Void> { BiasedTurn(sharing: words) }

  @usableFromInline var isDisposed: Bool { ended.isClaimed }

  /// Ends it from downstream: no event is delivered any more, and everything is released.
  @usableFromInline
  func dispose() {
    guard ended.claim() else { return }
    upstreams.dispose()
    if turn.enter(as: 1) {
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
  func releaseHandler() {
    guard hasHandler else { return }
    hasHandler = false
    destroyHandler(handler)
  }
}
