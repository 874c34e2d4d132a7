// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Work queue
//
// Guarantees: any number of threads add work and take it out, first in, first out; each piece is taken out
// once. Nobody waits: a thread that stalls anywhere in here delays no other. Unbounded; memory is reused, so
// a steady state allocates nothing.
//
// It is the queue of Michael and Scott. Nodes come from a pool, and are named by number: `head` is the node
// whose work was taken out last, `tail` the last node or an earlier one, and each node's `link` names the one
// that follows, or none (0).
//
// Invariants:
//  1. `head`, `tail` and `link` are a TaggedIndex each, whose tag moves with every change, also that of a
//     link when its node is reused: so a compare-exchange by a thread that stalled fails if the word was
//     changed meanwhile (ABA).
//  2. A node is linked by the compare-exchange of the last node's link: from then on its work is in the
//     queue. `tail` is moved afterwards, by any thread. `head` never passes `tail`.
//  3. Work is taken out by the compare-exchange of `head`, and read before that: the node may belong to
//     another thread by then, and the words read may be garbage. If the exchange succeeds they are not, for
//     `head` has not moved, and a node is given back after `head` has passed it.
//  4. So a node's words are only accessed atomically, and the words read become a reference again only after
//     the exchange, in one thread.
//
// Orderings: sequentially consistent. A thread that adds work then checks whether a thread must be woken; a
// thread that is about to sleep says so, and then checks for work: one of them sees the other's write. The
// link of a node that is used again is released: a thread that finds it 0 also finds that `head` or `tail`
// has moved.

/// A queue that any number of threads fill and empty.
struct WorkQueue: @unchecked Sendable {  // all state is reached through atomics
  /// The ends of the queue have cache lines of their own: threads that add do not disturb threads that take.
  private static var tailOffset: Int { 8 }
  private static var nodesOffset: Int { 16 }
  static var wordCount: Int { nodesOffset + NodePool<Void, Node>.wordCount }

  /// The layout of a node in memory.
  struct Node {
    let link: UInt64
    let work: WorkBits
  }

  private let words: UnsafeMutablePointer<UInt64>

  /// - Parameter words: ``wordCount`` zeroed words that outlive the queue, starting at a cache line.
  init(words: UnsafeMutablePointer<UInt64>) {
    self.words = words
    let first = UInt64(nodes.take())
    head.storeRelaxed(first)
    tail.storeRelaxed(first)
  }

  private var head: AtomicWord { AtomicWord(words) }
  private var tail: AtomicWord { AtomicWord(words + Self.tailOffset) }
  var nodes: NodePool<Void, Node> { NodePool(words: words + Self.nodesOffset) }

  /// Word `index` of a node.
  private func word(_ index: Int, of node: UInt32) -> AtomicWord {
    AtomicWord(at: UnsafeMutableRawPointer(nodes.element(of: node)) + 8 * index)
  }

  /// Adds work at the end.
  func push(_ work: any ScheduledWork) {
    let bits = WorkBits(owning: work)
    let node = nodes.take()
    let link = word(0, of: node)
    link.storeRelease(TaggedIndex(link.loadRelaxed()).moved(to: 0).bits)
    word(1, of: node).storeRelaxed(bits.reference)
    word(2, of: node).storeRelaxed(bits.table)
    while true {
      let last = TaggedIndex(tail.load())
      let link = word(0, of: last.number)
      let following = TaggedIndex(link.load())
      guard tail.load() == last.bits else { continue }
      if following.number != 0 {
        _ = tail.compareExchange(last.bits, last.moved(to: following.number).bits)
      } else if link.compareExchange(following.bits, following.moved(to: node).bits) {
        _ = tail.compareExchange(last.bits, last.moved(to: node).bits)
        return
      }
    }
  }

  /// Takes out the work that was added first; nil if there is none.
  func pop() -> (any ScheduledWork)? {
    while true {
      let first = TaggedIndex(head.load())
      let last = TaggedIndex(tail.load())
      let following = TaggedIndex(word(0, of: first.number).load()).number
      guard head.load() == first.bits else { continue }
      if following == 0 { return nil }
      if first.number == last.number {
        _ = tail.compareExchange(last.bits, last.moved(to: following).bits)
        continue
      }
      let bits = WorkBits(
        reference: word(1, of: following).loadRelaxed(), table: word(2, of: following).loadRelaxed())
      if head.compareExchange(first.bits, first.moved(to: following).bits) {
        nodes.giveBack(first.number, through: first.number)
        return bits.taken()
      }
    }
  }

  /// Whether the queue was empty at some point during the call.
  var isEmpty: Bool {
    while true {
      let first = TaggedIndex(head.load())
      let following = TaggedIndex(word(0, of: first.number).load())
      if head.load() == first.bits { return following.number == 0 }
    }
  }

  /// Drops the work in it and frees the nodes. No other thread may use the queue any more.
  func destroy() {
    while pop() != nil {}
    nodes.destroy()
  }
}

/// A reference to work, as two words.
struct WorkBits {
  let reference: UInt64
  let table: UInt64

  init(reference: UInt64, table: UInt64) {
    self.reference = reference
    self.table = table
  }

  /// Moves a reference into the words, which own it from then on.
  init(owning work: any ScheduledWork) {
    var work: (any ScheduledWork)? = work
    self = withUnsafeMutableBytes(of: &work) { bytes in
      // Unsafe: a reference to a class and a table; copying the bits and forgetting the original moves it.
      let bits = bytes.load(as: WorkBits.self)
      bytes.initializeMemory(as: UInt8.self, repeating: 0)
      return bits
    }
  }

  /// Moves the reference out of the words. Call it once.
  func taken() -> any ScheduledWork {
    // Unsafe: the bits are those of such a reference, and nobody else uses them.
    withUnsafePointer(to: self) { bits in
      UnsafeMutableRawPointer(mutating: bits).assumingMemoryBound(to: (any ScheduledWork).self).move()
    }
  }
}
