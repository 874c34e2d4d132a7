import Weir

/// What a subscription has gathered so far. Unchecked because delivery to one subscriber is serial, and the
/// thread that sends, the read loop's, is also the one that prints.
final class Gathered<State>: @unchecked Sendable {
  fileprivate(set) var state: State

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

/// The rate over all windows and the highest in one.
struct RateReport {
  private(set) var requests = 0
  private(set) var (start, end) = (Int.max, Int.min)
  private(set) var peak = Window()

  var mean: Double { Double(requests) / Double(end - start) }

  mutating func observe(_ window: Window) {
    requests += window.requests
    (start, end) = (min(start, window.start), max(end, window.end))
    if window.rate > peak.rate { peak = window }
  }
}

/// Bursts of server errors: windows less than a minute apart are one alert; the latest hundred are kept.
struct BurstReport {
  private(set) var count = 0
  private(set) var latest: [Window] = []

  mutating func observe(_ window: Window) {
    if let burst = latest.last, burst.end..<burst.end + 60 ~= window.start {
      latest[latest.count - 1].length = window.end - burst.start
      latest[latest.count - 1].requests += window.requests
      latest[latest.count - 1].failures += window.failures
    } else {
      count += 1
      latest = latest.suffix(99) + [window]
    }
  }
}
