// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// The protocol of these nodes is at the head of DisposalList.swift.

/// Something that a ``DisposalList`` disposes. A subscriber of a hot source is stored here itself: it needs
/// no object of its own.
@usableFromInline
enum DisposalContent {
  case disposable(any Disposable)
  /// A run that was adopted.
  case child(Subscription)
  case delivery(DeliveryCore)
  case subscriber(SnapshotEntry)
  case membership(any Membership)
  /// The place of a subscriber in a run of a shared signal: a membership that needs no object of its own.
  /// (The number first: then spare bits of the address tell the case, and a node stays as small as it is.)
  case sharedPlace(generation: UInt64, SharingCore)
  case none

  func dispose() {
    switch self {
    case .disposable(let disposable): disposable.dispose()
    case .child(let child): child.dispose()
    case .delivery(let delivery): delivery.endDelivery()
    case .subscriber(let entry):
      _ = entry.die()
      SubscriberList.discard(entry)
    case .membership, .sharedPlace: leave()?.complete()
    case .none: break
    }
  }

  /// Makes a member leave; nil if it is none.
  func leave() -> Departure? {
    switch self {
    case .membership(let membership): membership.leave()
    case .sharedPlace(let generation, let core): core.leave(generation)
    case .disposable, .child, .delivery, .subscriber, .none: nil
    }
  }

  /// Disposes it; ends it, if it is a run that nobody has disposed.
  func dispose(for cause: DisposalCause) {
    if cause == .ending, let run { run.end() } else { dispose() }
  }

  /// The run, if it is one. Casting an object is slow; a child needs no cast.
  var run: Subscription? {
    switch self {
    case .child(let child): child
    case .disposable(let disposable): disposable as? Subscription
    case .delivery, .subscriber, .membership, .sharedPlace, .none: nil
    }
  }

  /// The list of the set, if it is one.
  var set: DisposalList? {
    if case .disposable(let disposable) = self { (disposable as? CompoundDisposable)?.list } else { nil }
  }
}

/// One element of a ``DisposalList``.
@usableFromInline
final class DisposalNode: @unchecked Sendable {
  // Unchecked: links: owned by the owners of the two chains; content: by the claimer of the flag.
  private var linkWord: UInt64 = 0
  private var claimWord: UInt64 = 0
  /// The link in the list in which this node is a place.
  private var placeLinkWord: UInt64 = 0
  @exclusivity(unchecked) private var content: DisposalContent

  init(_ content: DisposalContent) { self.content = content }

  func take() -> DisposalContent? {
    guard OnceFlag(AtomicWord(property: 1, of: self)).claim() else { return nil }
    var taken = DisposalContent.none
    swap(&taken, &content)
    return taken
  }

  /// For the thread that has claimed the node: puts something else into it, or takes that out.
  @discardableResult
  func replaceContent(with other: DisposalContent) -> DisposalContent {
    var replaced = other
    swap(&replaced, &content)
    return replaced
  }
}

/// The address of an element of a chain, with its kind: 0 for a node, or that of a run that is its own node,
/// of a node that is a place, of one with a ``Membership``, of a delivery that is not retained, of one that a
/// disposal has stopped, and which it retains, or of a ``Leftover``, which is in no list but the release
/// queue. Walking a chain this way counts no references. The owner of a chain owns its nodes.
struct DisposalNodePointer {
  private static var run: UInt64 { 2 }
  private static var leftover: UInt64 { 4 }
  private static var delivery: UInt64 { 6 }
  private static var place: UInt64 { 8 }
  private static var stoppedDelivery: UInt64 { 10 }
  private static var membership: UInt64 { 12 }
  private static var kinds: UInt64 { 14 }

  let bits: UInt64

  init(bits: UInt64) { self.bits = bits }
  /// For a caller with a reference of its own.
  init(_ node: DisposalNode) { bits = UInt64(UInt(bitPattern: Unmanaged.passUnretained(node).toOpaque())) }
  /// Owns a new reference.
  init(owning node: DisposalNode) { bits = Self.owned(node) }
  /// Owns a new reference to a node of another list.
  init(placeOf node: DisposalNode) { bits = Self.owned(node) | Self.place }
  /// Owns a new reference to a node with a membership.
  init(membershipIn node: DisposalNode) { bits = Self.owned(node) | Self.membership }
  /// Owns a new reference to a run whose link was claimed.
  init(owning child: Subscription) { bits = Self.owned(child) | Self.run }
  /// Owns a new reference that retains only the memory.
  init(notOwning delivery: DeliveryCore) {
    let object = Unmanaged.passUnretained(delivery).toOpaque()
    weir_unowned_retain(object)
    bits = UInt64(UInt(bitPattern: object)) | Self.delivery
  }
  /// Takes over the reference to a ``Leftover``.
  init(leftoverAt address: UInt64) { bits = address | Self.leftover }

  private static func owned(_ object: AnyObject) -> UInt64 {
    UInt64(UInt(bitPattern: Unmanaged.passRetained(object).toOpaque()))
  }

  private var kind: UInt64 { bits & Self.kinds }
  private var base: UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(bitPattern: UInt(bits & ~Self.kinds)).unsafelyUnwrapped
  }
  private var node: Unmanaged<DisposalNode> { Unmanaged.fromOpaque(base) }
  private var child: Unmanaged<Subscription> { Unmanaged.fromOpaque(base) }

  private var link: AtomicWord {
    // Without a branch for places: their bit is half the distance between the two links. A membership has
    // that bit, too, and so the second link; its node is in one list only. A delivery is a subscription, too:
    // it has the bit of a run.
    let ofNode = 16 &+ Int((bits & Self.place) << 1)
    return AtomicWord(at: base + (bits & Self.run != 0 ? Subscription.linkOffset : ofNode))
  }
  /// The bits of the node below, or 0.
  var next: UInt64 { link.loadRelaxed() & ~Subscription.claimedLink }
  func setNext(_ bits: UInt64) { link.storeRelaxed(bits | Subscription.claimedLink) }

  var isEmpty: Bool {
    switch kind {
    // A thread that finds a run ended here must not find its subscriber alive afterwards. And a clean-up of
    // the run may still dispose the parent, which must find it there.
    case Self.run: child._withUnsafeGuaranteedRef { $0.registration.isOver && !$0.isCleaningUp }
    case Self.delivery: OnceFlag(AtomicWord(at: base + DeliveryCore.endedOffset)).isClaimed
    default: OnceFlag(AtomicWord(at: base + 24)).isClaimed
    }
  }
  /// What the first round of a disposal does with a node.
  enum Stop {
    /// It has stopped a run, whose chain the caller now owns.
    case run(UInt64)
    /// It has stopped a delivery; the caller owns the chain of its upstreams.
    case delivery(UInt64)
    /// The run or delivery had ended before, or is gone.
    case ended
    /// It is a place, or holds what is to be done last.
    case last
    /// It is none of them, or was stopped in this round.
    case isNone
  }
  func stop(for cause: DisposalCause) -> Stop {
    switch kind {
    case Self.run:
      return child._withUnsafeGuaranteedRef { $0.stop(for: cause) }.map { .run($0) } ?? .ended
    case Self.delivery:
      guard let delivery = retainedDelivery, let chain = delivery.stopDelivery() else { return .ended }
      // From here on it is retained as any object, so that it is still there in the second round.
      _ = Unmanaged.passRetained(delivery)
      weir_unowned_release(base)
      return .delivery(chain)
    case Self.membership: return leave(for: cause)
    case Self.place: return .last
    default: return .isNone
    }
  }
  /// Makes a member leave. If it was the last one, stops what it was a member of. The node keeps the rest for
  /// the second round.
  private func leave(for cause: DisposalCause) -> Stop {
    node._withUnsafeGuaranteedRef { node in
      guard let departure = node.take()?.leave() else { return .isNone }
      switch departure {
      case .nothing: return .isNone
      case .action, .finally:
        node.replaceContent(with: .disposable(ActionDisposable { departure.complete() }))
        return if case .finally = departure { .last } else { .isNone }
      case .last(let source, let members):
        let chain = source.stop(for: cause)
        node.replaceContent(
          with: .disposable(
            ActionDisposable {
              // Whoever has stopped a run leaves its registration, which lies in words of the run.
              if chain != nil { withExtendedLifetime(source) { source.registration.leave() } }
              members.end()
            }))
        return .run(chain ?? 0)
      }
    }
  }
  /// The pointer to a delivery after that: it owns a reference to the object.
  var stopped: DisposalNodePointer { DisposalNodePointer(bits: bits & ~Self.kinds | Self.stoppedDelivery) }
  /// Takes the content out and releases the node. Nil also for a run or a delivery: the first round has
  /// stopped it, and now its subscriber or its handler is released.
  @inline(__always)
  func consumeStopped() -> DisposalContent? {
    switch kind {
    case Self.run:
      let run = child.takeRetainedValue()
      // The registration is an address in the run.
      withExtendedLifetime(run) { run.registration.leave() }
    case Self.stoppedDelivery:
      Unmanaged<DeliveryCore>.fromOpaque(base).takeRetainedValue().leaveHandlerInTurn()
    case Self.membership: return node.takeRetainedValue().replaceContent(with: .none)
    default: return consume()
    }
    return nil
  }
  /// Takes the content out and releases the node. A run is both: so no reference is counted.
  func consume() -> DisposalContent? {
    if kind == Self.run { return .child(child.takeRetainedValue()) }
    defer { release() }
    return takeContent()
  }
  /// Takes the content out, and leaves the node. A place has nothing to dispose.
  func takeContent() -> DisposalContent? {
    switch kind {
    case Self.run: return .child(child.takeUnretainedValue())
    case Self.delivery: return retainedDelivery.map { .delivery($0) }
    default:
      let content = node._withUnsafeGuaranteedRef { $0.take() }
      return kind == Self.place ? nil : content
    }
  }
  /// The delivery, if it is still there.
  private var retainedDelivery: DeliveryCore? {
    weir_try_retain(base).map { Unmanaged<DeliveryCore>.fromOpaque($0).takeRetainedValue() }
  }
  /// The node of another list, if this is a place.
  var placed: DisposalNode? { kind == Self.place ? node.takeUnretainedValue() : nil }
  /// Releases the content without disposing it. A run with a place for this node would otherwise retain the
  /// content, and so itself. The content is no subscriber: that retains the run whose list this is.
  func abandon() {
    if kind == 0 || kind == Self.membership { node._withUnsafeGuaranteedRef { _ = $0.take() } }
  }
  /// Releases the element, whatever its kind.
  func release() {
    if kind == Self.delivery {
      weir_unowned_release(base)
    } else {
      Unmanaged<AnyObject>.fromOpaque(base).release()
    }
  }
}
