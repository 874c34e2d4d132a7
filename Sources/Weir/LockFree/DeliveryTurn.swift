// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import CWeirAtomics

// # Delivery turn
//
// Guarantees: whatever is delivered through one turn is delivered by one thread at a time, in the order in
// which it was posted, never nested, and nobody waits: who finds the turn taken posts the item and leaves,
// and the holder delivers it. An uncontended delivery costs two read-modify-writes and allocates nothing; a
// contended one takes a pooled node.
//
// State: `token` is 0 when the turn is free, else the holder's mark (a subject keeps there which snapshot it
// reads, see SnapshotCell). `inbox` is a TaggedIndex, of the newest node of a push-only stack, which is taken
// as a whole and reversed.
//
// Invariants:
//  1. Between a successful enter and leave there is one holder. Only the holder takes the inbox and changes
//     the token.
//  2. Nothing is forgotten: a poster pushes, then looks at the token; a holder frees the token, then looks at
//     the inbox. At least one of them sees the other, and takes the turn to deliver what waits.
//  3. FIFO: the direct path is open only while the inbox is empty; a thread that posted finds the token taken
//     until its item has been delivered, or finds the item still in the inbox.
//  4. The tag of the inbox grows with every push and with ``renewStamps()``. So what a poster stamps its item
//     with, after it has looked at the inbox, is as new as the last of both when the item becomes visible:
//     stamps never decrease from the oldest item to the newest, and whoever renewed them before finds later
//     stamps on all that is pushed afterwards. (The chain itself needs no tag.)
//
// Orderings: invariant 2 is the store-buffering shape, hence sequentially consistent accesses: push and free
// are read-modify-writes, and the looks are plain `load`s. The push releases the item, taking the inbox
// acquires it; freeing the token releases all the holder did, entering acquires it.

/// Serial, first-in-first-out, re-entrant and non-blocking delivery of items from any number of threads.
@frozen @usableFromInline
struct DeliveryTurn<Item>: @unchecked Sendable {
  // Unchecked: shared state is reached through atomics; items per the invariants.
  /// The token is the third word of a cache line; the inbox begins the next one. Then a poster that is busy
  /// with the inbox does not take away the line the holder works with. The words between them are free for
  /// the user of the turn.
  @inlinable static var wordCount: Int { inboxOffset + 1 + NodePool<Item>.wordCount }
  @inlinable static var inboxOffset: Int {
    @inline(__always) get { 6 }
  }
  /// How often a poster that met another thread pauses before it goes on: 1.6 µs where it was measured. Its
  /// item is posted; the pause only keeps it from taking the holder's cache lines away for every single item,
  /// and slows it down a little while it is quicker than the holder. Beyond `yieldDepth` waiting items it
  /// yields the processor instead.
  @usableFromInline static var pauses: Int { 64 }
  @usableFromInline static var yieldDepth: UInt32 { 1024 }

  @usableFromInline let words: UnsafeMutablePointer<UInt64>

  /// - Parameter words: ``wordCount`` zeroed words that outlive the turn, from the third of a cache line on.
  @inlinable
  init(words: UnsafeMutablePointer<UInt64>) {
    self.words = words
  }

  @inlinable @inline(__always) var token: AtomicWord { AtomicWord(words) }
  /// The thread that entered last. A hint: it may be behind the token.
  @inlinable @inline(__always) var holder: AtomicWord { AtomicWord(words + 1) }
  @inlinable @inline(__always) var inbox: AtomicWord { AtomicWord(words + Self.inboxOffset) }
  @inlinable @inline(__always) var newest: UInt32 { TaggedIndex(inbox.loadRelaxed()).number }
  @inlinable @inline(__always) var nodes: NodePool<Item> { NodePool(words: words + Self.inboxOffset + 1) }

  /// Takes the turn if it is free and nothing waits for it.
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

  /// Leaves an item for whoever has or takes the turn, and gives way to it. Call ``deliverWaiting(as:_:)``
  /// afterwards.
  @inlinable
  func post(_ item: consuming Item, stamping stamp: (inout Item) -> Void = { _ in }) {
    giveWay(push(item, stamping: stamp))
  }

  /// Leaves an item for whoever has or takes the turn.
  ///
  /// - Parameter stamp: brings the item up to date; called again when others got in between. See invariant 4.
  /// - Returns: how many items waited before it.
  @inlinable
  func push(_ item: consuming Item, stamping stamp: (inout Item) -> Void = { _ in }) -> UInt32 {
    let node = nodes.take()
    let element = nodes.element(of: node)
    element.initialize(to: item)
    while true {
      let newest = TaggedIndex(inbox.load())
      stamp(&element.pointee)
      // A hint, as another thread may be using that node again by now.
      let depth = newest.number == 0 ? 0 : nodes.note(of: newest.number) &+ 1
      nodes.setNext(of: node, to: newest.number)
      nodes.setNote(of: node, to: depth)
      if inbox.compareExchange(newest.bits, newest.moved(to: node).bits) { return depth }
    }
  }

  /// Has all that is pushed from now on, also by those who are about to, be stamped after this.
  @inlinable
  func renewStamps() { inbox.add(1 << 32) }

  /// For the holder: shows what waits, the newest item first.
  @inlinable
  func lookAtWaiting(_ look: (borrowing Item) -> Void) {
    var node = TaggedIndex(inbox.loadAcquire()).number
    while node != 0 {
      look(nodes.element(of: node).pointee)
      node = nodes.next(of: node)
    }
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

  /// The poster's courtesy. Bounded, whatever the holder does.
  @usableFromInline
  func giveWay(_ depth: UInt32) {
    if token.loadRelaxed() == 0 || holder.loadRelaxed() == weir_thread() { return }
    if depth > Self.yieldDepth { return weir_yield() }
    for _ in 0..<Self.pauses { weir_pause() }
  }

  /// The drain loop: takes the turn while items wait and nobody else has it, and delivers them in order.
  @inlinable
  func deliverWaiting(as mark: UInt64, _ deliver: (consuming Item) -> Void) {
    while isWaiting {
      guard token.compareExchange(0, mark) else { return }
      holder.storeRelaxed(weir_thread())
      drain(deliver)
      leave()
    }
  }

  /// For the holder: delivers what waits, in order, until nothing does.
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

  /// Turns a chain that was taken from the inbox round, and returns its oldest node.
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
  /// - Parameter claim: whether the caller may take the item of a node; it is told the node that follows.
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

  /// Whether anything has ever waited. For the owner's deinit.
  @inlinable var hasBeenPostedTo: Bool { nodes.used.loadRelaxed() != 0 }

  /// Drops what still waits and frees the nodes. No other thread may use the turn any more.
  @inlinable
  func destroy() {
    let newest = takeInbox()
    if newest != 0 { deliverChain(endingAt: newest) { _ in } }
    nodes.destroy()
  }
}
