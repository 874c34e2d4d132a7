// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// An execution of a command without the types of its values and errors: its way through the scheduler, which
/// starts it once or not at all, and the one end that it has.
///
/// A scheduler calls work through a witness, which is not specialised; so the steps that need the types are
/// behind a closure that is made where these are known, and captures nothing.
@usableFromInline
class ScheduledExecution: Disposable, ScheduledWork, @unchecked Sendable {
  // Unchecked: the word is atomic; the rest is constant.
  private final var overWord: UInt64 = 0
  @usableFromInline final let core: CommandCore
  private final let typed: @Sendable (ScheduledExecution, TypedStep) -> Void

  /// The steps that need the types.
  @frozen @usableFromInline
  enum TypedStep: Sendable {
    /// Subscribes the work, unless it was dropped.
    case start
    case dropWork
    /// Tells the command and the subscribers that there will be no end.
    case interrupt
  }

  @usableFromInline
  init(of core: CommandCore, _ typed: @escaping @Sendable (ScheduledExecution, TypedStep) -> Void) {
    self.core = core
    self.typed = typed
  }

  /// Claimed by the one who ends it.
  @inlinable final var over: OnceFlag { OnceFlag(AtomicWord(property: 0, of: self)) }

  @usableFromInline final var isDisposed: Bool { over.isClaimed }

  /// The source of the work has let go of it, or the scheduler has given it up before it began.
  @usableFromInline
  final func dispose() { if over.claim() { typed(self, .interrupt) } }

  /// Has this disposed with the run of its work. For the thread that has started that. An end that has come
  /// meanwhile needs no notice: so work that ends at once costs none.
  @usableFromInline
  final func follow(_ run: Subscription) { if !isDisposed { run.list.add(.disposable(self)) } }

  /// Starts it, for the thread that announces it.
  final func begin() { typed(self, .start) }

  @usableFromInline
  final func run() { core.deliver(then: self) }

  @usableFromInline
  final func abandon() {
    typed(self, .dropWork)
    dispose()
    core.abandon()
  }
}
