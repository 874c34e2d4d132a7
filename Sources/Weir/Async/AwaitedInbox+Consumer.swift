// Part of Weir. SPDX-License-Identifier: Apache-2.0

// The protocol is at the head of AwaitedInbox.swift.

extension AwaitedInbox {
  /// What ``look()`` finds.
  @frozen @usableFromInline
  enum Standing {
    /// At least one value, which is in hand.
    case some
    /// None; the tail was this.
    case none(tail: UInt64)
    /// None, and none will come.
    case over
  }

  /// Whether a value can be taken at once.
  @inlinable @inline(__always) var hasInHand: Bool { inHand.count > 0 && !role.isInterrupted }

  /// Takes one of the values in hand. There must be one.
  @inlinable @inline(__always)
  func take() -> Value {
    let value = ring.take(inHand.first)
    inHand.first &+= 1
    inHand.count &-= 1
    return value
  }

  /// Claims values, unless some are in hand.
  @inlinable
  func look() -> Standing {
    if isOver || role.isInterrupted { return .over }
    if inHand.count > 0 { return .some }
    switch ring.claim() {
    case .batch(let batch):
      inHand = batch
      streak += Int(batch.count)
      if streak >= ScheduledDrain.valuesPerDrain { ring.beginStream() }
      return .some
    case .empty(let tail): return .none(tail: tail)
    case .closed: return .over
    }
  }

  /// Takes all buffered values, at most `largest`. There must be one in hand, so it takes at least one.
  @inlinable
  func takeChunk(upTo largest: Int) -> [Value] {
    var chunk: [Value] = []
    chunk.reserveCapacity(Swift.min(ring.waitingAtLastClaim(from: inHand), largest))
    // What is in hand first: whoever ends it meanwhile leaves nothing to look for.
    while true {
      while inHand.count > 0 {
        chunk.append(take())
        if chunk.count == largest { return chunk }
      }
      guard case .some = look() else { return chunk }
    }
  }

  /// Leaves the task of `sleeper` suspended, or resumes it at once if there is something to do.
  @inlinable
  func suspend(_ sleeper: Waiting, after tail: UInt64) {
    streak = 0
    hasStayed = false
    self.sleeper = sleeper
    if role.leave(), tailAfterLeaving() == tail || !role.enter() { return }
    hasStayed = true
    sleeper.resume()
  }

  /// Becomes the consumer again, as the first thing that a task does when it was resumed.
  @inlinable
  func becomeConsumer() { if !hasStayed { _ = role.begin() } }

  /// Ends the inbox, for the consumer: nothing more comes, or nothing more is wanted.
  @inlinable
  func finish() {
    if isOver { return }
    isOver = true
    _ = role.end()
    disposeSource()
    cleanUp()
  }

  /// Ends the inbox. Throws if the terminal event is a failure; otherwise returns false.
  @inlinable
  func end() throws(Failure) -> Bool {
    if isOver || role.isEnded {
      finish()
      return false
    }
    let completion = self.completion
    // The inbox may stay, and must not retain the error.
    self.completion = .completed
    finish()
    if case .failed(let error) = completion { throw error }
    return false
  }

  /// Ends the inbox for a cancelled task that requests a value.
  @inlinable @inline(never)
  func finishForTask() {
    // Another task that waits would not be resumed any more.
    expectOneTask()
    finish()
  }

  @inlinable
  func expectOneTask() {
    require(
      !isAwaited,
      "weir: values(): two tasks wait for the next value of one iterator; make an iterator for each of them")
  }
}

extension AwaitedInbox where Waiting == TaskSleeper {
  /// Waits until there are values in hand. False if there will be none.
  @inlinable @inline(never)
  func refill(isolation actor: isolated (any Actor)?) async throws(Failure) -> Bool {
    expectOneTask()
    while true {
      switch look() {
      case .some: return true
      case .none(let tail):
        isAwaited = true
        await withTaskCancellationHandler {
          // A closure that names the actor is isolated to it; others go on elsewhere.
          await withUnsafeContinuation(isolation: actor) { suspend(TaskSleeper($0), after: tail) }
        } onCancel: {
          cancel()
        }
        isAwaited = false
        becomeConsumer()
      case .over: return try end()
      }
    }
  }
}
