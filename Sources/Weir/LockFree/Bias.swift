// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import CWeirAtomics

// # Bias
//
// Guarantees: a turn that one thread has entered `patience` times in a row, and no other in between, belongs
// to that thread: then it enters and leaves by plain stores, at a fraction of the price, and nobody waits for
// anybody. The first other thread that finds the turn taken, or must know what its holder reads, takes that
// away, at the price of a fence on all processors; from then on it is an ordinary turn, for ever. So what is
// fed by one thread is quick, and what is fed by several pays once.
//
// State: the token of the turn is 0 while it is free, a holder's mark with its lowest bit set, [owner |
// biased], or, while the bias is being taken away, [owner | revoked], and [owner | fenced] when there was a
// fence after that. `inside` is 0, or the owner's mark while it has the turn by its bias, or is finding out
// that it has not. `run` counts entries of one thread in a row, up to `spent`.
//
// Invariants:
//  1. The bias is given at most once, by the holder, to itself, as it leaves. So there is one owner, and only
//     the owner writes `inside`. (When the owner ends, a later thread may get its number, and own the turn as
//     well as it did: the first one cannot be inside.)
//  2. The owner has the turn from when it has stored its mark in `inside` and then found the token biased,
//     until it stores 0 there. It then looks at the token once more, also if it had found that it was not
//     biased any more, and frees it if it is revoked.
//  3. The token goes from biased to revoked by whoever else wants it, once; from there to fenced by anybody,
//     after a fence; and from either to 0 by anybody who finds nobody inside after a fence, or by the owner
//     (2). The fence orders the exchange before the look, against the owner's store before its look: so the
//     owner sees that it is revoked, or the other sees that it is inside, and nobody frees the token while it
//     is. One fence is enough: the owner does not come in any more. So a callback that blocks costs others
//     one fence, and not one each.
//  4. A poster that has pushed, and finds the token biased to another, or revoked, does all of 3 itself,
//     whoever else does. So it frees the token and goes on, or the owner is inside, and will look at the
//     inbox when it has left. A reclaimer may free the token without looking.
//  5. Reclaiming: what a holder reads is published in the token or, by the owner, in `inside`. Who has made
//     something unreachable and finds the token given looks into `inside` after a fence: the owner published
//     before that, or it reads what is in force now.
//
// Orderings: 3 and 5 are store buffering with the fence on the other side. `inside` releases what the owner
// did.

/// Whether a turn belongs to one thread, and what that does with it. In four words: two of the turn, two
/// behind them.
@frozen @usableFromInline
struct Bias: @unchecked Sendable {  // shared through atomics and the rules above only
  @inlinable @inline(__always) static var biased: UInt64 { 2 }
  @inlinable @inline(__always) static var revoked: UInt64 { 4 }
  @inlinable @inline(__always) static var fenced: UInt64 { biased | revoked }
  /// The bits of the three.
  @inlinable @inline(__always) static var given: UInt64 { biased | revoked }
  /// A fence costs as much as two hundred entries by bias save.
  @inlinable @inline(__always) static var patience: UInt64 { 256 }
  @inlinable @inline(__always) static var spent: UInt64 { patience + 1 }

  @usableFromInline let words: UnsafeMutablePointer<UInt64>

  @inlinable @inline(__always)
  init(_ words: UnsafeMutablePointer<UInt64>) { self.words = words }

  @inlinable @inline(__always) var token: AtomicWord { AtomicWord(words) }
  /// The thread that entered last.
  @inlinable @inline(__always) var holder: AtomicWord { AtomicWord(words + 1) }
  @inlinable @inline(__always) var inside: AtomicWord { AtomicWord(words + 2) }
  @inlinable @inline(__always) var run: AtomicWord { AtomicWord(words + 3) }

  /// Where the holder publishes its mark.
  @inlinable @inline(__always)
  var mark: AtomicWord { token.loadRelaxed() & Self.given == 0 ? token : inside }

  @inlinable @inline(__always)
  static func isOwned(_ seen: UInt64) -> Bool { seen == weir_thread() | biased }

  /// For the owner, which has seen the token biased.
  @inlinable @inline(__always)
  func enter(_ seen: UInt64, as mark: UInt64) -> Bool {
    if inside.loadRelaxed() != 0 { return false }
    inside.storeAsymmetric(mark)
    if token.load() == seen { return true }
    leave()
    return false
  }

  /// For the owner that is inside.
  @inlinable @inline(__always)
  func leave() {
    inside.storeAsymmetric(0)
    if token.load() & Self.revoked != 0 { free() }
  }

  /// Makes a revoked token an ordinary one, unless that has been done.
  @usableFromInline
  func free() {
    var seen = token.load()
    while seen & Self.revoked != 0, !token.compareExchange(seen, 0) { seen = token.load() }
  }

  /// For a holder that has just entered an ordinary turn.
  ///
  /// - Parameter last: who entered before it; 0 if nobody did.
  @inlinable @inline(__always)
  func count(_ last: UInt64) {
    let seen = run.loadRelaxed()
    if seen < Self.patience { run.storeRelaxed(last == 0 || last == weir_thread() ? seen + 1 : 0) }
  }

  /// For the holder of an ordinary turn: frees the token, or keeps it for later.
  @inlinable @inline(__always)
  func leaveOrdinary() { if run.loadRelaxed() == Self.patience { give() } else { _ = token.exchange(0) } }

  @usableFromInline
  func give() {
    run.storeRelaxed(Self.spent)
    _ = token.exchange(weir_has_process_fence() ? weir_thread() | Self.biased : 0)
  }

  /// Takes the bias away, for a thread that has seen the token given, and is not the owner. Answers the mark
  /// of the owner if that is inside, or 0.
  @usableFromInline @discardableResult
  func revoke(_ seen: UInt64) -> UInt64 {
    let owner = seen & ~Self.given
    if seen == owner | Self.biased { _ = token.compareExchange(seen, owner | Self.revoked) }
    if token.load() != owner | Self.fenced {
      weir_process_fence()
      _ = token.compareExchange(owner | Self.revoked, owner | Self.fenced)
    }
    let mark = inside.load()
    if mark == 0 { free() }
    return mark
  }

  /// The mark that the holder has published, for who has made something unreachable before.
  @inlinable @inline(__always)
  func published() -> UInt64 {
    let seen = token.load()
    return seen & Self.given == 0 ? seen : publishedByOwner(seen)
  }

  @usableFromInline
  func publishedByOwner(_ seen: UInt64) -> UInt64 {
    seen & ~Self.given == weir_thread() ? inside.load() : revoke(seen)
  }
}
