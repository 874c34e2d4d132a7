// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// One run of a chain of operators from its source to its subscriber, and the disposable that ends it.
///
/// All operators with one upstream share the subscription of what they feed, so that ending it ends the whole
/// chain at once: the clean-up of the source runs, and upstream, operators and closures are released, also
/// when the caller keeps this object. Operators with several upstreams give each of them a subscription of
/// its own.
///
/// After ``dispose()`` has returned, nothing is delivered any more on the thread that called it, whoever else
/// disposes at the same time. Another thread may still be in the one delivery that it had begun. A terminal
/// event disposes the subscription before the subscriber sees it.
///
/// ReactiveObjC: the compound disposable that `-subscribe:` returns.
public final class Subscription: Disposable, @unchecked Sendable {
  // Unchecked: atomic words; the local flag and the name by the rule beside them.
  @exclusivity(unchecked) @usableFromInline var head: UInt64 = 0
  @exclusivity(unchecked) @usableFromInline var shells: UInt64 = 0
  @exclusivity(unchecked) @usableFromInline var sweepAt: UInt64 = 0
  @exclusivity(unchecked) private var link: UInt64 = 0
  @exclusivity(unchecked) private var place: UInt64 = 0

  /// Who can reach this subscription. A `local` one belongs to a signal that runs wholly inside `subscribe`:
  /// nobody else has it before that returns, so nobody else can end it, and its source asks plain memory,
  /// which costs nothing where the chain is fused.
  @usableFromInline enum Reach { case local, shared }
  @usableFromInline let reach: Reach
  /// Whether a local subscription has ended. Touched by the subscribing thread only.
  @exclusivity(unchecked) @usableFromInline var hasEndedLocally = false
  /// What `named(_:)` calls this run. Written while the chain is put together, before there are events; read
  /// in serial delivery. One word: it fits into the padding that the allocator adds anyway.
  @exclusivity(unchecked) @usableFromInline var givenName: RunName?

  @inlinable @inline(__always)
  init(_ reach: Reach) { self.reach = reach }

  /// A subscription for one upstream of an operator with several, or for an observer of one's own.
  public convenience init() { self.init(.shared) }

  deinit {
    registration.abandon()
    list.release()
  }

  @inlinable var list: DisposalList {
    @inline(__always) get { DisposalList(firstPropertiesOf: self) }
  }

  /// True from the moment the first ``dispose()`` began.
  @inlinable public var isDisposed: Bool {
    @inline(__always) get { list.isDisposed }
  }

  /// The name of this run, if it was given one.
  @usableFromInline var name: String? { givenName?.text }

  /// An error that came when the run had ended: nobody receives it.
  @usableFromInline
  func report(_ error: some Error) { UnhandledErrors.report(error, in: name) }

  /// The same for the error of an end that was on its way when the run ended.
  @inlinable
  func reportError(of completion: Completion<some Error>) {
    if case .failed(let error) = completion { report(error) }
  }

  /// Hands the end of this run on to `terminate`. If the run has ended before, by a closure or in a clean-up,
  /// nobody receives its error: it is reported.
  @inlinable @inline(__always)
  func pass<Failure>(_ completion: Completion<Failure>, to terminate: (Completion<Failure>) -> Void) {
    if isDisposed { reportError(of: completion) } else { terminate(completion) }
  }

  /// Takes a name, unless somebody downstream has given one.
  func take(_ name: RunName) { if givenName == nil { givenName = name } }

  /// Ends the run without an event. From any thread, also from inside one of its callbacks, without waiting.
  ///
  /// Called inside a closure of an operator, it does not recall the value under way: that still passes the
  /// closures below in the same chain, and is dropped before the subscriber, and before an operator that
  /// brings several signals together or changes threads.
  public func dispose() { end() }

  /// Ends the subscription. True for the one call that did; a terminal event is delivered by that caller
  /// only.
  @inlinable @discardableResult
  public func end() -> Bool {
    if reach == .local, !isDisposed { hasEndedLocally = true }
    return endShared()
  }

  @usableFromInline
  func endShared() -> Bool {
    guard let chain = list.close() else {
      registration.help()
      return false
    }
    registration.end()
    DisposalList.dispose(chain)
    return true
  }

  /// Has `disposable` disposed together with this subscription; at once, if it has ended. From any thread,
  /// without waiting.
  public func add(_ disposable: any Disposable) { list.add(.disposable(disposable)) }

  /// Has `child` end with this subscription, at once if that has ended, and forgets it when it ends by
  /// itself. From any thread, without waiting: if another thread is disposing this subscription already, the
  /// child may end after ``dispose()`` has returned here. A child may have any number of parents; one that
  /// goes is forgotten, too.
  @inlinable
  public func adopt(_ child: Subscription) { list.adopt(child) }
}

extension Subscription {
  /// Where the word is that links a run to the next node of the list that has adopted it.
  static var linkOffset: Int { 16 + 8 * 3 }
  /// Stands in the link from when it was claimed.
  static var claimedLink: UInt64 { 1 }

  /// True for the one list whose node this run may be.
  func claimLink() -> Bool { AtomicWord(property: 3, of: self).compareExchange(0, Self.claimedLink) }

  var registration: Registration { Registration(AtomicWord(property: 4, of: self)) }

  /// Has its first subscriber discarded when this run ends, before all that was added: first there are no
  /// more events, and then all is cleaned up. False if there is one already, or it has ended.
  @usableFromInline
  func register(_ entry: SnapshotEntry) -> Bool { registration.begin(entry) }

  /// Has any other subscriber discarded when this run ends, in the order in which it was added; at once, if
  /// it has. Such a one must ask with each value whether it has: another thread, which is disposing, may not
  /// have come to it.
  @usableFromInline
  func registerNext(_ entry: SnapshotEntry) { list.add(.subscriber(entry)) }
}

/// The name of a run. An object, so that a run without one pays a word.
@usableFromInline
final class RunName: Sendable {
  let text: String
  init(_ text: String) { self.text = text }
}
