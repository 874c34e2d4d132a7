// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Release queue
//
// Guarantees: what hangs on something else in a long chain is released in a loop and not from inside each
// other, so that a small stack is enough for any length of it.
//
// Two words of the calling thread: how deep it is in what releases, and the nodes that are left. What a node
// releases in turn is added, and put off until that node is gone: only the outermost run goes through them.
// What cannot be put off, as somebody looks at what comes of it, is done inside, down to a few levels.

/// What the calling thread is about to release.
struct ReleaseQueue {
  private let words = weir_thread_release_queue()

  /// Takes over a reference.
  func put(_ node: DisposalNodePointer) {
    node.setNext(words[1])
    words[1] = node.bits
  }

  /// Whether this thread runs the queue so often further up its stack that one should put off what one can.
  /// Few, as much of a user may stand on the stack for each.
  var isDeep: Bool { words[0] >= 8 }

  /// Releases everything, unless this thread is about to do so further up its stack.
  ///
  /// - Parameter first: what to do before that; what it releases waits for its turn.
  func run(_ first: () -> Void = {}) {
    words[0] += 1
    first()
    if words[0] == 1 { releaseAll() }
    words[0] -= 1
  }

  private func releaseAll() {
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
