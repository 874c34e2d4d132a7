// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Runs a signal for each value that is admitted.
@inlinable
func admit<Input, Runs: InnerRuns>(
  _ source: Signal<Input, Runs.Failure>, to runs: Runs, _ admission: Admission<Input, Runs.Failure>,
  _ transform: @escaping @Sendable (Input) throws(Runs.Failure) -> Signal<Runs.Output, Runs.Failure>
) {
  let merge = LimitedMerge(of: runs, admission, transform)
  let arrivals = SerialDelivery(
    to: Sink<Arrival<Input>, Runs.Failure>(
      // This delivery ends only with that of the runs, as one of its upstreams.
      next: { merge.take($0) }, terminate: { _ in }, subscription: runs.delivery.upstreams))
  merge.arrivals = arrivals.core
  arrivals.upstreams.adopt(merge.source)
  // A failure of the source is no arrival: it would wait while a signal that never stops sending is being
  // started.
  runs.delivery.listen(
    to: source, by: merge.source, next: { arrivals.send(.value($0)) },
    completed: { arrivals.send(.sourceEnded) })
}

/// Runs the signals, and delivers what they send: ``RunsAsTheyCome`` or ``RunsInOrder``.
@usableFromInline
protocol InnerRuns: Sendable {
  associatedtype Item
  associatedtype Output
  associatedtype Failure: Error
  /// Delivers what they send; ends with the last of them, or by the failure of one.
  var delivery: SerialDelivery<Item, Failure> { get }
  var places: Places { get }
  /// Runs one more signal; places are numbered from 0. Returns true if the signal is done already, so that
  /// another may take its place. Otherwise `done`, which is the same for all signals, is called with how many
  /// more are done: when they are, or when the delivery is over in which they were; also with 0, if a signal
  /// that was to wait for the end of a delivery may start now.
  func begin(
    _ signal: Signal<Output, Failure>, at place: Int, _ done: @autoclosure () -> @Sendable (Int) -> Void
  ) -> Bool
}

/// The events about which a limited merge decides.
@frozen @usableFromInline
enum Arrival<Value> {
  case value(Value)
  /// The number of signals that have completed. With 0, a delivery is over inside which a signal could not
  /// start.
  case ended(Int)
  case sourceEnded
}

/// One run of a limited merge.
///
/// Arrivals come through a turn of their own, which decides what runs: so two threads never start one signal
/// too many. Values go through another turn, because a signal that never stops sending may be started in the
/// first. A signal that completes while it is being started only leaves its `ended` in the queue of arrivals;
/// the stack does not grow. A value that gets a place inside a delivery, because a signal that completes
/// there makes room for it or because it arrives there, takes the place at once, but its signal starts when
/// the delivery is over: see ``Places``.
@usableFromInline
final class LimitedMerge<Input, Runs: InnerRuns>: @unchecked Sendable {
  // Unchecked: the variables belong to the holder of the turn of `arrivals`, which owns this object.
  @exclusivity(unchecked) @usableFromInline var admission: Admission<Input, Runs.Failure>
  /// Values that have a place, and whose signals start when a delivery is over; they start before any others.
  @exclusivity(unchecked) @usableFromInline var ready = FIFO<Input>()
  /// How many signals have begun: the place of the next one.
  @exclusivity(unchecked) @usableFromInline var begun = 0
  /// Not owned: it owns this object, and is alive whenever this is used.
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) var arrivals: DeliveryCore?
  @usableFromInline let runs: Runs
  /// The subscription of the source.
  @usableFromInline let source = Subscription()
  @usableFromInline let transform: @Sendable (Input) throws(Runs.Failure) -> Signal<Runs.Output, Runs.Failure>

  @inlinable
  init(
    of runs: Runs, _ admission: Admission<Input, Runs.Failure>,
    _ transform: @escaping @Sendable (Input) throws(Runs.Failure) -> Signal<Runs.Output, Runs.Failure>
  ) {
    self.runs = runs
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
    if admission.isFinished { runs.delivery.terminate(.completed) }
  }

  /// Returns what to start now, in the order of the source, if `input` may start as well. Inside a delivery,
  /// everything waits for the end of that.
  @inlinable
  func firstToStart(with input: Input?) -> Input? {
    // Nobody waits, so there is no need to line up.
    if ready.isEmpty, input == nil || !runs.delivery.isHere { return input }
    if let input { ready.append(input) }
    if !runs.delivery.isHere { return ready.popFirst() }
    // All start when this delivery is over.
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
    let mayWait = admission.backlog.original.makeRoom(
      in: "flatMap", of: source, dropOldest: { true }, fail: { runs.delivery.terminate(.failed($0)) })
    if mayWait { admission.replaceOldest(by: value) }
  }

  /// Runs the signal for `input`; returns what to start next, if that signal is done already.
  @inlinable
  func start(_ input: Input) -> Input? {
    do throws(Runs.Failure) {
      let signal = try transform(input)
      defer { begun += 1 }
      if runs.begin(signal, at: begun, sendEnded) { return admission.end() }
    } catch {
      runs.delivery.terminate(.failed(error))
    }
    return nil
  }

  /// The closure to call when signals have ended. Made for the holder of the turn, so there is a delivery.
  @inlinable var sendEnded: @Sendable (Int) -> Void {
    guard let arrivals = arrivals.map(SerialDelivery<Arrival<Input>, Runs.Failure>.init) else {
      return { _ in }
    }
    return { arrivals.send(.ended($0)) }
  }
}
