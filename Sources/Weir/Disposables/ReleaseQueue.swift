// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Release queue
//
// Guarantees: what hangs on something else in a long chain is released in a loop and not from inside each
// other, so that a small stack is enough for any length of it.
//
// Two words of the calling thread: whether it is releasing, and the nodes that are left. What a node releases
// in turn is added, and put off until that node is gone.

/// What the calling thread is about to release.
struct ReleaseQueue {
  private let words = weir_thread_release_queue()

  /// Takes over a reference.
  func put(_ node: DisposalNodePointer) {
    node.setNext(words[1])
    words[1] = node.bits
  }

  /// Whether this thread is releasing something further up its stack.
  var isRunning: Bool { words[0] != 0 }

  /// Releases everything, unless this thread is doing so further up its stack.
  ///
  /// - Parameter first: what to do before that; what it releases waits for its turn.
  func run(_ first: () -> Void = {}) {
    if isRunning { return }
    words[0] = 1
    first()
    while words[1] != 0 {
      let node = DisposalNodePointer(bits: words[1])
      words[1] = node.next
      node.abandon()
      node.release()
    }
    words[0] = 0
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
