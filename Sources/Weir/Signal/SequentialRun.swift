// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import CWeirAtomics

// # Sequential run
//
// Guarantees: one upstream runs at a time, and what follows is started by the thread on which the one before
// it has ended; the stack does not grow with their number, nor with that of sequences which go on as another
// one.
//
// `starter` is 0, or the thread that is starting an upstream, with a bit if that has ended meanwhile, on that
// same thread: such an end, further up in the stack, only leaves its completion, and who is starting goes on
// when it is back. An upstream that ends on another thread while it is being started has that one go on, and
// who has started it finds somebody else there, or nobody, and leaves. So of all threads only one goes on at
// a time: that of the last end.
//
// A signal that is a sequence itself (`SignalTiming.sequence`) is not subscribed: it puts what it has to run
// in front of what is left. So `func poll() -> Signal { step().then { poll() } }` is one run, whose list does
// not grow.
//
// Orderings: none. Who goes on does that after an upstream that was started by the one before, and no source
// delivers an event that is not ordered after its subscription.

/// Runs one upstream at a time: at the end of each it asks which is next. What concat, repeat and retry are
/// made of.
@usableFromInline
final class SequentialRun<Value, Failure: Error>: Frame<Failure>, @unchecked Sendable {
  // Unchecked: the word is atomic; the variables belong to whoever goes on.
  @exclusivity(unchecked) @usableFromInline var starterWord: UInt64 = 0
  @exclusivity(unchecked) @usableFromInline var completion = Completion<Failure>.finished
  /// What to run before anybody is asked, the last one first. A signal that runs is not kept: it may be a
  /// subject that is released.
  @exclusivity(unchecked) @usableFromInline var waiting: [Signal<Value, Failure>]
  @usableFromInline let following: @Sendable (Completion<Failure>) -> Signal<Value, Failure>?
  @usableFromInline let sink: Sink<Value, Failure>
  /// Looks at the subscription of `sink`, which its upstreams do not: one load for each value.
  @usableFromInline let next: @Sendable (Value) -> Void

  /// - Parameters:
  ///   - waiting: what to run first, the last one first.
  ///   - following: returns what to run after all that has ended in this way; nil to end in the same way.
  @inlinable
  init(
    into sink: Sink<Value, Failure>, running waiting: [Signal<Value, Failure>] = [],
    following: @escaping @Sendable (Completion<Failure>) -> Signal<Value, Failure>? = { _ in nil }
  ) {
    self.sink = sink
    self.waiting = waiting
    next = sink.nextOfOther
    self.following = following
    super.init(fail: { _ in })
  }

  /// Its upstream keeps it, by the closure that takes the terminal event; that for values keeps what follows
  /// only. If the upstream lets go of it without a terminal event, the run ends.
  @inlinable deinit { sink.subscription.endWithOwner() }

  /// Behind the two words of the frame.
  @inlinable var starter: AtomicWord { AtomicWord(property: 2, of: self) }
  @inlinable static var hasEnded: UInt64 { 1 }

  /// Goes on after an upstream that ended with `completion`. To start, after one that is imagined to have
  /// completed.
  @inlinable
  func advance(after completion: Completion<Failure>) {
    self.completion = completion
    let thread = weir_thread()
    if starter.loadRelaxed() == thread { return starter.storeRelaxed(thread | Self.hasEnded) }
    repeat {
      starter.storeRelaxed(thread)
      // The clean-up of the one before may have ended the run.
      if sink.isEnded { return sink.subscription.reportError(of: self.completion) }
      let signal = upcoming()
      // What follows may be decided by user code, which may end the run.
      if sink.isEnded { return sink.subscription.reportError(of: self.completion) }
      guard let signal else { return sink.terminate(self.completion) }
      // An error is not kept while the next one runs. Its deinit is user code, too.
      self.completion = .finished
      if sink.isEnded { return }
      run(signal)
    } while starter.loadRelaxed() == thread | Self.hasEnded
    _ = starter.compareExchange(thread, 0)
    // The word is a part of it.
    _fixLifetime(self)
  }

  /// What to run next.
  @inlinable
  func upcoming() -> Signal<Value, Failure>? {
    if case .failed = completion { waiting = [] }
    return waiting.popLast() ?? following(completion)
  }

  @inlinable
  func run(_ signal: Signal<Value, Failure>) {
    if signal.ownTiming == .sequence {
      signal.stored(sinkOfSequences)
      return advance(after: .finished)
    }
    let upstream = Subscription()
    sink.subscription.adopt(upstream)
    signal.attach(
      Sink(
        next: next,
        terminate: { completion in if upstream.end() { self.advance(after: completion) } },
        subscription: upstream))
  }

  /// Where a sequence finds this run. It sends nothing there.
  @inlinable
  var sinkOfSequences: Sink<Value, Failure> {
    Sink(
      route: .step({ _, _ in }, self), gate: .sequence, ending: .early, terminate: terminate,
      subscription: sink.subscription)
  }
}

extension Sink {
  /// Goes on as `signal` where what it stands for has ended: in the sequence that this is part of, if there
  /// is one, or as the beginning of one.
  @inlinable
  func goOn(as signal: Signal<Value, Failure>, in sequence: SequentialRun<Value, Failure>?) {
    if let sequence {
      sequence.waiting.append(signal)
      terminate(.finished)
    } else if signal.ownTiming == .sequence {
      SequentialRun(into: self, running: [signal]).advance(after: .finished)
    } else {
      signal.attach(self)
    }
  }

  /// The run whose next part the signal that gets this sink is to say, in place of sending events.
  @inlinable
  var sequence: SequentialRun<Value, Failure>? {
    guard gate == .sequence, case .step(_, let frame) = route else { return nil }
    return frame.own() as SequentialRun<Value, Failure>
  }
}
