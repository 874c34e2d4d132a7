import Weir

/// One hot stream of requests and its subscribers: this is the program, the rest is reading and printing.
final class Pipeline: Sendable {
  let requests = Subject<Request, Never>()
  let rejects = Subject<Reject, Never>()
  let windows: WindowClock

  let rate: Gathered<RateReport>
  let bursts: Gathered<BurstReport>
  let statuses: Gathered<[Int]>
  let bytes: Gathered<Double>
  let times: Gathered<QuantileSketch>
  let routes: Gathered<SpaceSaving<String>>
  let clients: Gathered<SpaceSaving<String>>
  let malformed: Gathered<Int>
  let firstMalformed: Gathered<[Reject]>

  init(window length: Int) {
    windows = WindowClock(length: length)
    rate = windows.closed.gather(into: RateReport()) { $0.observe($1) }
    bursts = windows.closed.filter(\.isBurst).gather(into: BurstReport()) { $0.observe($1) }

    // First of all subscribers, so that the others still hold what a closing window held, and no more.
    requests.subscribe { [windows] in windows.observe($0) }
    statuses = requests.map(\.status).gather(into: Array(repeating: 0, count: 6)) { $0[$1 / 100] += 1 }
    bytes = requests.map(\.bytes).gather(into: 0) { $0 += Double($1) }
    times = requests.gather(into: QuantileSketch()) { $0.observe($1.milliseconds) }
    routes = requests.map(\.route).gather(into: SpaceSaving()) { $0.observe($1) }
    clients = requests.map(\.client).gather(into: SpaceSaving()) { $0.observe($1) }

    malformed = rejects.gather(into: 0) { count, _ in count += 1 }
    firstMalformed = rejects.take(first: 5).gather(into: []) { $0.append($1) }
  }
}
