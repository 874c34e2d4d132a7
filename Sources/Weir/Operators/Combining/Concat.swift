// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// Runs `signals` one after the other: each starts when the one before it has completed.
  ///
  /// A failure ends the whole, and later signals are not run. Each is subscribed where its predecessor completed.
  /// Completes with the last, at once if there are none. Buffers nothing; any number of synchronous signals use constant
  /// stack.
  ///
  /// ReactiveObjC: `+concat:`.
  public static func concat(_ signals: [Signal]) -> Signal {
    Signal(connecting: { sink in SequentialRun(signals, into: sink).advance() })
  }
}

extension SignalConvertible {
  /// Runs this signal, and then `next`, when and if this one has completed.
  ///
  /// ReactiveObjC: `-concat:`.
  public func concat(_ next: some SignalConvertible<Value, Failure>) -> Signal<Value, Failure> {
    .concat([signal, next.signal])
  }
}

/// Runs one upstream at a time. `advance` may be called from inside itself, as a synchronous signal completes: the call
/// only counts, and the outer one goes on, so the stack does not grow.
private final class SequentialRun<Value, Failure: Error>: @unchecked Sendable {
  // Unchecked: `waiting` belongs to who advances.
  private var calls: UInt64 = 0
  /// What has not begun yet, the last one first. A signal that runs is not kept: it may be a subject that is released.
  @exclusivity(unchecked) private var waiting: [Signal<Value, Failure>]
  private let sink: Sink<Value, Failure>

  init(_ signals: [Signal<Value, Failure>], into sink: Sink<Value, Failure>) {
    waiting = signals.reversed()
    self.sink = sink
  }

  /// Its upstreams keep it. If they let go of it without a terminal event, the run ends.
  deinit { sink.subscription.dispose() }

  func advance() {
    let calls = AtomicWord(property: 0, of: self)
    guard calls.add(1) == 0 else { return }
    repeat {
      if sink.isEnded { return }
      guard let next = waiting.popLast() else { return sink.terminate(.finished) }
      run(next)
    } while calls.subtract(1) != 1
  }

  private func run(_ signal: Signal<Value, Failure>) {
    let upstream = Subscription()
    sink.subscription.adopt(upstream)
    signal.connect(
      Sink(
        next: sink.direct,
        terminate: { completion in
          guard upstream.end() else { return }
          switch completion {
          case .finished: self.advance()
          case .failed: self.sink.terminate(completion)
          }
        },
        subscription: upstream))
  }
}
