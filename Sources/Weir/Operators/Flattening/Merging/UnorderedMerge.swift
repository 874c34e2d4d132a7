// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Runs at most `limit` signals at the same time; the values for others wait.
  @inlinable
  func merging<Output>(
    upTo limit: Int, _ backlog: Backlog<Failure>,
    _ transform: @escaping @Sendable (Value) throws(Failure) -> Signal<Output, Failure>
  ) -> Signal<Output, Failure> {
    let backlog = StoredBacklog(backlog)
    return Signal<Output, Failure>(attaching: { [source = signal] sink, _ in
      admit(
        source, to: RunsAsTheyCome(to: consume sink), Admission(limit: limit, backlog: backlog), transform)
    })
  }
}

/// Forwards the values of the signals as they arrive.
@frozen @usableFromInline
struct RunsAsTheyCome<Output, Failure: Error>: InnerRuns {
  @usableFromInline let merger: Merger<Output, Failure>
  @usableFromInline let immediates: Sink<Output, Failure>
  /// In the word in which the merger counts upstreams: it runs only such as it does not count.
  @usableFromInline let places: Places

  @inlinable
  init(to sink: Sink<Output, Failure>) {
    merger = Merger(to: sink)
    immediates = ImmediateFrame(of: merger.delivery).sink
    places = Places(of: merger.delivery.core)
  }

  @inlinable var delivery: SerialDelivery<Output, Failure> { merger.delivery }

  @inlinable
  func begin(
    _ signal: Signal<Output, Failure>, at _: Int, _ done: @autoclosure () -> @Sendable (Int) -> Void
  ) -> Bool {
    // A signal that ends inside its deliveries arrives when this is over: the turn of arrivals is taken.
    if merger.runAtOnce(signal, in: immediates) { return true }
    run(signal, done())
    return false
  }

  @inlinable
  func run(_ signal: Signal<Output, Failure>, _ done: @escaping @Sendable (Int) -> Void) {
    let run = InnerRun(in: delivery, done)
    if !run.begin() { return }
    signal.attach(run.sink { value, frame in Self.deliver(value, frame) })
  }

  /// Not inlined, as it may be inlined into a thunk: see SerialDelivery+Listen.swift.
  @inlinable @inline(never)
  static func deliver(_ value: Output, _ frame: Frame<Failure>) {
    let run: InnerRun<Failure> = frame.own()
    if run.upstream.isDisposed { return }
    run.deliver(value, by: SerialDelivery<Output, Failure>(run.core))
  }
}
