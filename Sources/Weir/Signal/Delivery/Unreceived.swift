// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// An error on its way to a receiver. If it is released before it was received, it goes to
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

/// A failure that carries an ``Unreceived`` error.
@frozen @usableFromInline
struct Undelivered<Failure: Error>: Error {
  @usableFromInline let failure: Unreceived<Failure>

  @inlinable
  init(_ failure: Unreceived<Failure>) { self.failure = failure }
}

extension Completion {
  /// The same terminal event with an ``Unreceived`` error.
  @inlinable
  func undelivered(at site: SourceSite) -> Completion<Undelivered<Failure>> {
    switch self {
    case .completed: .completed
    case .failed(let error): .failed(Undelivered(Unreceived(error, at: site)))
    }
  }
}
