// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Release queue
//
// Guarantees: what hangs on something else in a long chain is released in a loop and not from inside each
// other, so that a small stack is enough for any length of it.
//
// Two words of the calling thread: [how many loops and ends stand on its stack: 63 | whether there is a loop
// among them: 1], and the nodes that no loop has taken, the last one first.
//
// Invariants:
//  1. A loop takes the nodes that are there, in the order in which they were added, and then those that these
//     have added, until there are none. Who adds nodes begins a loop of its own, which does not see what
//     another one has taken: what is released in a clean-up has gone when its release returns, also if a loop
//     runs the clean-up. So a user may walk a long list there. This does not hold of a clean-up that was put
//     off itself: it runs as deep as that, and what it releases is left, too (invariant 3).
//  2. While fewer than eight loops and ends stand on the stack, an end, as of a source or a handler, runs at
//     once: whoever releases the owner sees its effect when the release returns.
//  3. From then on an end is queued, as a node. If a loop stands on the stack, no other is begun: the
//     innermost takes the nodes when the object that it is releasing is gone. If none does, one is begun, the
//     ninth frame. So nine is the most, and nothing is queued without a loop to take it.
//  4. What is put off comes in the order in which it was put off, and the nodes of a list in that in which
//     they were added to it: so closures that a run calls at its end keep their order where it is released.

/// What the calling thread is about to release.
struct ReleaseQueue {
  private static var goingThrough: UInt64 { 1 }
  private static var level: UInt64 { 2 }
  /// Few, as much of a user may stand on the stack for each.
  private static var deep: UInt64 { 8 * level }

  private let words = weir_thread_release_queue()

  /// Takes over the references of a chain that is not empty, which has the last one first, too.
  func put(_ chain: UInt64) {
    var first = DisposalNodePointer(bits: chain)
    while first.next != 0 { first = DisposalNodePointer(bits: first.next) }
    first.setNext(words[1])
    words[1] = chain
  }

  /// Releases what was added; or leaves it to the innermost loop, if this thread is deep in others already.
  func run() {
    let before = words[0]
    if before >= Self.deep, before & Self.goingThrough != 0 { return }
    words[0] = (before + Self.level) | Self.goingThrough
    while words[1] != 0 { releaseAll() }
    words[0] = before
  }

  /// For an owner's deinit: ends what it has left. Now; or in the innermost loop, if this thread is deep in
  /// others already. What is ended may be all that keeps another owner, and so on.
  ///
  /// - Parameters:
  ///   - left: is retained only if its end is put off.
  ///   - end: ends it. It may run user code.
  // Not inlined: who asks before whether there is something to end should need no more registers than that.
  @inline(never)
  func end<Left: AnyObject>(_ left: Left, by end: @escaping (Left) -> Void) {
    self.end({ end(left) }, orPutOff: PutOffEnd { end(left) })
  }

  /// The same for what is no object. It must not keep the owner.
  func end(_ end: @escaping () -> Void) { self.end(end, orPutOff: PutOffEnd(end)) }

  /// The same where it takes more to put it off.
  ///
  /// - Parameter leftover: does as it goes what `end` does.
  func end(_ end: () -> Void, orPutOff leftover: @autoclosure () -> Leftover) {
    if words[0] >= Self.deep { return Leftover.release(leftover().given()) }
    words[0] += Self.level
    end()
    words[0] -= Self.level
  }

  private func releaseAll() {
    var left = DisposalList.reversed(words[1])
    words[1] = 0
    while left != 0 {
      let node = DisposalNodePointer(bits: left)
      left = node.next
      node.abandon()
      node.release()
    }
  }
}

/// An end that was put off.
private final class PutOffEnd: Leftover {
  private let end: () -> Void

  init(_ end: @escaping () -> Void) { self.end = end }

  deinit { end() }
}

/// What something that is gone has left behind: an object to release when its turn comes.
@usableFromInline
class Leftover {
  // The link of the queue that it is in.
  private final var linkWord: UInt64 = 0

  @usableFromInline init() {}

  /// The address of this object, with a reference to it.
  @inlinable
  final func given() -> UInt64 { UInt64(UInt(bitPattern: Unmanaged.passRetained(self).toOpaque())) }

  /// Gives away the one reference to the leftover at `address`, if it is not 0. It is released now, or after
  /// what the calling thread is releasing.
  @usableFromInline
  static func release(_ address: UInt64) {
    if address == 0 { return }
    let queue = ReleaseQueue()
    queue.put(DisposalNodePointer(leftoverAt: address).bits)
    queue.run()
  }
}
