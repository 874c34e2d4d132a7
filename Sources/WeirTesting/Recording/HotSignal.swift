// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import Weir

/// A source for tests that sends the same events at the same instants whether anybody listens or not, and
/// writes down who does.
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
/// Delivers where the scheduler is stepped. After its terminal event it is sealed, as a `Subject` is: who
/// comes later gets just that. Keep it while somebody listens: when all its events are sent and nobody has it
/// any more, it ends all subscriptions, as a subject does.
///
/// ReactiveObjC has none.
public final class HotSignal<Value: Sendable, Failure: Error>: SignalConvertible {
  let events: [Recorded<Value, Failure>]
  private let subject = Subject<Value, Failure>()
  private let log: SubscriptionLog

  /// A source that sends `events`.
  ///
  /// - Parameters:
  ///   - events: with times counted from the beginning of virtual time; what has passed comes with the next
  ///     step.
  ///   - scheduler: whose time counts, and which sends them.
  public init(_ events: [Recorded<Value, Failure>], on scheduler: VirtualScheduler) {
    self.events = events
    log = SubscriptionLog(scheduler.clock)
    for recorded in events {
      scheduler.schedule(at: .init(recorded.time)) { [subject] in subject.send(recorded.event) }
    }
  }

  /// A source that sends what a marble diagram shows. Throws a ``MarbleError`` if the diagram is bad.
  ///
  /// - Parameters:
  ///   - diagram: see ``Marbles``; its beginning is the beginning of virtual time.
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

  /// Its events, from when one subscribes.
  public var signal: Signal<Value, Failure> {
    Signal(connecting: { [subject, log] sink in
      sink.subscription.add(log.begin())
      subject.signal.attach(sink)
    })
  }

  /// All subscriptions so far, in the order in which they began.
  public var subscriptions: [SubscriptionInterval] { log.all }

  /// The same as diagrams such as `"--^---!"`.
  public func subscriptionMarbles(tick: Duration = .seconds(1)) -> [String] {
    subscriptions.map { $0.marbles(tick: tick) }
  }
}
