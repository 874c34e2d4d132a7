// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import CWeirAtomics

// # Delivery turn
//
// Guarantees: the items of one turn are delivered by one thread at a time, in the order in which they were
// posted, never nested, and nobody waits: a thread that finds the turn taken posts its item and leaves, and
// the holder delivers the item. An uncontended delivery costs two read-modify-writes and allocates nothing; a
// contended one takes a pooled node.
//
// State: `token` is 0 when the turn is free, else the holder's mark (a subject publishes there which snapshot
// it reads, see SnapshotCell). `inbox` is a TaggedIndex of the newest node of a push-only stack, which the
// holder takes as a whole and reverses.
//
// Invariants:
//  1. Between a successful enter and leave there is one holder. Only the holder takes the inbox (at the end
//     of a WorkTurn, others do as well) and changes the token.
//  2. No item is forgotten: a poster pushes, then loads the token; a holder frees the token, then loads the
//     inbox. At least one of them sees the other's write, and takes the turn to deliver the pending items.
//  3. FIFO: a thread delivers its item directly only while the inbox is empty; until a posted item has been
//     delivered, its poster finds the token taken, or the item still in the inbox.
//  4. The tag of the inbox grows by one with every push, and with nothing else: it is the number of items
//     that were posted so far, without its upper half. (The chain itself needs no tag.) Less than 2^32 items
//     wait at a time, so a number of delivered items, read before the tag, tells the upper half.
//
// Orderings: invariant 2 is store buffering, hence sequentially consistent accesses: push and free are
// read-modify-writes, and the checks after them are `load`s. The push releases the item, taking the inbox
// acquires it; freeing the token releases all that the holder did, entering acquires that.

/// Serial, first-in-first-out, re-entrant and non-blocking delivery of items from any number of threads.
@frozen @usableFromInline
struct DeliveryTurn<Item>: @unchecked Sendable {
  // Unchecked: shared state is accessed through atomics; items by the invariants.
  /// How many words a turn has. The token is the third word of a cache line; the inbox starts the next line,
  /// so that a poster that is busy with the inbox does not take away the holder's line. Of the words
  /// between them two are those of a Bias, and two are free: a SnapshotCell has the last two of its line
  /// there.
  @inlinable static var wordCount: Int { inboxOffset + 1 + NodePool<Void, Item>.wordCount }
  @inlinable @inline(__always) static var inboxOffset: Int { 6 }
  /// Beyond this number of pending items a poster yields the processor instead of pausing.
  private static var yieldDepth: UInt32 { 1024 }

  @usableFromInline let words: UnsafeMutablePointer<UInt64>

  /// - Parameter words: ``wordCount`` zeroed words that outlive the turn, starting at the third word of a
  ///   cache line.
  @inlinable
  init(words: UnsafeMutablePointer<UInt64>) {
    self.words = words
  }

  @inlinable @inline(__always) var token: AtomicWord { AtomicWord(words) }
  /// The thread that entered last. A hint: it may lag behind the token.
  @inlinable @inline(__always) var holder: AtomicWord { AtomicWord(words + 1) }
  @inlinable @inline(__always) var inbox: AtomicWord { AtomicWord(words + Self.inboxOffset) }
  @inlinable @inline(__always) var newest: UInt32 { TaggedIndex(inbox.loadRelaxed()).number }
  @inlinable @inline(__always) var nodes: NodePool<Void, Item> {
    NodePool(words: words + Self.inboxOffset + 1)
  }

  /// Takes the turn if it is free and no item is pending.
  @inlinable @inline(__always)
  func enter(as mark: UInt64) -> Bool {
    guard newest == 0, token.loadRelaxed() == 0, token.compareExchange(0, mark) else {
      return false
    }
    holder.storeRelaxed(weir_thread())
    return true
  }

  /// Gives the turn up. Call ``deliverWaiting(as:_:)`` afterwards if ``isWaiting``.
  @inlinable @inline(__always)
  func leave() { _ = token.exchange(0) }

  @inlinable @inline(__always)
  var isWaiting: Bool { TaggedIndex(inbox.load()).number != 0 }

  /// Posts an item for the thread that holds or takes the turn, and pauses if another thread holds it. Call
  /// ``deliverWaiting(as:_:)`` afterwards.
  @inlinable
  func post(_ item: consuming Item) { giveWay(push(item)) }

  /// Pushes an item for the thread that holds or takes the turn. Returns about how many items were pending
  /// before it.
  @inlinable
  func push(_ item: consuming Item) -> UInt32 {
    let node = nodes.take()
    nodes.element(of: node).initialize(to: item)
    while true {
      let newest = TaggedIndex(inbox.load())
      // A hint, as another thread may be using that node again by now.
      let depth = newest.number == 0 ? 0 : nodes.note(of: newest.number) &+ 1
      nodes.setNext(of: node, to: newest.number)
      nodes.setNote(of: node, to: depth)
      if inbox.compareExchange(newest.bits, newest.moved(to: node).bits) { return depth }
    }
  }

  /// How many items were posted so far. From any thread.
  ///
  /// - Parameter delivered: how many of them were delivered, as the holder has counted at some time.
  @inlinable @inline(__always)
  func posted(since delivered: UInt64) -> UInt64 {
    delivered &+ UInt64(TaggedIndex(inbox.load()).tag &- UInt32(truncatingIfNeeded: delivered))
  }

  /// Empties the inbox, and returns its newest node.
  @inlinable
  func takeInbox() -> UInt32 {
    while true {
      let head = inbox.load()
      let newest = TaggedIndex(head).number
      if newest == 0 || inbox.compareExchange(head, head & ~0xFFFF_FFFF) { return newest }
    }
  }

  /// Pauses a poster while another thread holds the turn. Its item is posted already; the pause only keeps it
  /// from taking the holder's cache lines away for every single item, and slows it down a little while it is
  /// faster than the holder. Bounded, whatever the holder does.
  @usableFromInline
  func giveWay(_ depth: UInt32) {
    if token.loadRelaxed() == 0 || holder.loadRelaxed() == weir_thread() { return }
    if depth > Self.yieldDepth { return weir_yield() }
    BackOff.pause()
  }

  /// The drain loop: takes the turn while items are pending and no other thread holds it, and delivers them
  /// in order.
  @inlinable
  func deliverWaiting(as mark: UInt64, _ deliver: (consuming Item) -> Void) {
    while isWaiting {
      guard token.compareExchange(0, mark) else { return }
      holder.storeRelaxed(weir_thread())
      drain(deliver)
      leave()
    }
  }

  /// For the holder: delivers the pending items, in order, until there are none.
  @inlinable
  func drain(_ deliver: (consuming Item) -> Void) {
    while true {
      let newest = takeInbox()
      if newest == 0 { return }
      deliverChain(endingAt: newest, deliver)
    }
  }

  @inlinable
  func deliverChain(endingAt newest: UInt32, _ deliver: (consuming Item) -> Void) {
    deliverChain(from: reversed(endingAt: newest), claiming: { _, _ in true }, deliver)
  }

  /// Reverses a chain that was taken from the inbox, and returns its oldest node.
  @inlinable
  func reversed(endingAt newest: UInt32) -> UInt32 {
    var oldest: UInt32 = 0
    var node = newest
    while node != 0 {
      let older = nodes.next(of: node)
      nodes.setNext(of: node, to: oldest)
      oldest = node
      node = older
    }
    return oldest
  }

  /// Delivers a chain, oldest node first.
  ///
  /// - Parameter claim: whether the caller may take the item of a node; it also gets the node that follows.
  ///   False ends the delivery there.
  @inlinable
  func deliverChain(
    from oldest: UInt32, claiming claim: (_ node: UInt32, _ following: UInt32) -> Bool,
    _ deliver: (consuming Item) -> Void
  ) {
    var last: UInt32 = 0
    var node = oldest
    while node != 0 {
      let following = nodes.next(of: node)
      guard claim(node, following) else { break }
      deliver(nodes.element(of: node).move())
      last = node
      node = following
    }
    if last != 0 { nodes.giveBack(oldest, through: last) }
  }

  /// Whether any item has ever been posted. For the owner's deinit.
  @inlinable var hasBeenPostedTo: Bool { nodes.used.loadRelaxed() != 0 }

  /// Drops the items still pending and frees the nodes. No other thread may use the turn any more.
  @inlinable
  func destroy() {
    let newest = takeInbox()
    if newest != 0 { deliverChain(endingAt: newest) { _ in } }
    nodes.destroy()
  }
}
