// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import Weir

/// Subscribes to a signal, and records the events it delivers and the instants of virtual time at which they
/// came.
///
/// ```swift
/// let source = try HotSignal<Int, Never>("-1-2-3-|", on: scheduler)
/// let recorder = TimedRecorder(source.map { $0 * 2 }, on: scheduler)
/// scheduler.run()
/// #expect(recorder.difference(from: "-2-4-6-|") == nil)
/// ```
///
/// It may be read from any thread, also while events are being sent.
///
/// ReactiveObjC has none.
public final class TimedRecorder<Value: Sendable, Failure: Error>: @unchecked Sendable {
  // Unchecked: events and interval are under the lock.
  private let lock = Lock()
  private var recorded: [Recorded<Value, Failure>] = []
  private var lived: SubscriptionInterval?
  private let clock: VirtualClock
  /// Created before subscribing, so that a signal that sends everything while being subscribed can be
  /// disposed, too.
  private let subscription = Subscription()

  /// A recorder of `signal`.
  ///
  /// - Parameters:
  ///   - signal: what to subscribe to.
  ///   - scheduler: the scheduler whose time counts.
  ///   - interval: when to subscribe and when to dispose; if nil, it subscribes at once and does not dispose.
  ///     Both come before everything else that is due at their instants: an event at that of the start is
  ///     recorded, one at that of the end is not. With a start that has come or passed it subscribes at once,
  ///     and with such an end it disposes right after that: only what is sent while it subscribes is
  ///     recorded.
  /// - Precondition: `interval` does not end before it begins.
  public init(
    _ signal: some SignalConvertible<Value, Failure>, on scheduler: VirtualScheduler,
    during interval: SubscriptionInterval? = nil
  ) {
    clock = scheduler.clock
    guard let interval else {
      subscribe(to: signal.signal)
      return
    }
    require(
      interval.end.map { $0 >= interval.start } ?? true,
      "weir: TimedRecorder(during: \(interval)): it ends before it begins; pass an end that is not before the start"
    )
    if interval.start <= clock.now.elapsed {
      subscribe(to: signal.signal)
    } else {
      scheduler.schedule(firstAt: .init(interval.start)) { [self, signal = signal.signal] in
        subscribe(to: signal)
      }
    }
    guard let end = interval.end else { return }
    if end <= clock.now.elapsed {
      dispose()
    } else {
      scheduler.schedule(firstAt: .init(end)) { [self] in dispose() }
    }
  }

  /// All events so far, with their times.
  public var events: [Recorded<Value, Failure>] { lock.withLock { recorded } }

  /// The values among the events.
  public var values: [Value] {
    events.compactMap { if case .next(let value) = $0.event { value } else { nil } }
  }

  /// How the signal ended; nil if it has not.
  public var completion: Completion<Failure>? { lock.withLock { recorded.last?.event.completion } }

  /// When the subscription started, and when it ended, by a terminal event or by disposal; nil before it
  /// starts.
  public var interval: SubscriptionInterval? { lock.withLock { lived } }

  /// Ends the subscription; if it has not started, it never does.
  public func dispose() { subscription.dispose() }

  private func subscribe(to signal: Signal<Value, Failure>) {
    if subscription.isDisposed { return }
    let start = clock.now.elapsed
    lock.withLock { lived = SubscriptionInterval(start: start) }
    // Weak, or a recorder whose source lets go without a terminal event would retain itself.
    subscription.add(ActionDisposable { [weak self] in self?.noteEnd() })
    signal.attach(
      Sink(
        next: { [self] in record(.next($0)) },
        terminate: { [self] in subscription.end(with: $0) { record(Event($0)) } },
        subscription: subscription))
  }

  private func noteEnd() {
    let end = clock.now.elapsed
    lock.withLock { lived?.end = end }
  }

  private func record(_ event: Event<Value, Failure>) {
    let time = clock.now.elapsed
    lock.withLock { recorded.append(Recorded(time, event)) }
  }
}
