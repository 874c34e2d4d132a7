// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Runs one upstream at a time: at the end of each it asks which is next. What concat, repeat and retry are made of.
///
/// `advance` may be called from inside itself, as a synchronous signal ends: the call only leaves its completion and counts, and the
/// outer one goes on, so the stack does not grow.
@usableFromInline
final class SequentialRun<Value, Failure: Error>: @unchecked Sendable {
  // Unchecked: one upstream runs at a time, and `completion` passes from its end to who advances through the counter.
  @usableFromInline var calls: UInt64 = 0
  @exclusivity(unchecked) @usableFromInline var completion = Completion<Failure>.finished
  @usableFromInline let following: @Sendable (Completion<Failure>) -> Signal<Value, Failure>?
  @usableFromInline let sink: Sink<Value, Failure>
  /// Looks at the subscription of `sink`, which its upstreams do not.
  @usableFromInline let next: @Sendable (Value) -> Void

  /// - Parameter following: answers what to run after an upstream has ended in this way; nil to end in the same way.
  @inlinable
  init(
    into sink: Sink<Value, Failure>,
    following: @escaping @Sendable (Completion<Failure>) -> Signal<Value, Failure>?
  ) {
    self.sink = sink
    next = sink.next
    self.following = following
  }

  /// Its upstreams keep it. If they let go of it without a terminal event, the run ends.
  @inlinable deinit { sink.subscription.dispose() }

  /// Goes on after an upstream that ended with `completion`. To start, after one that is imagined to have completed.
  @inlinable
  func advance(after completion: Completion<Failure>) {
    self.completion = completion
    let calls = AtomicWord(property: 0, of: self)
    guard calls.add(1) == 0 else { return }
    repeat {
      if sink.isEnded { return }
      guard let next = following(self.completion) else { return sink.terminate(self.completion) }
      // What follows may be decided by user code, which may end the run.
      if sink.isEnded { return }
      run(next)
    } while calls.subtract(1) != 1
  }

  @inlinable
  func run(_ signal: Signal<Value, Failure>) {
    let upstream = Subscription()
    sink.subscription.adopt(upstream)
    signal.attach(
      Sink(
        next: next,
        terminate: { completion in if upstream.end() { self.advance(after: completion) } },
        subscription: upstream))
  }
}
