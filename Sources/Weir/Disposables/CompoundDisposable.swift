// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A set of disposables that is disposed as one, in the order in which they were added.
///
/// Adding is one compare-exchange and one allocation, removing is O(1) amortised; both from any thread,
/// without waiting. A second ``dispose()`` that runs at the same time returns without waiting for the first
/// one's children. Nested sets are disposed iteratively, however deep.
///
/// ReactiveObjC: `RACCompoundDisposable`.
public final class CompoundDisposable: Disposable, @unchecked Sendable {
  // Unchecked: all state is in the atomic words of the list.
  private var head: UInt64 = 0
  private var shells: UInt64 = 0
  private var sweepAt: UInt64 = 0

  /// The place of a disposable in a ``CompoundDisposable``, for removing it.
  ///
  /// It retains the set. So a disposable in the set that retains its own entry, to remove itself, is released
  /// only if it does that, or the set is disposed.
  public struct Entry: Sendable {
    let node: DisposalNode?
    let owner: CompoundDisposable

    /// Removes the disposable without disposing it. Returns false if it was removed before, if the set has
    /// disposed it, or if it was disposed already when it was added. O(1) amortised.
    @discardableResult
    public func remove() -> Bool {
      guard let node else { return false }
      return owner.list.remove(node)
    }
  }

  /// An empty set.
  public init() {}

  /// A set of `disposables`.
  public convenience init(_ disposables: [any Disposable]) {
    self.init()
    for disposable in disposables { add(disposable) }
  }

  /// Frees the list without disposing what is in it.
  deinit { list.release() }

  var list: DisposalList { DisposalList(firstPropertiesOf: self) }

  /// True from the moment the first ``dispose()`` started.
  public var isDisposed: Bool { list.isDisposed }

  /// Disposes everything that was added, in that order, and from now on whatever is added. May be called from
  /// any thread; never waits: a disposable that another thread is already disposing may be disposed after
  /// this has returned.
  public func dispose() { list.dispose() }

  /// Adds a disposable. A disposed set disposes it at once; a disposable that is disposed already is not
  /// retained. Any other is retained until the set is disposed or the entry removed, even if it is disposed
  /// before: for subscriptions that come and go, use ``Subscription/adopt(_:)`` or ``Lifetime``, which forget
  /// those that have ended.
  ///
  /// ReactiveObjC: `-addDisposable:`. Removal uses the entry instead of `-removeDisposable:`, which must
  /// search the set.
  @discardableResult
  public func add(_ disposable: any Disposable) -> Entry {
    Entry(node: disposable.isDisposed ? nil : list.add(.disposable(disposable)), owner: self)
  }
}
