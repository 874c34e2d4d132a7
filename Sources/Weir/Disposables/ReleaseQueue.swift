// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Release queue
//
// Guarantees: objects that retain each other in a long chain are released in a loop and not recursively, so
// that a small stack is enough for any length of the chain. An *end* is what an owner's deinit does to what
// it leaves behind.
//
// Two words of the calling thread: [how many loops and ends are on its stack: 63 | whether there is a loop
// among them: 1], and the nodes that no loop has taken, the last one first.
//
// Invariants:
//  1. A loop takes the nodes that are there, in the order in which they were added, and then those that these
//     have added, until there are none. Code that adds nodes starts a loop of its own, which does not see the
//     nodes that another one has taken: an object that is released in a clean-up is gone when its release
//     returns, even if a loop runs the clean-up. So a user may walk a long list there. This does not hold for
//     a clean-up that was put off itself: it may run at that depth, where what it releases is put off, too
//     (invariant 3).
//  2. While fewer than eight loops and ends are on the stack, an end, such as that of a source or a handler,
//     runs at once: the code that releases the owner sees its effect when the release returns.
//  3. From eight on, an end is queued, as a node. If a loop is on the stack, no other is started: the
//     innermost takes the nodes when the object that it is releasing is gone. If there is none, one is
//     started, the ninth level. So nine is the maximum, and nothing is queued without a loop to take it.
//  4. Ends that are put off run in the order in which they were put off, and the nodes of a list are released
//     in the order in which they were added to it: so closures that a run calls at its end keep their order
//     where it is released.

/// The objects that the calling thread is about to release.
struct ReleaseQueue {
  private static var goingThrough: UInt64 { 1 }
  private static var level: UInt64 { 2 }
  /// Few, as users' code may take much of the stack at each level.
  private static var deep: UInt64 { 8 * level }

  private let words = weir_thread_release_queue()

  /// Takes over the references of a chain that is not empty, and also has the last node first.
  func put(_ chain: UInt64) {
    var first = DisposalNodePointer(bits: chain)
    while first.next != 0 { first = DisposalNodePointer(bits: first.next) }
    first.setNext(words[1])
    words[1] = chain
  }

  /// Releases what was added; or leaves it to the innermost loop, if this thread is already deep in others.
  func run() {
    let before = words[0]
    if before >= Self.deep, before & Self.goingThrough != 0 { return }
    words[0] = (before + Self.level) | Self.goingThrough
    while words[1] != 0 { releaseAll() }
    words[0] = before
  }

  /// For an owner's deinit: ends what it leaves behind. Now; or in the innermost loop, if this thread is
  /// already deep in others. What is ended may hold the last reference to another owner, and so on.
  ///
  /// - Parameters:
  ///   - left: retained only if its end is put off.
  ///   - end: ends it. It may run user code.
  // Not inlined: a caller that first checks whether there is something to end should need no more registers
  // than the check.
  @inline(never)
  func end<Left: AnyObject>(_ left: Left, by end: @escaping (Left) -> Void) {
    self.end({ end(left) }, orPutOff: PutOffEnd { end(left) })
  }

  /// The same without an object. `end` must not retain the owner.
  func end(_ end: @escaping () -> Void) { self.end(end, orPutOff: PutOffEnd(end)) }

  /// The same where putting it off takes more than that closure.
  ///
  /// - Parameter leftover: does in its deinit what `end` does.
  func end(_ end: () -> Void, orPutOff leftover: @autoclosure () -> Leftover) {
    if words[0] >= Self.deep { return Leftover.release(leftover().given()) }
    words[0] += Self.level
    end()
    words[0] -= Self.level
  }

  /// For an owner's deinit: releases a closure that was never called. Now; or in the innermost loop, if this
  /// thread is already deep in others. Not generic: then the caller would retain a copy of the closure.
  func release(_ closure: inout (@Sendable () -> Void)?) {
    if closure == nil { return }
    if words[0] >= Self.deep { return Leftover.release(LeftClosure.taking(&closure)) }
    words[0] += Self.level
    Self.drop(&closure)
    words[0] -= Self.level
  }

  /// Not optimised: where the optimiser of Swift 6.3 sees a release, it takes it for one that reads no
  /// memory, and leaves out the store before it.
  @inline(never) @_optimize(none)
  private static func drop(_ closure: inout (@Sendable () -> Void)?) { closure = nil }

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

/// A closure that was never called.
private final class LeftClosure: Leftover {
  private let closure: @Sendable () -> Void

  private init(_ closure: @escaping @Sendable () -> Void) { self.closure = closure }

  /// Moves the closure into an object of its own. A separate function, as nothing else may retain the closure
  /// when that object is released.
  @inline(never)
  static func taking(_ closure: inout (@Sendable () -> Void)?) -> UInt64 {
    guard let taken = closure.take() else { return 0 }
    return LeftClosure(taken).given()
  }
}

/// Something that a deallocated object has left behind, to be released when its turn comes.
@usableFromInline
class Leftover {
  // The link of the queue that it is in.
  private final var linkWord: UInt64 = 0

  @usableFromInline init() {}

  /// Returns the address of this object, with a new reference to it.
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
