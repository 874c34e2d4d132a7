// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import Weir

/// A source for tests that sends its events at fixed instants, with or without subscribers, and records when
/// each subscription started and ended.
///
/// ```swift
/// let scheduler = VirtualScheduler()
/// let numbers = try HotSignal<Int, Never>("-1-2-3-|", on: scheduler)
/// let recorder = TimedRecorder(numbers.take(first: 2), on: scheduler)
/// scheduler.run()
/// #expect(recorder.difference(from: "-1-(2|)") == nil)
/// #expect(numbers.subscriptionMarbles() == ["^--!"])
/// ```
///
/// Events are delivered on the thread that steps the scheduler. After its terminal event it is sealed, as a
/// `Subject` is: later subscribers get only that event. Retain it while it has subscribers: once all its
/// events are sent and nothing retains it, it ends all subscriptions, as a subject does.
///
/// ReactiveObjC has none.
public final class HotSignal<Value: Sendable, Failure: Error>: SignalConvertible {
  let events: [Recorded<Value, Failure>]
  private let subject = Subject<Value, Failure>()
  private let log: SubscriptionLog

  /// A source that sends `events`.
  ///
  /// - Parameters:
  ///   - events: the events, with times counted from the start of virtual time; those in the past come with
  ///     the next steps, one with each.
  ///   - scheduler: the scheduler whose time counts, and which sends the events.
  public init(_ events: [Recorded<Value, Failure>], on scheduler: VirtualScheduler) {
    self.events = events
    log = SubscriptionLog(scheduler.clock)
    for recorded in events {
      scheduler.schedule(at: .init(recorded.time)) { [subject] in subject.send(recorded.event) }
    }
  }

  /// A source that sends the events of a marble diagram. Throws a ``MarbleError`` if the diagram is
  /// malformed.
  ///
  /// - Parameters:
  ///   - diagram: see ``Marbles``; it starts at the start of virtual time.
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

  /// Its events, from the subscription on.
  public var signal: Signal<Value, Failure> {
    Signal.attaching { [subject, log] sink in
      sink.subscription.add(log.begin())
      subject.signal.attach(sink)
    }
  }

  /// All subscriptions so far, in the order in which they started.
  public var subscriptions: [SubscriptionInterval] { log.all }

  /// The subscriptions so far, as diagrams such as `"--^---!"`.
  public func subscriptionMarbles(tick: Duration = .seconds(1)) -> [String] {
    subscriptions.map { $0.marbles(tick: tick) }
  }
}
