// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import CWeirAtomics

/// A ``DeliveryTurn`` that costs next to nothing while only one thread enters it; see ``Bias``.
///
/// Marks have their lowest bit set, and the two above it clear.
@frozen @usableFromInline
struct BiasedTurn<Item>: @unchecked Sendable {  // as its parts
  @inlinable static var wordCount: Int { DeliveryTurn<Item>.wordCount }

  @usableFromInline let turn: DeliveryTurn<Item>

  /// - Parameters:
  ///   - words: ``wordCount`` zeroed words that outlive the turn, starting at the third word of a cache line.
  ///   - patience: how many consecutive entries by the first thread bias the turn to it, at most
  ///     ``Bias/patience``.
  @inlinable
  init(words: UnsafeMutablePointer<UInt64>, patience: UInt64 = weir_perturbed_patience(Bias.patience)) {
    turn = DeliveryTurn(words: words)
    bias.run.storeRelaxed(Bias.patience - patience)
  }

  /// The turn that was already made with these words.
  @inlinable @inline(__always)
  init(sharing words: UnsafeMutablePointer<UInt64>) { turn = DeliveryTurn(words: words) }

  /// Its words are the token, the holder, and two of the words between these and the inbox.
  @inlinable @inline(__always) var bias: Bias { Bias(turn.words) }
  @inlinable @inline(__always) var newest: UInt32 { turn.newest }
  @inlinable @inline(__always) var isWaiting: Bool { turn.isWaiting }

  /// Takes the turn if it is free and no item is pending.
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

  /// Takes the turn while items are pending and no other thread holds it, and delivers them in order.
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
        // The thread that revoked the bias need not check the inbox.
        bias.free()
      }
    }
    guard turn.token.compareExchange(0, mark) else { return false }
    turn.holder.storeRelaxed(weir_thread())
    return true
  }

  /// True if no item is pending and no thread delivers: what was sent before this call has been delivered.
  ///
  /// The turn was taken for a moment: call ``deliverWaiting(as:_:)`` afterwards if ``isWaiting``.
  @inlinable
  func passThrough(as mark: UInt64) -> Bool {
    // In this order: a thread that has taken the pending items holds the turn until they are delivered.
    guard !turn.isWaiting, enterToDrain(as: mark) else { return false }
    leave()
    return true
  }

  /// The mark of the calling thread, for turns whose holder has nothing else to publish.
  @inlinable @inline(__always) static var ownMark: UInt64 { weir_thread() | 1 }

  /// Whether the calling thread holds the turn, that is, was called from inside a delivery. Only for turns
  /// that are always entered with ``ownMark``.
  ///
  /// A relaxed load is enough, as a thread looks for its own mark, which it wrote itself when it entered and
  /// removes when it leaves. (When a thread has ended, a later one may get its number; the first one is in no
  /// delivery any more.)
  @inlinable @inline(__always) var isHere: Bool { bias.mark.loadRelaxed() == Self.ownMark }

  // The same as in DeliveryTurn.

  @inlinable func post(_ item: consuming Item) { turn.post(item) }
  @inlinable func destroy() { turn.destroy() }
}
