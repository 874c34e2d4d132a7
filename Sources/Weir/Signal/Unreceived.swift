// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// An error on its way to whoever wants it. One that nobody has received when it is released goes to
/// ``UnhandledErrors``.
@usableFromInline
final class Unreceived<Failure: Error>: @unchecked Sendable {
  // Unchecked: the word is atomic.
  private var word: UInt64 = 0
  private let error: Failure
  private let site: SourceSite

  @usableFromInline
  init(_ error: Failure, at site: SourceSite) {
    self.error = error
    self.site = site
  }

  deinit { if !isReceived.isClaimed { UnhandledErrors.report(error, fileID: site.fileID, line: site.line) } }

  private var isReceived: OnceFlag { OnceFlag(AtomicWord(property: 0, of: self)) }

  @usableFromInline
  func receive() -> Failure {
    _ = isReceived.claim()
    return error
  }
}

/// A failure with such an error.
struct Undelivered<Failure: Error>: Error {
  let failure: Unreceived<Failure>

  init(_ failure: Unreceived<Failure>) { self.failure = failure }
}

extension Completion {
  /// The same end with such an error.
  func undelivered(at site: SourceSite) -> Completion<Undelivered<Failure>> {
    switch self {
    case .finished: .finished
    case .failed(let error): .failed(Undelivered(Unreceived(error, at: site)))
    }
  }
}

/// A place in the code of a user.
@usableFromInline
struct SourceSite: Sendable {
  let fileID: StaticString
  let line: UInt
}
