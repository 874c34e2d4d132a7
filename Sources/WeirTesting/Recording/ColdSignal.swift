// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import Weir

/// A source for tests that sends the same events to each subscriber, at times counted from its subscription,
/// and records when each subscription started and ended.
///
/// ```swift
/// let scheduler = VirtualScheduler()
/// let request = try ColdSignal<Int, TestFailure>("--#", on: scheduler)
/// let recorder = TimedRecorder(request.retry(upTo: 1), on: scheduler)
/// scheduler.run()
/// #expect(recorder.difference(from: "----#") == nil)
/// #expect(request.subscriptionMarbles() == ["^-!", "--^-!"])
/// ```
///
/// Subscribing schedules all events, including those at time zero, which come with the next steps, one with
/// each. Events are delivered on the thread that steps the scheduler. When a subscription ends, its remaining
/// events are cancelled. A signal without a terminal event continues until it is disposed. Retain the source
/// while it has subscribers: once all its events are sent and nothing retains it any more, it lets go of its
/// subscribers without a terminal event.
///
/// ReactiveObjC has none.
public final class ColdSignal<Value: Sendable, Failure: Error>: SignalConvertible {
  let events: [Recorded<Value, Failure>]
  private let scheduler: VirtualScheduler
  private let log: SubscriptionLog
  /// Retains the subscribers of a signal without a terminal event; others are retained by their scheduled
  /// events.
  private let open: OpenSinks<Value, Failure>?

  /// A source that sends `events` to each subscriber.
  ///
  /// - Parameters:
  ///   - events: the events, with times counted from the subscription.
  ///   - scheduler: the scheduler whose time counts, and which sends the events.
  public init(_ events: [Recorded<Value, Failure>], on scheduler: VirtualScheduler) {
    self.events = events
    self.scheduler = scheduler
    log = SubscriptionLog(scheduler.clock)
    open = events.allSatisfy { $0.event.completion == nil } ? OpenSinks() : nil
  }

  /// A source that sends each subscriber the events of a marble diagram. Throws a ``MarbleError`` if the
  /// diagram is malformed.
  ///
  /// - Parameters:
  ///   - diagram: see ``Marbles``; it starts at the subscription.
  ///   - scheduler: the scheduler whose time counts, and which sends the events.
  ///   - tick: the time from one character to the next.
  ///   - values: which character stands for which value.
  ///   - failure: what `#` stands for; by default ``TestFailure``, if the signal can fail with it.
  public convenience init(
    _ diagram: String, on scheduler: VirtualScheduler, tick: Duration = .seconds(1),
    values: MarbleValues<Value> = .automatic, failure: Failure? = nil
  ) throws(MarbleError) {
    self.init(try [Recorded](marbles: diagram, tick: tick, values: values, failure: failure), on: scheduler)
  }

  /// The signal, with a run of its own for each subscriber.
  public var signal: Signal<Value, Failure> {
    // Weak: operators that subscribe again retain this signal, and a sink retains them.
    Signal.attaching { [events, scheduler, log, weak open] sink in
      let beginning = scheduler.clock.now
      sink.subscription.add(log.begin())
      open?.keep(sink)
      for recorded in events {
        sink.subscription.add(
          scheduler.schedule(at: beginning.advanced(by: recorded.time)) {
            switch recorded.event {
            case .next(let value): sink.next(value)
            case .failed(let error): sink.terminate(.failed(error))
            case .completed: sink.terminate(.completed)
            }
          })
      }
    }
  }

  /// All subscriptions so far, in the order in which they started.
  public var subscriptions: [SubscriptionInterval] { log.all }

  /// The subscriptions so far, as diagrams such as `"--^---!"`.
  public func subscriptionMarbles(tick: Duration = .seconds(1)) -> [String] {
    subscriptions.map { $0.marbles(tick: tick) }
  }
}

/// Retains the sinks that never get a terminal event: a source lets go without a terminal event by releasing
/// its sink, and then operators end the run.
private final class OpenSinks<Value, Failure: Error>: @unchecked Sendable {  // the sinks are under the lock
  private let lock = Lock()
  private var sinks: [Sink<Value, Failure>?] = []

  /// Retains a sink until its subscription ends.
  func keep(_ sink: Sink<Value, Failure>) {
    let index = lock.withLock {
      sinks.append(sink)
      return sinks.count - 1
    }
    sink.subscription.add(ActionDisposable { [weak self] in self?.letGo(of: index) })
  }

  /// Releases the sink outside the lock: that may run user code.
  private func letGo(of index: Int) { _ = lock.withLock { sinks[index].take() } }
}
