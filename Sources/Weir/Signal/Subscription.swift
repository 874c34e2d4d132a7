// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// One run of a chain of operators from its source to its subscriber, and the disposable that ends it.
///
/// All operators with one upstream share the subscription of what they feed, so that ending it ends the whole chain at
/// once: the clean-up of the source runs, and upstream, operators and closures are released, also when the caller keeps
/// this object. Operators with several upstreams give each of them a subscription of its own.
///
/// After ``dispose()`` has returned, nothing is delivered any more on the thread that called it. Another thread may still
/// be in the one delivery that it had begun. A terminal event disposes the subscription before the subscriber sees it.
///
/// ReactiveObjC: the compound disposable that `-subscribe:` answers.
public final class Subscription: Disposable, @unchecked Sendable {  // atomic words; `phase` by the rule beside it
  private var head: UInt64 = 0
  private var shells: UInt64 = 0
  private var sweepAt: UInt64 = 0

  /// Who can reach this subscription. It is `local` while only the subscribing thread runs a synchronous source below
  /// `subscribe`: then nobody else can end it, and sources look at plain memory, which the optimiser folds away. It is
  /// written by that thread alone, before the object is handed to anybody else, and is constant from then on.
  @usableFromInline enum Phase { case local, ended, shared }
  @exclusivity(unchecked) @usableFromInline var phase: Phase

  @usableFromInline
  init(_ phase: Phase) { self.phase = phase }

  /// A subscription for one upstream of an operator with several, or for an observer of one's own.
  public convenience init() { self.init(.shared) }

  deinit { list.sweep { _ in true } }

  @usableFromInline var list: DisposalList { DisposalList(firstPropertiesOf: self) }

  public var isDisposed: Bool { list.isDisposed }

  /// Whether a source should stop sending: what a synchronous source asks before each value.
  @inlinable @inline(__always)
  public var isEnded: Bool {
    switch phase {
    case .local: false
    case .ended: true
    case .shared: isDisposed
    }
  }

  /// To be called before the subscription, or a sink that refers to it, is stored for later or given to another thread.
  @inlinable @inline(__always)
  public func share() { if phase == .local { phase = .shared } }

  public func dispose() { end() }

  /// Ends the subscription. True for the one call that did; a terminal event is delivered by that caller only.
  @inlinable @discardableResult
  public func end() -> Bool {
    if phase == .local { phase = .ended }
    return list.dispose()
  }

  /// Has `disposable` disposed together with this subscription; at once, if it has ended.
  public func add(_ disposable: any Disposable) { list.add(disposable) }

  /// Has `child` end with this subscription, and forgets it when it ends by itself.
  public func adopt(_ child: Subscription) {
    if let node = list.add(child) { child.list.add(Adoption(of: node, by: self)) }
  }
}

/// Takes a child's node out of its parent when the child ends first.
private final class Adoption: Disposable {
  private let node: DisposalNode
  private let parent: Subscription

  init(of node: DisposalNode, by parent: Subscription) {
    self.node = node
    self.parent = parent
  }

  var isDisposed: Bool { node.isEmpty }
  func dispose() { parent.list.remove(node) }
}
