// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Subscription
//
// What a run has to dispose is a DisposalList, and its place in a hot source a Registration: their protocols
// are in their files. A third one is that of the half word `lateState`, which is 0, `cleaningUp` or
// `dismissed`.
//
// Guarantees: a thread that disposes a run whose clean-ups it is just running, because the run has ended by
// itself, gets no terminal event of that run.
//
// Invariants:
//  1. One thread closes the list. Only that one sets `cleaningUp`, before the registration is stopped, and
//     takes it back after the last clean-up, unless it finds another state.
//  2. Whoever disposes a run that has ended sets `dismissed`. The thread that has closed the list looks for
//     that after the clean-ups, and then delivers the terminal event, or does not.
//  3. If another thread dismisses the run, that may be overwritten, or come too late: the event is then the
//     one that this thread was already delivering.
//
// Orderings: none. The dismissal that must not be missed is made by the thread that looks for it. A thread
// that finds the registration over, by an acquire load, also finds the `cleaningUp` that was set before.

/// One run of a chain of operators from its source to its subscriber, and the disposable that ends it.
///
/// All operators with one upstream share the subscription of their downstream, so that ending it ends the
/// whole chain at once: the clean-up of the source runs, and upstream, operators and closures are released,
/// even if the caller retains this object. Operators with several upstreams give each of them a subscription
/// of its own.
///
/// After ``dispose()`` has returned, nothing is delivered any more on the thread that called it, even if
/// other threads dispose at the same time, and not even the terminal event during whose clean-ups it was
/// called. Another thread may still be in the one delivery that it had started. A terminal event disposes the
/// subscription before the subscriber sees it.
///
/// ReactiveObjC: the compound disposable that `-subscribe:` returns.
public class Subscription: Disposable, @unchecked Sendable {
  // Not final: a DeliveryCore is the subscription of its upstreams. Nothing can be overridden.
  // Unchecked: atomic words; the local flag and the name by the rules at their declarations.
  @exclusivity(unchecked) private final var head: UInt64 = 0
  @exclusivity(unchecked) private final var shells: UInt64 = 0
  @exclusivity(unchecked) private final var sweepAt: UInt64 = 0
  @exclusivity(unchecked) private final var link: UInt64 = 0
  @exclusivity(unchecked) private final var place: UInt64 = 0

  /// Which threads can reach this subscription. A `local` one belongs to a signal that runs wholly inside
  /// `subscribe`: no other thread has it before that returns, so none can end it, and its source checks a
  /// plain field, which costs nothing where the chain is fused.
  @usableFromInline enum Reach { case local, shared }
  @usableFromInline final let reach: Reach
  /// Whether a local subscription has ended. Accessed by the subscribing thread only.
  @exclusivity(unchecked) @usableFromInline final var hasEndedLocally = false
  /// Whether its clean-ups are running, or it was disposed after it had ended. An atomic half word, in what
  /// would be padding.
  @exclusivity(unchecked) private final var lateState: UInt32 = 0
  /// The name that `named(_:)` gives this run. Written while the chain is put together, before there are
  /// events; read in serial delivery. One word: it fits into the padding that the allocator adds anyway.
  @exclusivity(unchecked) @usableFromInline final var givenName: RunName?

  @inlinable @inline(__always)
  init(_ reach: Reach) { self.reach = reach }

  /// A subscription for one upstream of an operator with several, or for an observer of your own.
  public convenience init() { self.init(.shared) }

  deinit {
    assert(!registration.isInUse, "weir: a run was deallocated while its hot source still had its subscriber")
    list.release()
  }
}

extension Subscription {
  @inlinable @inline(__always) var list: DisposalList { DisposalList(firstPropertiesOf: self) }

  /// True from the moment the first ``dispose()`` started.
  ///
  /// ReactiveObjC: `isDisposed`.
  @inlinable @inline(__always) public var isDisposed: Bool { list.isDisposed }

  /// The name of this run, if it was given one.
  @usableFromInline var name: String? { givenName?.text }

  /// Reports an error that came after the run had ended: nobody receives it.
  @usableFromInline
  func report(_ error: some Error) { UnhandledErrors.report(error, in: name) }

  /// The same for the error of a terminal event that was on its way when the run ended.
  @inlinable
  func reportError(of completion: Completion<some Error>) {
    if case .failed(let error) = completion { report(error) }
  }

  /// Passes the terminal event of this run to `terminate`. If a closure or a clean-up has already ended the
  /// run, nobody receives its error: it is reported.
  @inlinable @inline(__always)
  func pass<Failure>(_ completion: Completion<Failure>, to terminate: (Completion<Failure>) -> Void) {
    if isDisposed { reportError(of: completion) } else { terminate(completion) }
  }

  /// Sets the name, unless an operator downstream has set one.
  func take(_ name: RunName) { if givenName == nil { givenName = name } }

  /// Ends the run without an event. May be called from any thread, and from inside a callback of the run;
  /// never waits.
  ///
  /// First everything in the run is stopped, then its clean-ups are called, in the order in which they were
  /// added: so what a clean-up sends starts nothing in the run any more. (What is in a set, a slot or a
  /// scope, or has several parents, is stopped when its turn comes.)
  ///
  /// If a closure of an operator calls this, the value under way still passes through the closures downstream
  /// in the same chain, and is dropped before the subscriber, and before an operator that combines several
  /// signals, makes signals of the values, or changes threads, and before `joined`.
  ///
  /// ReactiveObjC: `-dispose`.
  public func dispose() {
    noteLocalEnd()
    if !endShared(for: .dismissal) { dismiss() }
  }

  /// Ends the subscription with a terminal event, and then calls `deliver` with that; not if it has ended
  /// before. For what is at the end of a chain, and calls users' closures: a clean-up of the run may have
  /// called ``dispose()``, after which nothing is delivered; an error is then reported.
  ///
  /// ReactiveObjC: what its subscriber does before it calls the block for a terminal event.
  @inlinable
  public func end<Failure>(
    with completion: Completion<Failure>, _ deliver: (Completion<Failure>) -> Void
  ) {
    guard end() else { return }
    if isDismissed { reportError(of: completion) } else { deliver(completion) }
  }

  /// Ends the subscription. Returns true to the one call that did so: only that caller delivers a terminal
  /// event; a subscriber does with ``end(with:_:)``.
  @inlinable @discardableResult
  public func end() -> Bool {
    noteLocalEnd()
    return endShared(for: .ending)
  }

  @inlinable @inline(__always)
  func noteLocalEnd() { if reach == .local, !isDisposed { hasEndedLocally = true } }

  @usableFromInline
  func endShared(for cause: DisposalCause) -> Bool {
    guard let chain = close() else { return false }
    if chain == 0 { endSubscriber() } else { cleanUp(chain, for: cause) }
    return true
  }

  /// Most runs have nothing but their subscriber. Releasing that is a clean-up, too: it runs user code.
  @inline(__always)
  private final func endSubscriber() {
    weir_store_relaxed_u32(lateWord, Self.cleaningUp)
    registration.end()
    if isCleaningUp { weir_store_relaxed_u32(lateWord, 0) }
  }

  // Not inlined: a run without clean-ups should save no registers for them.
  @inline(never)
  private final func cleanUp(_ chain: UInt64, for cause: DisposalCause) {
    let work = stopContents(chain, for: cause)
    disposeContents(ofStopped: work, for: cause)
  }

  /// The first round: stops everything in the run, and calls no clean-up yet.
  @inline(__always)
  private final func stopContents(_ chain: UInt64, for cause: DisposalCause) -> UInt64 {
    weir_store_relaxed_u32(lateWord, Self.cleaningUp)
    registration.stop()
    return DisposalList.stopped(chain, for: cause)
  }

  @inline(__always)
  private final func disposeContents(ofStopped work: UInt64, for cause: DisposalCause) {
    registration.leave()
    DisposalList.disposeContents(ofStopped: work, for: cause)
    if isCleaningUp { weir_store_relaxed_u32(lateWord, 0) }
  }

  /// The first half of ``dispose()``, which calls no clean-up: the source has ended and sends nothing more.
  /// The result, unless it is nil, is to be passed to ``finishDisposal(_:)``, once, on any thread.
  @usableFromInline
  final func beginDisposal() -> UInt64? {
    noteLocalEnd()
    guard let chain = close() else {
      dismiss()
      return nil
    }
    return stopContents(chain, for: .dismissal)
  }

  /// The second half.
  @usableFromInline
  final func finishDisposal(_ work: UInt64) { disposeContents(ofStopped: work, for: .dismissal) }

  /// Where the half word is, behind two bytes of the sixth word.
  private static var lateOffset: Int { 16 + 8 * 5 + 4 }
  private static var cleaningUp: UInt32 { 1 }
  private static var dismissed: UInt32 { 2 }

  private final var lateWord: UnsafeMutablePointer<UInt32> {
    (Unmanaged.passUnretained(self).toOpaque() + Self.lateOffset).assumingMemoryBound(to: UInt32.self)
  }

  /// Whether it has ended by itself, its clean-ups are not over, and it was not disposed since.
  final var isCleaningUp: Bool { weir_load_relaxed_u32(lateWord) == Self.cleaningUp }

  /// Notes that it was disposed after it had ended: the thread that does so expects nothing more, even if it
  /// is in the middle of the end.
  final func dismiss() { weir_store_relaxed_u32(lateWord, Self.dismissed) }

  /// For the disposal of what holds it: see ``stop()``.
  final func stop(for cause: DisposalCause) -> UInt64? {
    let chain = stop()
    if chain == nil, cause == .dismissal { dismiss() }
    return chain
  }

  @usableFromInline final var isDismissed: Bool { weir_load_relaxed_u32(lateWord) == Self.dismissed }

  /// Ends the subscription without disposing anything yet. Returns the chain to the one call that did so. The
  /// caller then calls ``Registration/leave()``, and disposes the chain.
  final func stop() -> UInt64? {
    guard let chain = close() else { return nil }
    registration.stop()
    return chain
  }

  private final func close() -> UInt64? {
    guard let chain = list.close() else {
      registration.help()
      return nil
    }
    return chain
  }

  /// Disposes `disposable` together with this subscription; at once, if that has ended. It is retained until
  /// then, even if it is disposed before, unless it is a subscription: that is adopted, as by ``adopt(_:)``.
  /// What is disposed already is not added. May be called from any thread; never waits.
  ///
  /// ReactiveObjC: `-addDisposable:`.
  public func add(_ disposable: any Disposable) {
    if let run = disposable as? Subscription { return adopt(run) }
    if !disposable.isDisposed { list.add(.disposable(disposable)) }
  }

  /// Ends `child` together with this subscription, at once if that has ended; forgets it when it ends first.
  /// May be called from any thread; never waits: if another thread is already disposing this subscription,
  /// the child may end after ``dispose()`` has returned here. A child may have any number of parents. A
  /// parent that is released before it has ended releases the child, too, and does not end it.
  @inlinable
  public func adopt(_ child: Subscription) { list.adopt(child) }
}

extension Subscription {
  /// The offset of the word that links a run to the next node of the list that has adopted it.
  static var linkOffset: Int { 16 + 8 * 3 }
  /// The words of the stored properties; those of a subclass follow.
  @inlinable static var wordCount: Int { 7 }
  /// Set in the link from when it was claimed.
  static var claimedLink: UInt64 { 1 }

  /// Returns true to the one list that may use this run as its node.
  func claimLink() -> Bool { AtomicWord(property: 3, of: self).compareExchange(0, Self.claimedLink) }

  var registration: Registration { Registration(AtomicWord(property: 4, of: self)) }

  /// Has a further subscriber discarded when this run ends, in the order in which it was added; at once, if
  /// the run has ended. Such a subscriber must check with each value whether it has: another thread that is
  /// disposing the run may not have reached it yet.
  @usableFromInline
  func registerNext(_ entry: SnapshotEntry) { list.add(.subscriber(entry)) }
}

/// The name of a run. An object, so that a run without a name pays one word.
@usableFromInline
final class RunName: Sendable {
  let text: String
  init(_ text: String) { self.text = text }
}
