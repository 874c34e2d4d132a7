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
/// taken back. A signal without a terminal event goes on until it is disposed. Keep it while somebody
/// listens: when all its events are sent and nobody has it any more, it lets go of its subscribers.
///
/// ReactiveObjC has none.
public final class ColdSignal<Value: Sendable, Failure: Error>: SignalConvertible {
  let events: [Recorded<Value, Failure>]
  private let scheduler: VirtualScheduler
  private let log: SubscriptionLog
  /// Keeps the subscribers of a signal without an end; others are kept by what they have yet to get.
  private let open: OpenSinks<Value, Failure>?

  /// A source that sends `events` to each subscriber.
  ///
  /// - Parameters:
  ///   - events: with times counted from the subscription.
  ///   - scheduler: whose time counts, and which sends them.
  public init(_ events: [Recorded<Value, Failure>], on scheduler: VirtualScheduler) {
    self.events = events
    self.scheduler = scheduler
    log = SubscriptionLog(scheduler.clock)
    open = events.allSatisfy { $0.event.completion == nil } ? OpenSinks() : nil
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
    // Weak, as operators that subscribe again keep this signal, and are what a sink keeps in turn.
    Signal(connecting: { [events, scheduler, log, weak open] sink in
      let beginning = scheduler.clock.now
      sink.subscription.add(log.begin())
      open?.keep(sink)
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

/// Where events go that never come: a sink that nobody has any more counts as one that the source has let go
/// of, and then operators end the run.
private final class OpenSinks<Value, Failure: Error>: @unchecked Sendable {  // the sinks are under the lock
  private let lock = Lock()
  private var sinks: [Sink<Value, Failure>?] = []

  /// Keeps a sink until its subscription ends.
  func keep(_ sink: Sink<Value, Failure>) {
    let index = lock.withLock {
      sinks.append(sink)
      return sinks.count - 1
    }
    sink.subscription.add(ActionDisposable { [weak self] in self?.letGo(of: index) })
  }

  /// Releases outside the lock: what a sink keeps is user code.
  private func letGo(of index: Int) { _ = lock.withLock { sinks[index].take() } }
}
