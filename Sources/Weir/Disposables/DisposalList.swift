// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Disposal list
//
// Guarantees: disposables are added and removed by any thread while others dispose the whole; each is disposed at most
// once; one added to a disposed list is disposed at once. Adding is one compare-exchange, removing one exchange and O(1)
// amortised. Nobody waits: a second dispose returns without waiting for the first one's children.
//
// A stack of nodes. Whoever takes nodes takes the whole chain by compare-exchange and owns it, but for one that is emptied while it is on
// top: who empties it pops it, so that what comes and goes with nobody else in between leaves nothing behind.
//
// Invariants:
//  1. `head` is 0, a node, or `disposed`, and `disposed` is final.
//  2. The list owns one reference to each node. A node's content is moved out by whoever claims the node. A run that was adopted is its
//     own node, in the one list that claimed its link; it counts as empty once it has ended. So is a delivery, which may be gone when its
//     turn comes: the reference to it is one that keeps its memory only, as `unowned` does.
//  3. Removed nodes are empty shells. `shells` counts them, and counts an adopted child as one from the beginning, for a child
//     that ends does not know the list. When there are twice as many as nodes that the last sweep left, one thread takes
//     the chain, drops the shells and puts the rest back below what was added meanwhile. If the list was disposed in
//     between, the sweeper disposes what it holds: exactly once still, but later, and not in the order of adding; so who disposes while
//     another thread takes something out may return before that.
//  4. A node is popped by the one who emptied it, and nobody else, so nobody reads a node that another thread may free. What is below it is
//     what it was when it was emptied: a chain that was taken since then comes back without it, for sweepers look at nodes after they took
//     them. (So taking something out asks for the top after it has emptied the node, and an empty node does not come back to the top.)
//  5. Disposal is iterative: the children of a child that is itself a list, also in slots and scopes, join the work at hand. So is releasing a list
//     that was not disposed: what its nodes release in turn waits in the ReleaseQueue of the thread.
//
// Orderings: pushing releases a node, taking the chain acquires it.

/// A set of disposables in words that its owner keeps.
@frozen @usableFromInline
struct DisposalList {
  @usableFromInline static var disposed: UInt64 { 1 }

  @usableFromInline let head: AtomicWord
  @usableFromInline let shells: AtomicWord
  @usableFromInline let sweepAt: AtomicWord

  /// - Parameter owner: a native object whose first three stored properties are words of this list, zero at first.
  @inlinable @inline(__always)
  init(firstPropertiesOf owner: AnyObject) {
    head = AtomicWord(property: 0, of: owner)
    shells = AtomicWord(property: 1, of: owner)
    sweepAt = AtomicWord(property: 2, of: owner)
  }

  @inlinable @inline(__always) var isDisposed: Bool { head.loadAcquire() == Self.disposed }

  /// Adds something to dispose and answers its node, or disposes it at once and answers nil.
  @usableFromInline @discardableResult
  func add(_ content: DisposalContent) -> DisposalNode? {
    let node = DisposalNode(content)
    return push(DisposalNodePointer(owning: node)) ? node : nil
  }

  /// Adds a child, which is forgotten if it ends first.
  @usableFromInline
  func adopt(_ child: Subscription) {
    // Who has two parents is a node of its own in one of them only.
    guard child.claimLink() else { return add(.disposable(child), until: child) }
    if push(DisposalNodePointer(owning: child)) { countShell() }
  }

  /// Adds a delivery, which the list does not keep: only its memory.
  @usableFromInline
  func addUnowned(_ delivery: DeliveryCore) { _ = push(DisposalNodePointer(notOwning: delivery)) }

  /// Puts a node on top, or disposes it and answers false.
  private func push(_ node: DisposalNodePointer) -> Bool {
    while true {
      let top = head.loadAcquire()
      if top == Self.disposed {
        node.consume()?.dispose()
        return false
      }
      node.setNext(top)
      if head.compareExchange(top, node.bits) { return true }
    }
  }

  /// Adds something to dispose, unless `run` ends first and empties its place.
  @usableFromInline
  func add(_ content: DisposalContent, until run: Subscription) {
    guard let node = add(content) else { return }
    run.list.add(.place(node))
    countShell()
  }

  /// Takes a disposable out, without disposing it. False if it was taken out or disposed before.
  @usableFromInline @discardableResult
  func remove(_ node: DisposalNode) -> Bool {
    guard node.take() != nil else { return false }
    if !dropTop(node) { countShell() }
    return true
  }

  /// Takes a shell that the caller has emptied out of the list, if it is on top.
  private func dropTop(_ shell: DisposalNode) -> Bool {
    let top = DisposalNodePointer(shell)
    guard head.load() == top.bits, head.compareExchange(top.bits, top.next) else { return false }
    top.release()
    return true
  }

  private func countShell() {
    let count = shells.addRelaxed(1) &+ 1
    if count > 32, count > sweepAt.loadRelaxed(), count < .max / 2 { sweep() }
  }

  /// Disposes everything, in the order in which it was added. True for the one call that did.
  @usableFromInline @discardableResult
  func dispose() -> Bool {
    guard let chain = close() else { return false }
    Self.dispose(chain)
    return true
  }

  /// Ends the list, and answers what was in it. The one caller that is answered must dispose that.
  func close() -> UInt64? {
    if isDisposed { return nil }
    let chain = head.exchange(Self.disposed)
    return chain == Self.disposed ? nil : chain
  }

  /// For the owner's deinit, when nobody else can reach it: releases everything without disposing it.
  @usableFromInline
  func release() {
    var chain = head.loadRelaxed()
    if chain == 0 || chain == Self.disposed { return }
    head.storeRelaxed(Self.disposed)
    let queue = ReleaseQueue()
    while chain != 0 {
      let node = DisposalNodePointer(bits: chain)
      chain = node.next
      queue.put(node)
    }
    queue.run()
  }

  /// Drops the shells and puts the rest back.
  private func sweep() {
    var chain = takeChain()
    var kept: (first: UInt64, count: UInt64)
    var dropped: UInt64 = 0
    repeat {
      kept = (0, 0)
      var oldestFirst = Self.reversed(chain)
      while oldestFirst != 0 {
        let node = DisposalNodePointer(bits: oldestFirst)
        let following = node.next
        if node.isEmpty {
          dropped &+= 1
          node.release()
        } else {
          node.setNext(kept.first)
          kept = (oldestFirst, kept.count + 1)
        }
        oldestFirst = following
      }
      chain = kept.first
      if chain == 0 || head.compareExchange(0, chain) { break }
      if isDisposed {
        Self.dispose(chain)
        break
      }
      chain = Self.joined(takeChain(), above: chain)
    } while true
    sweepAt.storeRelaxed(2 &* kept.count)
    shells.subtractRelaxed(dropped)
  }

  private func takeChain() -> UInt64 {
    while true {
      let top = head.loadAcquire()
      if top == Self.disposed { return 0 }
      if head.compareExchange(top, 0) { return top }
    }
  }

  private static func reversed(_ chain: UInt64) -> UInt64 {
    joined(chain, above: 0, reversing: ())
  }
  private static func joined(_ chain: UInt64, above rest: UInt64, reversing: Void) -> UInt64 {
    var (chain, result) = (chain, rest)
    while chain != 0 {
      let node = DisposalNodePointer(bits: chain)
      let following = node.next
      node.setNext(result)
      result = chain
      chain = following
    }
    return result
  }
  private static func joined(_ chain: UInt64, above rest: UInt64) -> UInt64 {
    joined(reversed(chain), above: rest, reversing: ())
  }

  /// The work list of invariant 5: what a child list held goes before what is left.
  static func dispose(_ chain: UInt64) {
    var work = reversed(chain)
    while work != 0 {
      let node = DisposalNodePointer(bits: work)
      work = node.next
      guard let content = node.consume() else { continue }
      guard content.isWrapping else {
        work = Self.dispose(content, before: work)
        continue
      }
      // A scope that goes disposes what is in it, and would do that from in here.
      withExtendedLifetime(content) {
        content.open { work = Self.dispose($0, before: work) }
      }
    }
  }

  /// Answers the work that is left: that of a list goes before the rest.
  private static func dispose(_ content: DisposalContent, before work: UInt64) -> UInt64 {
    guard let list = content.nested else {
      content.dispose()
      return work
    }
    guard let chain = list.close() else {
      content.registration?.help()
      return work
    }
    content.registration?.end()
    return joined(chain, above: work, reversing: ())
  }
}
