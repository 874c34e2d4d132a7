// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Work queue
//
// Guarantees: any number of threads add work and take it out, first in, first out; each piece is taken out
// once. Nobody waits: a thread that stalls anywhere in here delays no other. Unbounded; memory is reused, so
// a steady state allocates nothing.
//
// It is the queue of Michael and Scott. Nodes come from a pool, and are named by number: `head` is the node
// whose work was taken out last, `tail` the last node or one before it, and each node's `link` names the one
// that follows, or none (0).
//
// Invariants:
//  1. `head`, `tail` and `link` are [tag: 32 | number: 32]. Every change bumps the tag, also that of the link
//     when a node is used again; so an exchange by a thread that stalled fails if anything happened meanwhile
//     (it would take 2^32 changes to fool it).
//  2. A node is linked by the exchange of the last node's link; that is when its work is in the queue. `tail`
//     is moved afterwards, by whoever comes along. `head` never passes `tail`.
//  3. Work is taken out by the exchange of `head`. It was read before: by then the node may belong to
//     somebody else, and what was read may be nonsense. If the exchange succeeds it is not, for `head` has
//     not moved, and a node is given back after `head` has passed it.
//  4. So a node's words are only accessed atomically, and what was read is made a reference again after the
//     exchange, by one thread.
//
// Orderings: sequentially consistent. Who adds work looks afterwards at whether somebody must be woken; who
// is about to sleep says so, and then looks whether there is work: one of them sees the other.

/// A queue that any number of threads fill and empty.
struct WorkQueue: @unchecked Sendable {  // all state is reached through atomics
  /// The ends of the queue have cache lines of their own: those who add do not disturb those who take.
  private static var tailOffset: Int { 8 }
  private static var nodesOffset: Int { 16 }
  static var wordCount: Int { nodesOffset + NodePool<Node>.wordCount }

  /// What a node looks like in memory.
  struct Node {
    let link: UInt64
    let work: WorkBits
  }

  private let words: UnsafeMutablePointer<UInt64>

  /// - Parameter words: ``wordCount`` zeroed words that outlive the queue, from the beginning of a cache line
  ///   on.
  init(words: UnsafeMutablePointer<UInt64>) {
    self.words = words
    let first = UInt64(nodes.take())
    head.storeRelaxed(first)
    tail.storeRelaxed(first)
  }

  private var head: AtomicWord { AtomicWord(words) }
  private var tail: AtomicWord { AtomicWord(words + Self.tailOffset) }
  var nodes: NodePool<Node> { NodePool(words: words + Self.nodesOffset) }

  /// Word `index` of the node that `place` names.
  private func word(_ index: Int, of place: UInt64) -> AtomicWord {
    AtomicWord(at: UnsafeMutableRawPointer(nodes.element(of: UInt32(truncatingIfNeeded: place))) + 8 * index)
  }

  /// What replaces `place` to name the node of `target`.
  private func moved(_ place: UInt64, to target: UInt64) -> UInt64 {
    (place &+ 1 << 32) & ~0xFFFF_FFFF | target & 0xFFFF_FFFF
  }

  private func isNone(_ place: UInt64) -> Bool { place & 0xFFFF_FFFF == 0 }

  /// Adds work at the end.
  func push(_ work: any ScheduledWork) {
    let bits = WorkBits(owning: work)
    let node = UInt64(nodes.take())
    let link = word(0, of: node)
    link.storeRelaxed(moved(link.loadRelaxed(), to: 0))
    word(1, of: node).storeRelaxed(bits.reference)
    word(2, of: node).storeRelaxed(bits.table)
    while true {
      let last = tail.load()
      let link = word(0, of: last)
      let following = link.load()
      guard tail.load() == last else { continue }
      if !isNone(following) {
        _ = tail.compareExchange(last, moved(last, to: following))
      } else if link.compareExchange(following, moved(following, to: node)) {
        _ = tail.compareExchange(last, moved(last, to: node))
        return
      }
    }
  }

  /// Takes out what was added first; nil if there is nothing.
  func pop() -> (any ScheduledWork)? {
    while true {
      let first = head.load()
      let last = tail.load()
      let following = word(0, of: first).load()
      guard head.load() == first else { continue }
      if isNone(following) { return nil }
      if first & 0xFFFF_FFFF == last & 0xFFFF_FFFF {
        _ = tail.compareExchange(last, moved(last, to: following))
        continue
      }
      let bits = WorkBits(
        reference: word(1, of: following).loadRelaxed(), table: word(2, of: following).loadRelaxed())
      if head.compareExchange(first, moved(first, to: following)) {
        let number = UInt32(truncatingIfNeeded: first)
        nodes.giveBack(number, through: number)
        return bits.taken()
      }
    }
  }

  /// Whether there was nothing in it at some point during the call.
  var isEmpty: Bool {
    while true {
      let first = head.load()
      let following = word(0, of: first).load()
      if head.load() == first { return isNone(following) }
    }
  }

  /// Drops what is in it and frees the nodes. No other thread may use the queue any more.
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

  /// The words own the reference.
  init(owning work: any ScheduledWork) {
    var work: (any ScheduledWork)? = work
    self = withUnsafeMutableBytes(of: &work) { bytes in
      // Unsafe: a reference to a class and a table; copying the bits and forgetting the original moves it.
      let bits = bytes.load(as: WorkBits.self)
      bytes.initializeMemory(as: UInt8.self, repeating: 0)
      return bits
    }
  }

  /// The reference, which the words own no more. Call it once.
  func taken() -> any ScheduledWork {
    // Unsafe: the bits are those of such a reference, and nobody else uses them.
    withUnsafePointer(to: self) { bits in
      UnsafeMutableRawPointer(mutating: bits).assumingMemoryBound(to: (any ScheduledWork).self).move()
    }
  }
}
