// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Runs any number of upstreams at the same time into one sink; completes when the last of them has.
@frozen @usableFromInline
struct Merger<Value, Failure: Error>: Sendable {
  @usableFromInline let delivery: SerialDelivery<Value, Failure>

  @inlinable
  init(to sink: Sink<Value, Failure>) { delivery = SerialDelivery(to: sink) }

  /// The number of upstreams.
  @inlinable var count: AtomicWord { delivery.core.ownWord }

  /// Counts one more upstream.
  @inlinable
  func begin() { count.add(1) }

  /// Counts one as completed.
  @inlinable
  func finish() { if count.subtract(1) == 1 { delivery.terminate(.finished) } }

  /// Calls a closure that runs signals, and does not complete before it has returned, even if all signals
  /// that it has run so far have completed.
  @inlinable @inline(__always)
  func runAll(_ runSignals: () -> Void) {
    begin()
    runSignals()
    finish()
  }

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
    case .immediate: if !delivery.isEnding { signal.stored(sink()) }
    case .synchronous, .sequence, .any: return false
    }
    return true
  }

  /// Not inlined: otherwise the code around it would be too large to be inlined where it is used.
  @inlinable @inline(never)
  func sendOnly(_ value: Value) { delivery.send(value) }

  @inlinable
  func runBeside(_ signal: Signal<Value, Failure>) {
    if delivery.isEnding { return }
    begin()
    InnerRun(in: delivery.core) { _ in self.finish() }.listen(to: signal)
  }
}

/// The frame of all immediate signals that a merger runs, so that none has to make its own.
@usableFromInline
class ImmediateFrame<Value, Failure: Error>: Frame<Failure>, @unchecked Sendable {  // as Frame
  @usableFromInline final let merger: Merger<Value, Failure>

  @inlinable
  init(of merger: Merger<Value, Failure>) {
    self.merger = merger
    super.init(fail: { if case .failed = $0 { merger.delivery.terminate($0) } })
  }

  /// The sink to which these signals are connected.
  @inlinable
  final var sink: Sink<Value, Failure> {
    // The delivery itself checks whether the run has ended.
    Sink(
      route: .step({ unsafeDowncast($1, to: ImmediateFrame.self).merger.delivery.send($0) }, self),
      gate: .ahead, ending: .early, terminate: terminate, subscription: merger.delivery.upstreams)
  }
}

/// A merger whose first upstream is a source that makes the others: the frame of the source's last step, and
/// that of all immediate signals.
@usableFromInline
final class SourceMerger<Value, Failure: Error>: ImmediateFrame<Value, Failure>, @unchecked Sendable {
  // Unchecked: `runsImmediate` belongs to the code that the source calls, the rest is constant.
  /// Whether a signal is running in this frame: then what fails is not the source.
  @exclusivity(unchecked) @usableFromInline var runsImmediate = false
  /// The subscription of the source.
  @usableFromInline let source = Subscription()

  @inlinable
  init(to sink: Sink<Value, Failure>) {
    super.init(of: Merger(to: sink))
    merger.begin()
    merger.delivery.upstreams.adopt(source)
  }

  /// The source may let go while it makes a signal, whose failure is forwarded nevertheless; the delivery
  /// reports it after the end.
  @inlinable override var failing: Subscription? { runsImmediate ? nil : source }

  /// A closure of the source ends the source before the run, as a failure that the source sends does.
  @inlinable
  override func fail(_ error: Failure) {
    if runsImmediate {
      failClosure(error)
    } else if source.isDisposed {
      source.report(error)
    } else {
      endSource(with: .failed(error))
    }
  }

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

  /// Ends the run with an error that the closure has thrown.
  @inlinable
  func failClosure(_ error: Failure) { merger.delivery.terminate(.failed(error)) }

  /// - Parameter step: what to do with a value of the source. Checks whether the source was disposed: a
  ///   closure of an operator before it may have done that.
  @inlinable @inline(__always)
  func sinkOfSource<Input>(_ step: @escaping Step<Input, Failure>) -> Sink<Input, Failure> {
    Sink<Input, Failure>(
      route: .step(step, self), gate: .ahead, ending: .early, terminate: { self.endSource(with: $0) },
      subscription: source)
  }

  @inlinable
  func endSource(with completion: Completion<Failure>) {
    merger.delivery.end(source, with: completion) { merger.finish() }
  }

  /// Counts the source as completed, once.
  @inlinable
  func finishSource() { if source.end() { merger.finish() } }
}
