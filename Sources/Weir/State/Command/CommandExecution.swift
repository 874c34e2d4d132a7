// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// How an execution ends without success, as those who listen to it are told.
enum ExecutionFailure<Failure: Error>: Error {
  case failed(Unreceived<Failure>)
  case interrupted
}

/// One execution of a command: passes on what its work sends, remembers it, and tells the command of the end.
///
/// It does not keep the work: that may be held by nobody but its own source, whose release is an end too.
final class CommandExecution<Output: Sendable, Failure: Error>: @unchecked Sendable {
  // Unchecked: the word is atomic; the rest is constant.
  private var overWord: UInt64 = 0
  private let core: CommandCore<Output, Failure>
  private let output = ReplaySubject<Output, ExecutionFailure<Failure>>(capacity: .unbounded)

  init(of core: CommandCore<Output, Failure>) { self.core = core }

  private var over: OnceFlag { OnceFlag(AtomicWord(property: 0, of: self)) }

  /// All that the work has sent, and then what it sends.
  var signal: Signal<Output, ExecutionFailure<Failure>> { output.signal }

  func start(_ work: Signal<Output, Failure>) {
    let subscription = Subscription()
    subscription.add(
      ActionDisposable { if self.over.claim() { self.end(.failed(.interrupted), failure: nil) } })
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

  private func end(_ completion: Completion<Failure>) {
    switch completion {
    case .finished: end(.finished, failure: nil)
    case .failed(let error):
      let failure = Unreceived(error, at: core.site)
      end(.failed(.failed(failure)), failure: failure)
    }
  }

  /// The command is told first, so that it can be executed again by those who hear of the end here.
  private func end(_ completion: Completion<ExecutionFailure<Failure>>, failure: Unreceived<Failure>?) {
    core.end(failure)
    output.terminate(completion)
  }
}

/// An error on its way to whoever wants it. One that nobody has received when it is released goes to ``UnhandledErrors``.
final class Unreceived<Failure: Error>: @unchecked Sendable {
  // Unchecked: the word is atomic.
  private var word: UInt64 = 0
  private let error: Failure
  private let site: SourceSite

  init(_ error: Failure, at site: SourceSite) {
    self.error = error
    self.site = site
  }

  deinit { if !isReceived.isClaimed { UnhandledErrors.report(error, fileID: site.fileID, line: site.line) } }

  private var isReceived: OnceFlag { OnceFlag(AtomicWord(property: 0, of: self)) }

  func receive() -> Failure {
    _ = isReceived.claim()
    return error
  }
}

/// A place in the code of a user.
struct SourceSite: Sendable {
  let fileID: StaticString
  let line: UInt
}
