// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import CWeirAtomics

/// A ``DeliveryTurn`` that costs next to nothing for a thread which is the only one to enter it; see
/// ``Bias``.
///
/// Marks have their lowest bit set, and the two above it clear.
@frozen @usableFromInline
struct BiasedTurn<Item>: @unchecked Sendable {  // as its parts
  @inlinable static var wordCount: Int { DeliveryTurn<Item>.wordCount }

  @usableFromInline let turn: DeliveryTurn<Item>

  /// - Parameters:
  ///   - words: ``wordCount`` zeroed words that outlive the turn, from the third of a cache line on.
  ///   - patience: how many entries in a row earn the bias the first time, at most ``Bias/patience``.
  @inlinable
  init(words: UnsafeMutablePointer<UInt64>, patience: UInt64 = weir_perturbed_patience(Bias.patience)) {
    turn = DeliveryTurn(words: words)
    bias.run.storeRelaxed(Bias.patience - patience)
  }

  /// The turn that has these words already.
  @inlinable @inline(__always)
  init(sharing words: UnsafeMutablePointer<UInt64>) { turn = DeliveryTurn(words: words) }

  /// Its words are the token, the holder, and two between these and the inbox.
  @inlinable @inline(__always) var bias: Bias { Bias(turn.words) }
  @inlinable @inline(__always) var newest: UInt32 { turn.newest }
  @inlinable @inline(__always) var isWaiting: Bool { turn.isWaiting }

  /// Takes the turn if it is free and nothing waits for it.
  @inlinable @inline(__always)
  func enter(as mark: UInt64) -> Bool {
    let seen = turn.token.loadRelaxed()
    if seen & Bias.given == Bias.biased {
      return Bias.isOwned(seen) && turn.newest == 0 && bias.enter(seen, as: mark)
    }
    let last = turn.holder.loadRelaxed()
    guard turn.enter(as: mark) else { return false }
    bias.count(last)
    return true
  }

  /// Gives the turn up. Call ``deliverWaiting(as:_:)`` afterwards if ``isWaiting``.
  @inlinable @inline(__always)
  func leave() {
    if turn.token.loadRelaxed() & Bias.given == 0 { bias.leaveOrdinary() } else { bias.leave() }
  }

  /// Takes the turn while items wait and nobody else has it, and delivers them in order.
  @inlinable
  func deliverWaiting(as mark: UInt64, _ deliver: (consuming Item) -> Void) {
    while turn.isWaiting {
      guard enterToDrain(as: mark) else { return }
      turn.drain(deliver)
      leave()
    }
  }

  @inlinable
  func enterToDrain(as mark: UInt64) -> Bool {
    let seen = turn.token.load()
    if seen & Bias.given != 0 {
      if seen & ~Bias.given != weir_thread() {
        bias.revoke(seen)
      } else {
        if bias.inside.loadRelaxed() != 0 { return false }
        if Bias.isOwned(seen), bias.enter(seen, as: mark) { return true }
        // Who took it away need not look at the inbox.
        bias.free()
      }
    }
    guard turn.token.compareExchange(0, mark) else { return false }
    turn.holder.storeRelaxed(weir_thread())
    return true
  }

  /// True if nothing waits and nobody delivers: what was sent before this call has been delivered.
  ///
  /// The turn was taken for a moment: call ``deliverWaiting(as:_:)`` afterwards if ``isWaiting``.
  @inlinable
  func passThrough(as mark: UInt64) -> Bool {
    // In this order: who has taken what waited has the turn until that is delivered.
    guard !turn.isWaiting, enterToDrain(as: mark) else { return false }
    leave()
    return true
  }

  /// The mark of the calling thread, for turns whose holder has nothing else to publish.
  @inlinable static var ownMark: UInt64 {
    @inline(__always) get { weir_thread() | 1 }
  }

  /// Whether the calling thread has the turn: whether it is inside of a delivery, that is, was called by one.
  /// For turns that are entered with ``ownMark`` only.
  ///
  /// In no order, as a thread looks for its own mark: that is there from when it has entered until it has
  /// left, by its own doing. (When a thread has ended, a later one may get its number; the first one is in no
  /// delivery any more.)
  @inlinable var isHere: Bool {
    @inline(__always) get { bias.mark.loadRelaxed() == Self.ownMark }
  }

  // What is the same for both.

  @inlinable
  func post(_ item: consuming Item, stamping stamp: (inout Item) -> Void = { _ in }) {
    turn.post(item, stamping: stamp)
  }
  @inlinable func renewStamps() { turn.renewStamps() }
  @inlinable func lookAtWaiting(_ look: (borrowing Item) -> Void) { turn.lookAtWaiting(look) }
  @inlinable func destroy() { turn.destroy() }
}
