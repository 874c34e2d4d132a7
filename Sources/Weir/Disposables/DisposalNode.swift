// Part of Weir. SPDX-License-Identifier: Apache-2.0

// The protocol of these nodes stands at the head of DisposalList.swift.

/// What a ``DisposalList`` disposes. A subscriber of a hot source stands here itself: it needs no object of its own.
@usableFromInline
enum DisposalContent {
  case disposable(any Disposable)
  case child(Subscription)
  /// The node at which a child stands in its parent's list: a child that ends first empties it.
  case place(DisposalNode)
  case subscriber(SnapshotEntry, SubscriberList)
  case none

  func dispose() {
    switch self {
    case .disposable(let disposable): disposable.dispose()
    case .child(let child): child.dispose()
    case .place(let node): _ = node.take()
    case .subscriber(let entry, let list): list.discard(entry)
    case .none: break
    }
  }

  /// The list to splice in, if it is one (invariant 4). Asking an object for its type is slow; a child needs no asking.
  var nested: DisposalList? {
    switch self {
    case .child(let child): child.list
    case .disposable(let disposable):
      (disposable as? Subscription)?.list ?? (disposable as? CompoundDisposable)?.list
    case .place, .subscriber, .none: nil
    }
  }
}

/// One element of a ``DisposalList``.
@usableFromInline
final class DisposalNode: @unchecked Sendable {
  // Unchecked: link: owned by the chain's owner; content: by the claimer of the flag.
  private var linkWord: UInt64 = 0
  private var claimWord: UInt64 = 0
  @exclusivity(unchecked) private var content: DisposalContent

  init(_ content: DisposalContent) { self.content = content }

  /// Lets go of the content without disposing it: a subscriber gives its reference back; a child that has not ended, and knows its
  /// place, would otherwise keep that and itself.
  func abandon() {
    if case .subscriber(let entry, let list) = take() { list.cell.release(entry) }
  }

  /// True once the content has been taken.
  var isEmpty: Bool { OnceFlag(AtomicWord(property: 1, of: self)).isClaimed }

  func take() -> DisposalContent? {
    guard OnceFlag(AtomicWord(property: 1, of: self)).claim() else { return nil }
    let taken = content
    content = .none
    return taken
  }
}

/// A node by its address: looking at a chain this way counts no references. Whoever owns the chain owns its nodes.
struct DisposalNodePointer {
  let bits: UInt64

  init(bits: UInt64) { self.bits = bits }
  /// Takes over a new reference.
  init(owning node: DisposalNode) { bits = UInt64(UInt(bitPattern: Unmanaged.passRetained(node).toOpaque())) }

  private var base: UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(bitPattern: UInt(bits)).unsafelyUnwrapped
  }
  private var reference: Unmanaged<DisposalNode> { Unmanaged.fromOpaque(base) }

  /// The bits of the node below, or 0.
  var link: AtomicWord { AtomicWord(at: base + 16) }
  var isEmpty: Bool { OnceFlag(AtomicWord(at: base + 24)).isClaimed }
  func take() -> DisposalContent? { reference._withUnsafeGuaranteedRef { $0.take() } }
  func abandon() { reference._withUnsafeGuaranteedRef { $0.abandon() } }
  func release() { reference.release() }
}
