// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// At most `limit` signals beside each other, the values for others waiting.
  @inlinable
  func merging<Output>(
    upTo limit: Int, _ backlog: Backlog<Failure>,
    _ transform: @escaping @Sendable (Value) throws(Failure) -> Signal<Output, Failure>
  ) -> Signal<Output, Failure> {
    Signal<Output, Failure>(connecting: { [source = signal] sink in
      admit(source, to: RunsAsTheyCome(to: sink), Admission(limit: limit, backlog: backlog), transform)
    })
  }
}

/// Runs a signal for each value that is admitted.
@inlinable
func admit<Input, Runs: InnerRuns>(
  _ source: Signal<Input, Runs.Failure>, to runs: Runs, _ admission: Admission<Input, Runs.Failure>,
  _ transform: @escaping @Sendable (Input) throws(Runs.Failure) -> Signal<Runs.Output, Runs.Failure>
) {
  let merge = LimitedMerge(of: runs, admission, transform)
  let arrivals = SerialDelivery(
    to: Sink<Arrival<Input>, Runs.Failure>(
      // It ends with `admitting` only.
      next: { merge.take($0) }, terminate: { _ in }, subscription: merge.admitting))
  merge.arrivals = arrivals.core
  arrivals.upstreams.adopt(merge.source)
  // Its failure is no arrival: that would wait while a signal is being begun that never stops sending.
  runs.delivery.listen(
    to: source, by: merge.source, next: { arrivals.send(.value($0)) },
    completed: { arrivals.send(.sourceEnded) })
}

/// The signals that run, and what becomes of what they send.
@usableFromInline
protocol InnerRuns: Sendable {
  associatedtype Item
  associatedtype Output
  associatedtype Failure: Error
  /// Delivers what they send; it ends with all of them, or by the failure of one.
  var delivery: SerialDelivery<Item, Failure> { get }
  var places: Places { get }
  /// Runs one more. True if it is done already, so that another may take its place. Otherwise `done`, which
  /// is the same for all, is called with how many more are done: once they are, or when the delivery is over
  /// in which they were; also with 0, if one may be begun now that was to wait for the end of a delivery.
  func begin(_ signal: Signal<Output, Failure>, _ done: @autoclosure () -> @Sendable (Int) -> Void) -> Bool
}

/// Their values are sent on as they come.
@frozen @usableFromInline
struct RunsAsTheyCome<Output, Failure: Error>: InnerRuns {
  @usableFromInline let merger: Merger<Output, Failure>
  @usableFromInline let immediates: Sink<Output, Failure>
  @usableFromInline let places: Places

  @inlinable
  init(to sink: Sink<Output, Failure>) {
    places = Places()
    merger = Merger(to: sink)
    immediates = merger.sinkOfImmediates
  }

  @inlinable var delivery: SerialDelivery<Output, Failure> { merger.delivery }

  @inlinable
  func begin(_ signal: Signal<Output, Failure>, _ done: @autoclosure () -> @Sendable (Int) -> Void) -> Bool {
    // What ends inside of its deliveries arrives when this is over: the turn of arrivals is taken.
    if merger.runAtOnce(signal, in: immediates) { return true }
    if !delivery.isEnding { run(signal, done()) }
    return false
  }

  @inlinable
  func run(_ signal: Signal<Output, Failure>, _ done: @escaping @Sendable (Int) -> Void) {
    let run = PlacedRun(in: delivery.core, places, done)
    run.listen(
      to: signal,
      by: Sink(
        next: { run.deliver($0, by: SerialDelivery<Output, Failure>(run.core)) },
        terminate: { run.end(with: $0, in: SerialDelivery<Output, Failure>(run.core)) },
        subscription: run.upstream))
  }
}

/// What a limited merge has to decide about.
@frozen @usableFromInline
enum Arrival<Value> {
  case value(Value)
  /// So many of the signals have completed. With 0, a delivery is over, inside of which no signal was begun.
  case ended(Int)
  case sourceEnded
}

/// One run of a limited merge.
///
/// Arrivals come through a turn of their own, which decides what runs: so two threads never start one signal
/// too many. Values go through another one, as a signal may be started in the first that never stops sending.
/// A signal that completes while it is started only leaves its `ended` in the queue of arrivals; the stack
/// does not grow. What gets a place inside of a delivery, as one that completes there makes room for it or as
/// it arrives there, takes that at once, but is begun when the delivery is over: see ``Places``.
@usableFromInline
final class LimitedMerge<Input, Runs: InnerRuns>: @unchecked Sendable {
  // Unchecked: the variables belong to the holder of the turn of `arrivals`, which owns this object.
  @exclusivity(unchecked) @usableFromInline var admission: Admission<Input, Runs.Failure>
  /// What has a place, and begins when a delivery is over; whoever may begin signals first begins these.
  @exclusivity(unchecked) @usableFromInline var ready = FIFO<Input>()
  /// Not owned: it owns this object, and runs when this is used.
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) var arrivals: DeliveryCore?
  @usableFromInline let runs: Runs
  /// The subscription of what feeds this object: it ends with the delivery.
  @usableFromInline let admitting = Subscription()
  /// That of the source.
  @usableFromInline let source = Subscription()
  @usableFromInline let transform: @Sendable (Input) throws(Runs.Failure) -> Signal<Runs.Output, Runs.Failure>

  @inlinable
  init(
    of runs: Runs, _ admission: Admission<Input, Runs.Failure>,
    _ transform: @escaping @Sendable (Input) throws(Runs.Failure) -> Signal<Runs.Output, Runs.Failure>
  ) {
    self.runs = runs
    runs.delivery.upstreams.adopt(admitting)
    self.admission = admission
    self.transform = transform
  }

  @inlinable
  func take(_ arrival: Arrival<Input>) {
    var starting: Input?
    switch arrival {
    case .value(let value): starting = arrive(value)
    case .ended(1): starting = admission.end()
    case .ended(let count):
      for _ in 0..<count { if let input = admission.end() { ready.append(input) } }
    case .sourceEnded: admission.sourceHasEnded = true
    }
    while let input = firstToStart(with: starting), !runs.delivery.isEnding { starting = start(input) }
    if admission.isFinished { runs.delivery.terminate(.finished) }
  }

  /// What to start now, in the order of the source, where `input` may start as well. Inside of a delivery,
  /// everything waits for the end of that.
  @inlinable
  func firstToStart(with input: Input?) -> Input? {
    if ready.isEmpty, input == nil || !runs.delivery.isHere { return input }
    if let input { ready.append(input) }
    if !runs.delivery.isHere { return ready.popFirst() }
    runs.places.noteReady()
    return nil
  }

  @inlinable
  func arrive(_ value: Input) -> Input? {
    switch admission.arrive(value) {
    case .starts: return value
    case .waits: return nil
    case .exceeds:
      exceed(value)
      return nil
    }
  }

  @inlinable
  func exceed(_ value: Input) {
    let mayWait = admission.backlog.makeRoom(
      in: "flatMap", of: source, dropOldest: { true }, fail: { runs.delivery.terminate(.failed($0)) })
    if mayWait { admission.replaceOldest(by: value) }
  }

  /// Runs the signal for `input`; returns what to start next, if that signal is done already.
  @inlinable
  func start(_ input: Input) -> Input? {
    do throws(Runs.Failure) {
      if runs.begin(try transform(input), sendEnded) { return admission.end() }
    } catch {
      runs.delivery.terminate(.failed(error))
    }
    return nil
  }

  /// For a signal to call when it has ended. Made for the holder of the turn, so there is one.
  @inlinable var sendEnded: @Sendable (Int) -> Void {
    guard let arrivals = arrivals.map(SerialDelivery<Arrival<Input>, Runs.Failure>.init) else {
      return { _ in }
    }
    return { arrivals.send(.ended($0)) }
  }
}

/// Which values may have their signal run. It decides, and does nothing.
@frozen @usableFromInline
struct Admission<Input, Failure: Error> {
  @usableFromInline let limit: Int
  @usableFromInline let backlog: Backlog<Failure>
  @usableFromInline var running = 0
  @usableFromInline var waiting = FIFO<Input>()
  @usableFromInline var sourceHasEnded = false

  @inlinable
  init(limit: Int, backlog: Backlog<Failure>) {
    self.limit = limit
    self.backlog = backlog
  }

  @frozen @usableFromInline enum Decision { case starts, waits, exceeds }

  @inlinable
  mutating func arrive(_ value: Input) -> Decision {
    if running < limit {
      running += 1
      return .starts
    }
    if waiting.count >= backlog.bound { return .exceeds }
    waiting.append(value)
    return .waits
  }

  @inlinable
  mutating func replaceOldest(by value: Input) {
    if waiting.popFirst() != nil { waiting.append(value) }
  }

  /// A signal has completed; returns the value whose turn it is now.
  @inlinable
  mutating func end() -> Input? {
    if let next = waiting.popFirst() { return next }
    running -= 1
    return nil
  }

  @inlinable var isFinished: Bool { sourceHasEnded && running == 0 }
}
