// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import Weir

/// A source for tests that sends the same events to each subscriber, at times counted from its subscription,
/// and writes down who subscribed and when.
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
/// All events are scheduled when somebody subscribes, also those at the very beginning, which come with the
/// next step. Delivers where the scheduler is stepped. When a subscription ends, what it has not yet got is
/// taken back.
///
/// ReactiveObjC has none.
public final class ColdSignal<Value: Sendable, Failure: Error>: SignalConvertible {
  let events: [Recorded<Value, Failure>]
  private let scheduler: VirtualScheduler
  private let log: SubscriptionLog

  /// A source that sends `events` to each subscriber.
  ///
  /// - Parameters:
  ///   - events: with times counted from the subscription.
  ///   - scheduler: whose time counts, and which sends them.
  public init(_ events: [Recorded<Value, Failure>], on scheduler: VirtualScheduler) {
    self.events = events
    self.scheduler = scheduler
    log = SubscriptionLog(scheduler.clock)
  }

  /// A source that sends each subscriber what a marble diagram shows. Throws a ``MarbleError`` if the diagram
  /// is bad.
  ///
  /// - Parameters:
  ///   - diagram: see ``Marbles``; its beginning is the subscription.
  ///   - scheduler: whose time counts, and which sends them.
  ///   - tick: the time from one character to the next.
  ///   - values: which character stands for which value.
  ///   - failure: what `#` stands for; ``TestFailure``, if the signal can fail with it.
  public convenience init(
    _ diagram: String, on scheduler: VirtualScheduler, tick: Duration = .seconds(1),
    values: MarbleValues<Value> = .automatic, failure: Failure? = nil
  ) throws(MarbleError) {
    self.init(try [Recorded](marbles: diagram, tick: tick, values: values, failure: failure), on: scheduler)
  }

  /// A run of its own for each subscriber.
  public var signal: Signal<Value, Failure> {
    Signal(connecting: { [events, scheduler, log] sink in
      let beginning = scheduler.clock.now
      sink.subscription.add(log.begin())
      for recorded in events {
        sink.subscription.add(
          scheduler.schedule(at: beginning.advanced(by: recorded.time)) {
            switch recorded.event {
            case .next(let value): sink.next(value)
            case .failed(let error): sink.terminate(.failed(error))
            case .completed: sink.terminate(.finished)
            }
          })
      }
    })
  }

  /// All subscriptions so far, in the order in which they began.
  public var subscriptions: [SubscriptionInterval] { log.all }

  /// The same as diagrams such as `"--^---!"`.
  public func subscriptionMarbles(tick: Duration = .seconds(1)) -> [String] {
    subscriptions.map { $0.marbles(tick: tick) }
  }
}
