// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Disposal list
//
// Guarantees: disposables are added and removed by any thread while others dispose the list; each is disposed
// at most once; one added to a disposed list is disposed at once. Adding is one compare-exchange, removing
// one exchange and O(1) amortised. No thread waits: a second dispose returns without waiting for the first
// one's children.
//
// A stack of nodes. A thread that disposes takes the whole chain by an exchange and owns it. A node whose
// content is removed while it is on top is popped by the thread that removes it, so that a disposable that is
// added and removed with nothing added in between leaves nothing behind. A node whose content ends by itself
// stays until a sweep.
//
// Invariants:
//  1. `head` is 0, a node, a node and `sweeping`, or `disposed`, and `disposed` is final.
//  2. The list owns one reference to each node. A node's content is moved out by the thread that claims the
//     node. A run that was adopted is its own node, in the one list that claimed its link; it counts as empty
//     once it has ended, its subscriber is dead, and its clean-ups are over. A delivery is its own node, too,
//     and may be gone when its turn comes: the reference to it retains only its memory, as `unowned` does.
//     Content that is to be forgotten when a run ends first has its node in the list of that run as well, by
//     a second link: there it is a *place*, and disposing it claims the node; last of all, so that a clean-up
//     that disposes the other list still finds the run there.
//  3. Removed nodes are empty shells. `shells` counts them, and counts from the start the nodes that may
//     become shells without knowing the list: an adopted child, a delivery, and, in both of its lists, a node
//     with a place. When there are twice as many as nodes that the last sweep left, one thread sweeps: see
//     DisposalList+Sweep.swift.
//  4. A node is popped only by the thread that emptied it, and by none during a sweep, so no thread reads a
//     node that another one may free. The node below it is the same as when it was emptied, or the node
//     itself is not in the list any more: a sweeper visits all nodes that were there when it started, and
//     leaves none that was empty by then. (So a removal reads the top after it has emptied the node, and an
//     empty node does not come back to the top.)
//  5. Disposal is iterative: the children of a child that is itself a list, even inside slots and scopes,
//     join the work list. It has two rounds. The first one stops every run and delivery in the chain, and in
//     theirs; a member of something shared leaves that, and if it was the last, it stops that, too. So while
//     the second one runs users' clean-ups, nothing of that delivers any more, and none of it can be made to
//     start something. (It does not reach runs inside of slots, scopes and sets, and those that have a second
//     parent, nor those in a chain that was being swept: these are stopped when their turn comes. And user
//     code runs in the first round if another thread is just ending a delivery or the run of a shared signal
//     in it, or is sweeping: then what only this thread retains by now is released.) Releasing a list that
//     was not disposed is iterative, too: what its nodes release in turn goes through the ReleaseQueue of the
//     thread.
//
// Orderings: pushing releases a node, taking the chain acquires it.

/// A set of disposables, stored in words of its owner.
@frozen @usableFromInline
struct DisposalList {
  @usableFromInline static var disposed: UInt64 { 1 }
  /// Set beside a node: a thread is unlinking empty nodes.
  static var sweeping: UInt64 { 1 }

  @usableFromInline let head: AtomicWord
  @usableFromInline let shells: AtomicWord
  @usableFromInline let sweepAt: AtomicWord

  /// - Parameter owner: a native object whose first three stored properties are words of this list, zero at
  ///   first.
  @inlinable @inline(__always)
  init(firstPropertiesOf owner: AnyObject) {
    head = AtomicWord(property: 0, of: owner)
    shells = AtomicWord(property: 1, of: owner)
    sweepAt = AtomicWord(property: 2, of: owner)
  }

  @inlinable @inline(__always) var isDisposed: Bool { head.loadAcquire() == Self.disposed }

  // Nothing inlinable calls `add`, `remove` and `release`. But if they are not `@usableFromInline`, Swift 6.3
  // makes a set retain twice more for each entry that is added and removed, in 140 more instructions.

  /// Adds something to dispose and returns its node, or disposes it at once and returns nil.
  @usableFromInline @discardableResult
  func add(_ content: DisposalContent, ifLate cause: DisposalCause = .dismissal) -> DisposalNode? {
    let node = DisposalNode(content)
    return push(DisposalNodePointer(owning: node), ifLate: cause) ? node : nil
  }

  /// Adds a child, which is forgotten if it ends first.
  ///
  /// - Parameter cause: why it ends at once, if the list is disposed. A source that has ended dismisses
  ///   nobody.
  @usableFromInline
  func adopt(_ child: Subscription, ifLate cause: DisposalCause = .dismissal) {
    // A child with two parents is an intrusive node in only one of them.
    guard child.claimLink() else {
      add(.disposable(child), until: child, ifLate: cause)
      return
    }
    if push(DisposalNodePointer(owning: child), ifLate: cause) { countShell() }
  }

  /// Adds a part in something shared, which is left when the list is disposed.
  func add(_ membership: any Membership) { addMember(.membership(membership)) }

  /// The same for any content that is one.
  func addMember(_ content: DisposalContent) {
    _ = push(DisposalNodePointer(membershipIn: DisposalNode(content)))
  }

  /// Adds a delivery, of which the list retains only the memory.
  @usableFromInline
  func addUnowned(_ delivery: DeliveryCore) {
    if push(DisposalNodePointer(notOwning: delivery)) { countShell() }
  }

  /// Puts a node on top, or disposes its content and returns false.
  private func push(_ node: DisposalNodePointer, ifLate cause: DisposalCause = .dismissal) -> Bool {
    while true {
      let top = head.loadAcquire()
      if top == Self.disposed {
        node.consume()?.dispose(for: cause)
        return false
      }
      node.setNext(top & ~Self.sweeping)
      if head.compareExchange(top, node.bits | top & Self.sweeping) { return true }
    }
  }

  /// Adds something to dispose, which is forgotten if `run` ends first, as that empties its node.
  @usableFromInline @discardableResult
  func add(
    _ content: DisposalContent, until run: Subscription, ifLate cause: DisposalCause = .dismissal
  ) -> DisposalNode? {
    guard let node = add(content, ifLate: cause) else { return nil }
    if run.list.push(DisposalNodePointer(placeOf: node)) {
      run.list.countShell()
    } else {
      // The thread that ends it may not have stopped it yet, and whoever disposes this list does not find it.
      run.registration.help()
    }
    countShell()
    return node
  }

  /// Removes a disposable without disposing it. Returns false if it was removed or disposed before.
  @usableFromInline @discardableResult
  func remove(_ node: DisposalNode) -> Bool {
    guard node.take() != nil else { return false }
    if !dropTop(node) { countShell() }
    return true
  }

  /// Pops a shell that the caller has emptied, if it is on top.
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

  /// Disposes everything, in the order in which it was added.
  func dispose() { if let chain = close() { Self.dispose(chain, for: .dismissal) } }

  /// Closes the list and returns its chain, to one caller only, which must dispose it.
  func close() -> UInt64? {
    if isDisposed { return nil }
    let chain = head.exchange(Self.disposed)
    if chain & Self.sweeping == 0 { return chain }
    if chain == Self.disposed { return nil }
    return contents(ofSwept: chain & ~Self.sweeping)
  }

  /// For the owner's deinit, when no other thread can reach it: releases everything without disposing it.
  @usableFromInline
  func release() {
    let chain = head.loadRelaxed()
    if chain == 0 || chain == Self.disposed { return }
    head.storeRelaxed(Self.disposed)
    let queue = ReleaseQueue()
    queue.put(chain)
    queue.run()
  }

  /// Returns the chain in reverse order, followed by `rest`.
  static func reversed(_ chain: UInt64, before rest: UInt64 = 0) -> UInt64 {
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

  /// Disposes a chain, in two rounds: see invariant 5.
  static func dispose(_ chain: UInt64, for cause: DisposalCause) {
    disposeContents(ofStopped: stopped(chain, for: cause), for: cause)
  }

  /// The first round: returns the chain in the order in which its nodes were added, followed by `rest`. The
  /// chain of a run, or of what a last member leaves, is right behind it, and that of a delivery before it:
  /// its handler is released when the upstreams have been disposed. Places are behind all others: until then
  /// the other parents of a run know it, which a clean-up may dispose. So is what ends subscribers after
  /// their source: as with a terminal event, they end when its clean-ups are over.
  static func stopped(_ chain: UInt64, before rest: UInt64 = 0, for cause: DisposalCause) -> UInt64 {
    var first = reversed(chain, before: rest)
    var last: DisposalNodePointer?
    var ends = rest
    var following = first
    while following != rest {
      let node = DisposalNodePointer(bits: following)
      following = node.next
      switch node.stop(for: cause) {
      case .run(let inner):
        following = reversed(inner, before: following)
        node.setNext(following)
        last = node
        continue
      case .delivery(let inner): following = reversed(inner, before: node.stopped.bits)
      case .ended: node.release()
      case .last:
        node.setNext(ends)
        ends = node.bits
      case .isNone:
        last = node
        continue
      }
      if let last { last.setNext(following) } else { first = following }
    }
    if let last { last.setNext(ends) } else { first = ends }
    return first
  }

  /// The second round.
  static func disposeContents(ofStopped chain: UInt64, for cause: DisposalCause) {
    var work = chain
    while work != 0 {
      let node = DisposalNodePointer(bits: work)
      work = node.next
      guard let content = node.consumeStopped() else { continue }
      guard content.isWrapping else {
        work = Self.dispose(content, before: work, for: cause)
        continue
      }
      // A scope that is deallocated disposes its content, and would do so recursively in here.
      withExtendedLifetime(content) {
        content.open { work = Self.dispose($0, before: work, for: cause) }
      }
    }
  }

  /// Disposes `content` and returns the work that is left: that of a list goes before the rest.
  private static func dispose(
    _ content: DisposalContent, before work: UInt64, for cause: DisposalCause
  ) -> UInt64 {
    if let run = content.run {
      guard let chain = run.stop(for: cause) else { return work }
      let work = stopped(chain, before: work, for: cause)
      // A registration lies in words of the run.
      withExtendedLifetime(run) { run.registration.leave() }
      return work
    }
    guard let set = content.set else {
      content.dispose()
      return work
    }
    return set.close().map { stopped($0, before: work, for: cause) } ?? work
  }
}

/// Why a list is disposed.
@frozen @usableFromInline
enum DisposalCause: Sendable {
  /// Somebody disposes it, and expects nothing more from what is in it: see ``Subscription/dismiss()``.
  case dismissal
  /// Its owner has ended.
  case ending
}
