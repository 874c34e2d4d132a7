// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Decides which values may have their signal run. It runs nothing.
@frozen @usableFromInline
struct Admission<Input, Failure: Error> {
  @usableFromInline let limit: Int
  @usableFromInline let backlog: StoredBacklog<Failure>
  @usableFromInline var running = 0
  @usableFromInline var waiting = FIFO<Input>()
  @usableFromInline var sourceHasEnded = false

  @inlinable
  init(limit: Int, backlog: StoredBacklog<Failure>) {
    self.limit = limit
    self.backlog = backlog
  }

  @frozen @usableFromInline enum Decision { case starts, waits, exceeds }

  @inlinable
  mutating func arrive(_ value: Input) -> Decision {
    if running < limit {
      running += 1
      return .starts
    }
    if waiting.count >= backlog.bound { return .exceeds }
    waiting.append(value)
    return .waits
  }

  @inlinable
  mutating func replaceOldest(by value: Input) {
    if waiting.popFirst() != nil { waiting.append(value) }
  }

  /// A signal has completed; returns the value whose turn it is now.
  @inlinable
  mutating func end() -> Input? {
    if let next = waiting.popFirst() { return next }
    running -= 1
    return nil
  }

  @inlinable var isFinished: Bool { sourceHasEnded && running == 0 }
}
