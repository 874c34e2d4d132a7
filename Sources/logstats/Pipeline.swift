// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// One hot stream of requests and its subscribers: the core of the program; the rest reads and prints.
final class Pipeline: Sendable {
  let requests = Subject<Request, Never>()
  let rejects = Subject<Reject, Never>()
  /// Why an input could not be read to its end, before it is reported.
  let errors = Subject<ExitError, Never>()
  let windows: WindowClock
  let times: Gathered<ClosedRange<Int>?>
  let peak: Gathered<Window?>
  let alerts: Gathered<(count: Int, latest: [Window])>
  let statuses: Gathered<[Int]>
  let bytes: Gathered<Double>
  let durations: Gathered<QuantileSketch>
  let (routes, clients): (Gathered<SpaceSaving<String>>, Gathered<SpaceSaving<String>>)
  let malformed: Gathered<Int>
  let firstMalformed: Gathered<[Reject]>
  let unreadable: Gathered<[ExitError]>
  /// Set if there were lines, but no request: the input is something else than a log.
  var noRequests: ExitError? {
    guard times.state == nil, let line = firstMalformed.state.first else { return nil }
    return ExitError(
      message:
        "\(line.input):\(line.line): \(line.reason.rawValue); none of \(malformed.state) lines is a request: a log is plain text, in common or combined format, or JSON lines",
      status: 65)
  }
  init(window length: Int) {
    windows = WindowClock(length: length)
    peak = windows.closed.gather(into: nil) { if $1.rate > $0?.rate ?? 0 { $0 = $1 } }
    alerts = windows.closed.filter(\.isBurst)
      .gather(into: (0, [])) { $0 = ($0.count + 1, $0.latest.suffix(Options.longestList - 1) + [$1]) }
    // Subscribed first, so that when a window closes, the other subscribers have received its requests and
    // none after them.
    requests.subscribe { [windows] in windows.observe($0) }
    times = requests.map(\.time).gather(into: nil) {
      $0 = min($0?.lowerBound ?? $1, $1)...max($0?.upperBound ?? $1, $1)
    }
    statuses = requests.map(\.status).gather(into: Array(repeating: 0, count: 6)) { $0[$1 / 100] += 1 }
    bytes = requests.map(\.bytes).gather(into: 0) { $0 += Double($1) }
    durations = requests.gather(into: QuantileSketch()) { $0.observe($1.milliseconds) }
    routes = requests.map(\.route).gather(into: SpaceSaving()) { $0.observe($1) }
    clients = requests.map(\.client).gather(into: SpaceSaving()) { $0.observe($1) }
    malformed = rejects.gather(into: 0) { count, _ in count += 1 }
    firstMalformed = rejects.take(first: 5).gather(into: []) { $0.append($1) }
    unreadable = errors.gather(into: []) { $0.append($1) }
  }
}

/// What a subscription has gathered so far. Unchecked because delivery to one subscriber is serial, and the
/// thread that sends is also the one that prints.
final class Gathered<State>: @unchecked Sendable {
  @exclusivity(unchecked) fileprivate(set) var state: State
  fileprivate init(_ state: State) { self.state = state }
}

extension SignalConvertible where Failure == Never {
  /// Subscribes and folds every value into `state`, in place.
  func gather<S>(into state: S, _ fold: @escaping @Sendable (inout S, Value) -> Void) -> Gathered<S> {
    let gathered = Gathered(state)
    subscribe { fold(&gathered.state, $0) }
    return gathered
  }
}
