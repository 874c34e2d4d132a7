// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import CWeirAtomics

// # Bias
//
// Guarantees: a turn that one thread has entered `patience` times in a row, with no other thread in between,
// becomes biased to that thread, its owner. The owner then enters and leaves by plain stores, at a fraction
// of the cost, and nobody waits. The first other thread that finds the turn taken, or has to know what its
// holder reads, revokes the bias, at the cost of a fence on all processors; from then on it is an ordinary
// turn, for ever. So a turn that one thread uses is fast, and one that several use pays once.
//
// State: the token of the turn is 0 while the turn is free; a holder's mark, with its lowest bit set;
// [owner | biased]; [owner | revoked] while the bias is being revoked; or [owner | fenced] when there was a
// fence after that. `inside` is 0, or the owner's mark while the owner holds the turn by its bias or is about
// to find out that it does not. `run` counts consecutive entries by one thread, up to `spent`.
//
// Invariants:
//  1. A holder gives the bias to itself, as it leaves, and the bias is given at most once. So there is one
//     owner, and only the owner writes `inside`. (When the owner ends, a later thread may get its number and
//     be the owner: the first one cannot be inside.)
//  2. The owner holds the turn from when it has stored its mark in `inside` and then found the token biased,
//     until it stores 0 in `inside`. It then loads the token once more, also if it had found it not biased
//     any more, and frees it if it is revoked.
//  3. The token goes from biased to revoked once, by any thread but the owner; from there to fenced by any
//     thread, after a fence; and from either to 0 by any thread that finds `inside` 0 after a fence, or by
//     the owner (2). The fence is between the exchange of the token and the load of `inside`; the owner
//     stores to `inside`, then loads the token. So the owner sees that the token is revoked, or the other
//     thread sees the owner inside, and nobody frees the token while it is. One fence is enough, because the
//     owner cannot enter by bias any more. So a callback that blocks costs the others one fence, not one
//     each.
//  4. A poster that has pushed, and finds the token biased to another thread, or revoked, does all of 3
//     itself, whatever others do. So either it frees the token and proceeds, or the owner is inside, and will
//     check the inbox when it has left. A reclaimer may free the token without checking the inbox.
//  5. Reclaiming: a holder publishes what it reads in the token or, if it is the owner, in `inside`. A thread
//     that has made something unreachable and finds the token biased or revoked loads `inside` after a fence:
//     either the owner published before the fence and is seen, or the owner reads the state as it is now.
//
// Orderings: 3 and 5 are store buffering, with a fence on the other thread's side only. Storing 0 in `inside`
// releases what the owner did.

/// The bias of a turn to one thread, and what that thread does with it. In four words: the turn's first two,
/// and two behind them.
@frozen @usableFromInline
struct Bias: @unchecked Sendable {  // shared through atomics and the rules above only
  @inlinable @inline(__always) static var biased: UInt64 { 2 }
  @inlinable @inline(__always) static var revoked: UInt64 { 4 }
  @inlinable @inline(__always) static var fenced: UInt64 { biased | revoked }
  /// The bits of these three.
  @inlinable @inline(__always) static var given: UInt64 { biased | revoked }
  /// A fence costs as much as two hundred biased entries save.
  @inlinable @inline(__always) static var patience: UInt64 { 256 }
  @inlinable @inline(__always) static var spent: UInt64 { patience + 1 }

  @usableFromInline let words: UnsafeMutablePointer<UInt64>

  @inlinable @inline(__always)
  init(_ words: UnsafeMutablePointer<UInt64>) { self.words = words }

  @inlinable @inline(__always) var token: AtomicWord { AtomicWord(words) }
  @inlinable @inline(__always) var inside: AtomicWord { AtomicWord(words + 2) }
  @inlinable @inline(__always) var run: AtomicWord { AtomicWord(words + 3) }

  /// Where the holder publishes its mark.
  @inlinable @inline(__always)
  var mark: AtomicWord { token.loadRelaxed() & Self.given == 0 ? token : inside }

  @inlinable @inline(__always)
  static func isOwned(_ seen: UInt64) -> Bool { seen == weir_thread() | biased }

  /// Enters by bias, for the owner, which has seen the token biased.
  @inlinable @inline(__always)
  func enter(_ seen: UInt64, as mark: UInt64) -> Bool {
    if inside.loadRelaxed() != 0 { return false }
    inside.storeAsymmetric(mark)
    if token.load() == seen { return true }
    leave()
    return false
  }

  /// Leaves, for the owner that is inside.
  @inlinable @inline(__always)
  func leave() {
    inside.storeAsymmetric(0)
    if token.load() & Self.revoked != 0 { free() }
  }

  /// Frees a revoked token, unless that has been done.
  @usableFromInline
  func free() {
    var seen = token.load()
    while seen & Self.revoked != 0, !token.compareExchange(seen, 0) { seen = token.load() }
  }

  /// Counts an entry, for a holder that has just entered an ordinary turn.
  ///
  /// - Parameter last: the thread that entered before it; 0 if none did.
  @inlinable @inline(__always)
  func count(_ last: UInt64) {
    let seen = run.loadRelaxed()
    if seen < Self.patience { run.storeRelaxed(last == 0 || last == weir_thread() ? seen + 1 : 0) }
  }

  /// For the holder of an ordinary turn: frees the token, or biases it to the calling thread.
  @inlinable @inline(__always)
  func leaveOrdinary() { if run.loadRelaxed() == Self.patience { give() } else { _ = token.exchange(0) } }

  @usableFromInline
  func give() {
    run.storeRelaxed(Self.spent)
    _ = token.exchange(weir_has_process_fence() ? weir_thread() | Self.biased : 0)
  }

  /// Revokes the bias, for a thread that has seen the token biased or revoked, and is not the owner. Returns
  /// the owner's mark if the owner is inside, else 0.
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

  /// The mark that the holder has published, for a thread that has made something unreachable.
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
