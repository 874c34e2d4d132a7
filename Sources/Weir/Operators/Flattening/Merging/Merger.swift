// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Runs any number of upstreams at the same time into one sink; completes when the last of them has.
///
/// It is the frame of all immediate signals, so that none has to make its own.
@usableFromInline
final class Merger<Value, Failure: Error>: Frame<Failure>, @unchecked Sendable {
  // Unchecked: `active` is atomic, the rest constant.
  @exclusivity(unchecked) @usableFromInline var active: UInt64 = 0
  @usableFromInline let delivery: SerialDelivery<Value, Failure>

  @inlinable
  init(to sink: Sink<Value, Failure>) {
    let delivery = SerialDelivery(to: sink)
    self.delivery = delivery
    super.init(fail: { if case .failed = $0 { delivery.terminate($0) } })
  }

  /// The sink to which all immediate signals are connected. Code that runs many of them makes it once, as
  /// that costs three retains.
  @inlinable
  var sinkOfImmediates: Sink<Value, Failure> {
    // The delivery itself checks whether the run has ended.
    Sink(
      route: .step({ unsafeDowncast($1, to: Merger.self).delivery.send($0) }, self), gate: .ahead,
      ending: .early, terminate: terminate, subscription: delivery.upstreams)
  }

  /// The number of upstreams. Its word follows the two words of the frame.
  @inlinable var count: AtomicWord { AtomicWord(property: 2, of: self) }

  /// Counts one more upstream.
  @inlinable
  func begin() { count.add(1) }

  /// Counts one as completed.
  @inlinable
  func finish() { if count.subtract(1) == 1 { delivery.terminate(.finished) } }

  /// Counts one more upstream, and returns a subscription for it.
  @inlinable
  func adopt() -> Subscription {
    begin()
    let upstream = Subscription()
    delivery.upstreams.adopt(upstream)
    return upstream
  }

  @inlinable @inline(__always)
  func run(_ signal: Signal<Value, Failure>, immediatelyIn sink: @autoclosure () -> Sink<Value, Failure>) {
    if !runAtOnce(signal, in: sink()) { runBeside(signal) }
  }

  /// Runs a signal that ends before this returns, in ``sinkOfImmediates``; false if it is no such signal. It
  /// has no subscription of its own, and is not counted: the upstream that starts it is still running when it
  /// is done. After the end of the run, nothing is run.
  @inlinable @inline(__always)
  func runAtOnce(_ signal: Signal<Value, Failure>, in sink: @autoclosure () -> Sink<Value, Failure>) -> Bool {
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

  @inlinable
  func end(_ upstream: Subscription, with completion: Completion<Failure>) {
    delivery.end(upstream, with: completion) { finish() }
  }

  /// Counts an upstream as completed, once.
  @inlinable
  func finish(_ upstream: Subscription) { if upstream.end() { finish() } }
}
