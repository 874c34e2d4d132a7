// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Sweep
//
// Guarantees: unlinks the empty nodes of a list while other threads add, remove and dispose. A thread that
// disposes meanwhile has disposed everything when it returns, as without a sweep, and neither waits for the
// other.
//
// Invariants:
//  1. Starting a sweep sets the bit `sweeping` in `head`, and ending it clears the bit: so there is one
//     sweeper at a time, and none for a disposed list. As long as the bit is set, nodes are added above those
//     that are swept, and none is popped.
//  2. A sweeper changes the links of nodes that it leaves in the list, and no other thread changes any. A
//     node that it has unlinked keeps its link, and its memory to the end: so a thread that has reached one
//     finds the nodes below it.
//  3. A thread that disposes takes the bit out with the chain. If it was set, links and memory are the
//     sweeper's, too: then only the contents are taken out, by claiming the nodes, into a new chain. (Not
//     those of places, which are claimed last of all: see invariant 2 of the list.)
//  4. Then both put into `sweepAt` what they would have released, with a bit that no number of nodes has
//     there: the disposing thread the chain, the sweeper the nodes that it has unlinked. Whoever finds that
//     the other has put its own there comes last, and releases both.
//
// Orderings: setting the bit acquires the nodes. A sweeper checks whether a node is empty after it has set
// the bit, and a thread that empties one reads the top afterwards. This is store buffering, so both are
// sequentially consistent: one of the two sees the other (invariant 4 of the list).

extension DisposalList {
  private static var left: UInt64 { 1 }

  /// Unlinks the shells and releases them, unless another thread is doing that.
  func sweep() {
    let top = head.loadRelaxed()
    guard top > Self.disposed, top & Self.sweeping == 0, head.compareExchange(top, top | Self.sweeping) else {
      return
    }
    let first = DisposalNodePointer(bits: top)
    var unlinked: [DisposalNodePointer] = []
    unlinked.reserveCapacity(Int(min(shells.loadRelaxed(), 1_024)))
    var kept: UInt64 = 1
    var (last, following) = (first, first.next)
    while following != 0 {
      let node = DisposalNodePointer(bits: following)
      following = node.next
      if node.isEmpty {
        last.setNext(following)
        unlinked.append(node)
      } else {
        last = node
        kept += 1
      }
    }
    let dropsFirst = first.isEmpty
    shells.subtractRelaxed(UInt64(unlinked.count) + (dropsFirst ? 1 : 0))
    setSweepAt(2 * kept)
    if dropsFirst ? endUnlinking(first, &unlinked) : end() {
      for node in unlinked { node.release() }
    } else {
      leave(unlinked)
    }
  }

  /// Sets when to sweep next, unless the disposing thread has already put the chain there.
  private func setSweepAt(_ count: UInt64) {
    let before = sweepAt.loadRelaxed()
    if before & Self.left == 0 { _ = sweepAt.compareExchange(before, count) }
  }

  /// Clears the bit. Returns false if the list was disposed meanwhile.
  private func end() -> Bool {
    while true {
      let top = head.load()
      if top == Self.disposed { return false }
      if head.compareExchange(top, top & ~Self.sweeping) { return true }
    }
  }

  /// Ends the sweep; also unlinks the node that was on top when it started.
  private func endUnlinking(_ first: DisposalNodePointer, _ unlinked: inout [DisposalNodePointer]) -> Bool {
    if head.compareExchange(first.bits | Self.sweeping, first.next) {
      unlinked.append(first)
      return true
    }
    let top = head.load()
    if top == Self.disposed { return false }
    // Others were added above it, and none is popped during a sweep.
    var above = DisposalNodePointer(bits: top & ~Self.sweeping)
    while above.next != first.bits { above = DisposalNodePointer(bits: above.next) }
    above.setNext(first.next)
    unlinked.append(first)
    return end()
  }

  /// Leaves the unlinked nodes to the last of the two.
  private func leave(_ unlinked: [DisposalNodePointer]) {
    let unlinked = Unlinked(unlinked)
    let mine = UInt64(UInt(bitPattern: Unmanaged.passRetained(unlinked).toOpaque()))
    let chain = sweepAt.exchange(mine | Self.left)
    if chain & Self.left == 0 { return }
    Unmanaged.passUnretained(unlinked).release()
    Self.releaseNodes(of: chain & ~Self.left)
  }

  /// Moves the contents of a chain that is being swept into new nodes, which only the caller has.
  func contents(ofSwept chain: UInt64) -> UInt64 {
    var first: UInt64 = 0
    var last: DisposalNodePointer?
    var following = chain
    while following != 0 {
      let node = DisposalNodePointer(bits: following)
      following = node.next
      // A place keeps its node until its turn comes, behind all others: until then a thread that disposes the
      // other list must find the run there.
      let place = node.placed.map { DisposalContent.membership(SweptPlace(of: $0)) }
      guard let content = place ?? node.takeContent() else { continue }
      let copy = DisposalNode(content)
      let own =
        switch content {
        case .membership, .sharedPlace: DisposalNodePointer(membershipIn: copy)
        default: DisposalNodePointer(owning: copy)
        }
      if let last { last.setNext(own.bits) } else { first = own.bits }
      last = own
    }
    let unlinked = sweepAt.exchange(chain | Self.left)
    if unlinked & Self.left != 0 {
      let address = UnsafeRawPointer(bitPattern: UInt(unlinked & ~Self.left)).unsafelyUnwrapped
      Unmanaged<Unlinked>.fromOpaque(address).release()
      Self.releaseNodes(of: chain)
    }
    return first
  }

  private static func releaseNodes(of chain: UInt64) {
    var following = chain
    while following != 0 {
      let node = DisposalNodePointer(bits: following)
      following = node.next
      node.release()
    }
  }
}

/// A place in a chain that was being swept: its link belongs to the sweeper, so this takes its turn.
private final class SweptPlace: Membership {
  private let node: DisposalNode
  init(of node: DisposalNode) { self.node = node }

  func leave() -> Departure { .finally { [node] in _ = node.take() } }
}

/// Nodes that a sweeper has unlinked from a list that was disposed meanwhile; the last of the two releases
/// them.
private final class Unlinked {
  private let nodes: [DisposalNodePointer]
  init(_ nodes: [DisposalNodePointer]) { self.nodes = nodes }
  deinit { for node in nodes { node.release() } }
}
