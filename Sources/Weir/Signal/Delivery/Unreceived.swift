// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// An error on its way to a receiver. If it is released before it was received, it goes to
/// ``UnhandledErrors``. An error itself, so that a signal can fail with it.
@usableFromInline
final class Unreceived<Failure: Error>: Error, @unchecked Sendable {
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

extension Completion {
  /// The same terminal event with an ``Unreceived`` error.
  @inlinable
  func unreceived(at site: SourceSite) -> Completion<Unreceived<Failure>> {
    switch self {
    case .completed: .completed
    case .failed(let error): .failed(Unreceived(error, at: site))
    }
  }
}
