// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import CWeirAtomics

// # Sequential run
//
// Guarantees: one upstream runs at a time, and the next one is started by the thread on which the previous
// one has ended; the stack does not grow with their number, nor with the number of sequences that continue as
// another one.
//
// `starter` is 0, or the thread that is starting an upstream, with a bit if that has ended meanwhile on the
// same thread: such an end, further up the stack, only leaves its completion, and the code that is starting
// the upstream continues when it gets control back. If an upstream ends on another thread while it is being
// started, that thread continues, and the one that started it finds another thread in `starter`, or none, and
// leaves. So only one thread at a time continues: that of the last end. (RoundLoop does this for scheduled
// work, with two read-modify-writes for a round that is over at once; here that takes none.)
//
// A thread that puts itself into `starter` sets `place` before it starts an upstream. So an end that finds
// its own thread in `starter` finds there a variable of a function that is still on its stack.
//
// A signal that is a sequence itself (`SignalTiming.sequence`) is not subscribed to: it puts the signals that
// it runs before the remaining ones. So `func poll() -> Signal { step().then { poll() } }` is one run, whose
// list does not grow.
//
// Orderings: none. A thread continues after an upstream that the previous thread started, and no source
// delivers an event that is not ordered after its subscription.

/// Runs one upstream at a time: at the end of each it asks which one is next. Concat, repeat and retry are
/// made of it.
@usableFromInline
final class SequentialRun<Value, Failure: Error>: Frame<Failure>, @unchecked Sendable {
  // Unchecked: the word is atomic; the variables belong to the thread that continues.
  @exclusivity(unchecked) private var starterWord: UInt64 = 0
  /// Where an upstream that ends while it is being started leaves its completion: a variable of the function
  /// that is starting it. (In this object a completion would cost each run 330 instructions: its deinit is
  /// compiled for all types at once, and would ask the runtime how to destroy an error.)
  @exclusivity(unchecked) @usableFromInline var place: UnsafeMutablePointer<Completion<Failure>>?
  /// The signal to run next, and those to run after it, the last one first, before `following` is asked. Not
  /// one array, as usually a single signal waits. A signal that is running is not retained: it may be a
  /// subject that is released.
  @exclusivity(unchecked) @usableFromInline var front: Signal<Value, Failure>?
  @exclusivity(unchecked) @usableFromInline var waiting = [Signal<Value, Failure>]()
  @usableFromInline let following: @Sendable (Completion<Failure>) -> Signal<Value, Failure>?
  /// The run that it feeds.
  @usableFromInline let subscription: Subscription
  /// Checks that run, which its upstreams do not: one load for each value.
  @usableFromInline let next: @Sendable (Value) -> Void

  /// - Parameter following: returns the signal to run after the last one has ended in this way; nil to end in
  ///   the same way.
  @inlinable
  init(
    into sink: Sink<Value, Failure>,
    following: @escaping @Sendable (Completion<Failure>) -> Signal<Value, Failure>? = { _ in nil }
  ) {
    next = sink.gatedNext
    subscription = sink.subscription
    self.following = following
    super.init(fail: sink.terminate)
  }

  /// Its upstream retains it, by the closure for the terminal event; the closure for values retains only what
  /// is downstream. If the upstream lets go of it without a terminal event, the run ends.
  @inlinable deinit { subscription.endWithOwner() }

  /// Its word follows the two words of the frame.
  @inlinable var starter: AtomicWord { AtomicWord(property: 2, of: self) }
  @inlinable static var hasEnded: UInt64 { 1 }

  /// Has `signal` run before those that wait.
  @inlinable
  func put(_ signal: Signal<Value, Failure>) {
    if let front { waiting.append(front) }
    front = signal
  }

  /// The same for several, in their order.
  @inlinable
  func put(_ signals: [Signal<Value, Failure>]) { for signal in signals.reversed() { put(signal) } }

  /// Starts with `first`, which is not stored.
  @inlinable
  func begin(with first: Signal<Value, Failure>) {
    if subscription.isDisposed { return }
    let thread = weir_thread()
    starter.storeRelaxed(thread)
    var completion = Completion<Failure>.completed
    run(first, endingIn: &completion)
    if starter.loadRelaxed() == thread | Self.hasEnded { return advance(after: completion) }
    leave(thread)
  }

  /// Continues after an upstream that ended with `completion`. To start, pass `.completed`.
  @inlinable
  func advance(after completion: consuming Completion<Failure>) {
    let thread = weir_thread()
    if starter.loadRelaxed() == thread {
      place?.pointee = completion
      return starter.storeRelaxed(thread | Self.hasEnded)
    }
    repeat {
      starter.storeRelaxed(thread)
      // The clean-up of the previous upstream may have ended the run.
      if subscription.isDisposed { return subscription.reportError(of: completion) }
      let signal = upcoming(after: completion)
      // What follows may be decided by user code, which may end the run.
      if subscription.isDisposed { return subscription.reportError(of: completion) }
      guard let signal else { return terminate(completion) }
      // An error is not retained while the next upstream runs. Its deinit is user code, too.
      completion = .completed
      if subscription.isDisposed { return }
      run(signal, endingIn: &completion)
    } while starter.loadRelaxed() == thread | Self.hasEnded
    leave(thread)
  }

  /// For a thread that has started an upstream which goes on.
  @inlinable @inline(__always)
  func leave(_ thread: UInt64) {
    _ = starter.compareExchange(thread, 0)
    // The word is part of this object.
    _fixLifetime(self)
  }

  /// Returns the signal to run next; nil if there is none.
  @inlinable
  func upcoming(after completion: Completion<Failure>) -> Signal<Value, Failure>? {
    if case .failed = completion { (front, waiting) = (nil, []) }
    return front.take() ?? waiting.popLast() ?? following(completion)
  }

  @inlinable @inline(__always)
  func run(_ signal: Signal<Value, Failure>, endingIn completion: inout Completion<Failure>) {
    withUnsafeMutablePointer(to: &completion) { place in
      self.place = place
      run(signal)
    }
  }

  @inlinable
  func run(_ signal: Signal<Value, Failure>) {
    if signal.ownTiming == .sequence {
      signal.attach(sinkOfSequences)
      return advance(after: .completed)
    }
    let upstream = Subscription()
    subscription.adopt(upstream)
    signal.attach(
      Sink(
        next: next,
        terminate: { completion in if upstream.end() { self.advance(after: completion) } },
        subscription: upstream))
  }

  /// The sink by which a sequence finds this run. The sequence sends nothing to it.
  @inlinable
  var sinkOfSequences: Sink<Value, Failure> {
    Sink(
      route: .step({ _, _ in }, self), gate: .sequence, ending: .early, terminate: { _ in },
      subscription: subscription)
  }
}

extension Sink {
  /// Continues with `signal` where the previous signal has ended: in the sequence that this is part of, if
  /// there is one, or as the start of one.
  @inlinable
  func goOn(as signal: Signal<Value, Failure>, in sequence: SequentialRun<Value, Failure>?) {
    if let sequence {
      sequence.put(signal)
      terminate(.completed)
    } else if signal.ownTiming == .sequence {
      SequentialRun(into: self).begin(with: signal)
    } else {
      signal.attach(self)
    }
  }

  /// The run to which a signal connected to this sink has to give its next parts, instead of sending events.
  @inlinable
  var sequence: SequentialRun<Value, Failure>? {
    guard gate == .sequence, case .step(_, let frame) = route else { return nil }
    return frame.own() as SequentialRun<Value, Failure>
  }
}
