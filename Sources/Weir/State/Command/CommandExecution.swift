// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// How an execution ends without success, as its subscribers receive it.
@usableFromInline
enum ExecutionFailure<Failure: Error>: Error {
  case failed(Unreceived<Failure>)
  case interrupted
}

/// The signals of a command's executions and of their errors.
@usableFromInline
final class CommandOutlets<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline let executions = Subject<Signal<Output, Never>, Never>()
  @usableFromInline let failures = Subject<Unreceived<Failure>, Never>()

  @inlinable init() {}
  @inlinable deinit {}
}

/// One execution of a command: forwards and replays what its work sends, and notifies the command of the end.
///
/// It does not retain the work, which may be held only by its own source; the release of that source is an
/// end, too. Then this is disposed, or, if the source has just dropped the sink, released.
@usableFromInline
final class CommandExecution<Output: Sendable, Failure: Error>: Disposable, @unchecked Sendable {
  // Unchecked: the word is atomic; the rest is constant.
  private var overWord: UInt64 = 0
  @usableFromInline let core: CommandCore
  @usableFromInline let outlets: CommandOutlets<Output, Failure>
  @usableFromInline let output: ReplaySubject<Output, ExecutionFailure<Failure>>

  @inlinable
  init(of core: CommandCore, _ outlets: CommandOutlets<Output, Failure>) {
    self.core = core
    self.outlets = outlets
    output = ReplaySubject(capacity: .unbounded)
  }

  /// Nothing is left that could end it.
  deinit { if over.claim() { ReleaseQueue().end(interruption) } }

  @inlinable var over: OnceFlag { OnceFlag(AtomicWord(property: 0, of: self)) }

  /// Announces on the command's signals that this starts. The closure may wait in the core for long, so it
  /// must not retain the core, as this object does.
  @inlinable
  var announcement: @Sendable () -> Void {
    { [outlets, output] in outlets.executions.send(output.catchTo(Signal<Output, Never>.empty())) }
  }

  @inlinable
  func start(_ work: Signal<Output, Failure>) {
    let subscription = Subscription()
    subscription.add(self)
    work.attach(
      Sink(
        next: { [output] in output.send($0) },
        terminate: { completion in
          guard self.over.claim() else { return }
          subscription.end()
          self.end(completion)
        },
        subscription: subscription))
  }

  @usableFromInline var isDisposed: Bool { over.isClaimed }

  /// The source of the work has let go of it, or the scheduler has given it up before it began.
  @usableFromInline
  func dispose() { if over.claim() { interruption() } }

  private var interruption: () -> Void {
    { [core, output] in
      core.end(announcing: nil)
      output.terminate(.failed(.interrupted))
    }
  }

  /// The command is notified first, so that subscribers that get the end here can execute it again.
  @inlinable
  func end(_ completion: Completion<Failure>) {
    switch completion {
    case .completed:
      core.end(announcing: nil)
      output.terminate(.completed)
    case .failed(let error):
      let failure = Unreceived(error, at: core.site)
      core.end { [outlets] in outlets.failures.send(failure) }
      output.terminate(.failed(.failed(failure)))
    }
  }
}
