// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// How an execution ends without success, as its subscribers receive it.
@usableFromInline
enum ExecutionFailure<Failure: Error>: Error {
  case failed(Unreceived<Failure>)
  case interrupted

  /// As a subscriber gets it, which so has received the error.
  @inlinable
  func received<Input, Output>() -> CommandError<Input, Output, Failure> {
    switch self {
    case .failed(let error): .failed(error.receive())
    case .interrupted: .interrupted
    }
  }
}

/// The signals of a command's executions and of their errors.
@usableFromInline
final class CommandOutlets<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline typealias Execution = CommandExecution<Output, Failure>

  @usableFromInline let executions = Subject<Signal<Output, Never>, Never>()
  @usableFromInline let failures = Subject<Unreceived<Failure>, Never>()

  @inlinable init() {}
  @inlinable deinit {}

  @inlinable
  func announce(_ news: CommandNews) {
    switch news {
    case .execution(let output):
      executions.send(Execution.values(of: unsafeDowncast(output, to: Execution.Subject.self)))
    case .error(let error): failures.send(unsafeDowncast(error, to: Unreceived<Failure>.self))
    case .noMoreExecutions: executions.complete()
    case .noMoreErrors: failures.complete()
    }
  }
}

/// One execution of a command: forwards and replays what its work sends, and notifies the command of the end.
///
/// From its start on it does not retain the work, which may be held only by its own source; the release of
/// that source is an end, too. Then this is disposed, or, if the source has just dropped the sink, released.
@usableFromInline
final class CommandExecution<Output: Sendable, Failure: Error>: ScheduledExecution, @unchecked Sendable {
  // Unchecked: `work` belongs to the thread that starts this, or gives it up; the rest is constant.
  @usableFromInline typealias Subject = ReplaySubject<Output, ExecutionFailure<Failure>>

  @usableFromInline let output: Subject
  @exclusivity(unchecked) @usableFromInline var work: Signal<Output, Failure>?

  @inlinable
  init(of core: CommandCore, _ work: Signal<Output, Failure>) {
    self.work = work
    output = Subject(capacity: .unbounded)
    super.init(of: core) { execution, step in
      unsafeDowncast(execution, to: CommandExecution.self).perform(step)
    }
  }

  /// Nothing is left that could end it.
  deinit {
    guard over.claim() else { return }
    ReleaseQueue().end { [core, output] in Self.interrupt(output, of: core) }
  }

  @inlinable
  func perform(_ step: TypedStep) {
    switch step {
    case .start: start()
    case .dropWork: work = nil
    case .interrupt: Self.interrupt(output, of: core)
    }
  }

  @inlinable
  func start() {
    guard let work = work.take() else { return }
    let subscription = Subscription()
    work.attach(
      Sink(
        next: { [output] in output.send($0) },
        terminate: { completion in
          guard self.over.claim() else { return }
          subscription.end()
          self.end(completion)
        },
        subscription: subscription))
    follow(subscription)
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
      core.end(announcing: failure)
      output.terminate(.failed(.failed(failure)))
    }
  }

  @inlinable
  static func interrupt(_ output: Subject, of core: CommandCore) {
    core.end(announcing: nil)
    output.terminate(.failed(.interrupted))
  }
}

// What others see of an execution. These closures capture one object, so they take no memory.
extension CommandExecution {
  /// The values; it completes at whatever end.
  @inlinable
  static func values(of output: Subject) -> Signal<Output, Never> {
    Signal(attaching: { sink, _ in
      let terminate = sink.terminate
      output.attach(
        sink.upstream(terminate: { (_: Completion<ExecutionFailure<Failure>>) in terminate(.completed) }))
    })
  }

  /// The values and the end, for whoever has executed the command.
  @inlinable
  static func events<Input>(of output: Subject) -> Signal<Output, CommandError<Input, Output, Failure>> {
    Signal(attaching: { sink, _ in
      let (terminate, subscription) = (sink.terminate, sink.subscription)
      output.attach(
        sink.upstream(terminate: { (completion: Completion<ExecutionFailure<Failure>>) in
          switch completion {
          case .completed: terminate(.completed)
          case .failed(let failure):
            // A run that has ended does not receive the error.
            if !subscription.isDisposed { terminate(.failed(failure.received())) }
          }
        }))
    })
  }
}
