// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Runs any number of upstreams at the same time into one sink; completes when the last of them has.
@frozen @usableFromInline
struct Merger<Value, Failure: Error>: Sendable {
  @usableFromInline let delivery: SerialDelivery<Value, Failure>

  @inlinable
  init(to sink: Sink<Value, Failure>) { self.init(by: SerialDelivery(to: sink)) }

  @inlinable
  init(by delivery: SerialDelivery<Value, Failure>) { self.delivery = delivery }

  /// The number of upstreams.
  @inlinable var count: AtomicWord { delivery.core.ownWord }

  /// Counts one more upstream.
  @inlinable
  func begin() { count.add(1) }

  /// Counts one as completed.
  @inlinable
  func finish() { if count.subtract(1) == 1 { delivery.terminate(.completed) } }

  /// Calls a closure that runs signals, and does not complete before it has returned, even if all signals
  /// that it has run so far have completed.
  @inlinable @inline(__always)
  func runAll(_ runSignals: () -> Void) {
    begin()
    runSignals()
    finish()
  }

  /// Runs one more signal.
  @inlinable @inline(__always)
  func run(_ signal: Signal<Value, Failure>) { run(signal, immediatelyIn: ImmediateFrame(of: delivery).sink) }

  /// The same with a sink for a signal that ends before this returns.
  @inlinable @inline(__always)
  func run(
    _ signal: Signal<Value, Failure>, immediatelyIn sink: @autoclosure () -> Sink<Value, Failure>
  ) {
    if !runAtOnce(signal, in: sink()) { runBeside(signal) }
  }

  /// Runs a signal that ends before this returns, in the sink of an ``ImmediateFrame``; false if it is no
  /// such signal. It has no subscription of its own, and is not counted: the upstream that starts it is still
  /// running when it is done. After the end of the run, nothing is run.
  @inlinable @inline(__always)
  func runAtOnce(
    _ signal: Signal<Value, Failure>, in sink: @autoclosure () -> Sink<Value, Failure>
  ) -> Bool {
    switch signal.ownTiming {
    case .held: sendOnly(signal.held)
    // After the end it has no receiver, and its failure would be reported.
    case .immediate: if !delivery.isEnding { signal.attach(sink()) }
    default: return false
    }
    return true
  }

  /// Not inlined: otherwise the code around it would be too large to be inlined where it is used.
  @inlinable @inline(never)
  func sendOnly(_ value: Value) { delivery.send(value) }

  /// Small, to be inlined: so a chain is put together without its parts, where the compiler knows it.
  @inlinable
  func runBeside(_ signal: Signal<Value, Failure>) {
    if let run = beginBeside() { signal.attach(run.sink()) }
  }

  @inlinable @inline(never)
  func beginBeside() -> InnerRun<Failure>? {
    begin()
    let run = InnerRun(in: delivery) { _ in self.finish() }
    return run.begin() ? run : nil
  }
}

/// A merger whose first upstream is a source that makes the others.
@usableFromInline
final class SourceMerger<Value, Failure: Error>: SourceFrame<Value, Failure>, @unchecked Sendable {
  // Unchecked: as SourceFrame.
  @inlinable
  init(to sink: Sink<Value, Failure>) {
    super.init(of: SerialDelivery(to: sink))
    merger.begin()
  }

  @inlinable var merger: Merger<Value, Failure> { Merger(by: delivery) }

  /// Runs a signal that the source has made.
  @inlinable @inline(__always)
  func run(_ signal: Signal<Value, Failure>) {
    merger.run(signal, immediatelyIn: beginImmediate())
    runsImmediate = false
  }

  @inlinable @inline(__always)
  func beginImmediate() -> Sink<Value, Failure> {
    runsImmediate = true
    return sink
  }

  @inlinable
  override func sourceCompleted() { merger.finish() }

  /// Completes the source, if it has not ended.
  @inlinable
  func finishSource() { if source.end() { merger.finish() } }
}
