// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Release queue
//
// Guarantees: what hangs on something else in a long chain is released in a loop and not from inside each
// other, so that a small stack is enough for any length of it.
//
// Two words of the calling thread: [how many ends stand on its stack: 63 | whether somebody there is going
// through the nodes: 1], and the nodes that are left.
//
// Invariants:
//  1. Who adds nodes goes through all that are left, unless somebody is at that further up the stack: that
//     one takes what a node has released when that node has gone. So there is one such loop on the stack at
//     most, and where there is none, nothing is left.
//  2. An end, as of a source, is not put off, because somebody looks at what comes of it: it may stand inside
//     another one. With eight of them on the stack one more is a node, too. So that is the most there are.
//  3. An end is not a loop: what is released in there, outside of any loop, is released at once. A user may
//     walk a long list in a clean-up.

/// What the calling thread is about to release.
struct ReleaseQueue {
  private static var goingThrough: UInt64 { 1 }
  private static var level: UInt64 { 2 }
  /// Few, as much of a user may stand on the stack for each.
  private static var deep: UInt64 { 8 * level }

  private let words = weir_thread_release_queue()

  /// Takes over a reference.
  func put(_ node: DisposalNodePointer) {
    node.setNext(words[1])
    words[1] = node.bits
  }

  /// Releases everything, unless this thread is doing so further up its stack.
  func run() { if words[0] & Self.goingThrough == 0 { releaseAll() } }

  /// Does what ends something: now; or in the loop, if this thread is deep in others already.
  ///
  /// - Parameter leftover: the address of a ``Leftover`` that does so as it goes, with the one reference to
  ///   it.
  func run(_ end: () -> Void, orPutOff leftover: @autoclosure () -> UInt64) {
    if words[0] >= Self.deep { return Leftover.release(leftover()) }
    words[0] += Self.level
    end()
    words[0] -= Self.level
  }

  private func releaseAll() {
    words[0] |= Self.goingThrough
    defer { words[0] &= ~Self.goingThrough }
    while words[1] != 0 {
      let node = DisposalNodePointer(bits: words[1])
      words[1] = node.next
      node.abandon()
      node.release()
    }
  }
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
    queue.put(DisposalNodePointer(leftoverAt: address))
    queue.run()
  }
}
