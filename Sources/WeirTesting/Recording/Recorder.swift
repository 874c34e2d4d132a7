// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import Weir

/// Subscribes to a signal and records the events it delivers.
///
/// It may be read from any thread, also while events are being sent. Where other threads send them, a test
/// waits for them:
///
/// ```swift
/// let recorder = Recorder(readings.observe(on: .pool))
/// await recorder.waitForEvents(3)
/// #expect(recorder.values.prefix(3) == [1, 2, 3])
/// ```
///
/// ReactiveObjC has none.
public final class Recorder<Value: Sendable, Failure: Error>: @unchecked Sendable {
  // Unchecked: everything is under the lock.
  private let lock: Lock
  private let watchers: Watchers
  private var recorded: [Event<Value, Failure>] = []
  /// Whether the subscription calls `noteEnd()` when it ends: once somebody waits.
  private var isWatched = false
  /// Whether a terminal event is on its way: the subscription ends before that is recorded.
  private var isEnding = false
  /// The subscription.
  public let subscription = Subscription()

  /// A recorder of `signal`, subscribed at once.
  public init(_ signal: some SignalConvertible<Value, Failure>) {
    lock = Lock()
    watchers = Watchers(under: lock)
    signal.attach(
      Sink(
        next: { [self] in record(.next($0)) }, terminate: { [self] in end(with: $0) },
        subscription: subscription))
  }

  /// All events so far, in order.
  public var events: [Event<Value, Failure>] { lock.withLock { recorded } }

  /// The values among the events.
  public var values: [Value] {
    events.compactMap { if case .next(let value) = $0 { value } else { nil } }
  }

  /// How the signal ended; nil if it has not.
  public var completion: Completion<Failure>? { lock.withLock { recorded.last?.completion } }

  /// Ends the subscription.
  public func dispose() { subscription.dispose() }

  /// Returns as soon as there are `count` events; a terminal event counts, too. Returns with fewer when the
  /// subscription has ended, so that no more can come, and when the waiting task is cancelled: so a time
  /// limit ends the test, too.
  ///
  /// It is for events that other threads and tasks send. To wait for what a ``VirtualScheduler`` sends, step
  /// that.
  public func waitForEvents(_ count: Int) async {
    if lock.withLock({ !isWatched }) {
      // Also disposal ends the subscription, and a source that lets go of its subscribers.
      subscription.add(ActionDisposable { [weak self] in self?.noteEnd() })
      lock.withLock { isWatched = true }
    }
    await watchers.wait(for: count) { recorded.count }
  }

  /// Returns when the subscription has ended, by a terminal event, which is recorded then, or without one;
  /// and when the waiting task is cancelled.
  public func waitForEnd() async { await waitForEvents(.max) }

  private func record(_ event: Event<Value, Failure>) {
    let satisfied = lock.withLock {
      recorded.append(event)
      return watchers.take(at: recorded.count)
    }
    for continuation in satisfied { continuation.resume() }
  }

  private func end(with completion: Completion<Failure>) {
    lock.withLock { isEnding = true }
    subscription.end(with: completion) { record(Event($0)) }
    lock.withLock { isEnding = false }
    noteEnd()
  }

  private func noteEnd() {
    for continuation in lock.withLock({ isEnding ? [] : watchers.close() }) { continuation.resume() }
  }
}
