extension Pipeline {
  /// Everything gathered so far, in the order in which it is shown.
  func summary(top length: Int) -> [Figure] {
    let (rate, bursts) = (rate.state, bursts.state)
    var figures: [Figure] = [.count("requests", statuses.state.reduce(0, +))]
    if rate.requests > 0 {
      figures += [.time("from", rate.start), .time("to", rate.end), .measure("rate", rate.mean, ["/s"])]
      figures += [.measure("peak_rate", rate.peak.rate, ["/s"]), .time("peak_start", rate.peak.start)]
    }
    for digit in 1...5 { figures.append(.count("status_\(digit)xx", statuses.state[digit])) }
    figures.append(.measure("bytes", bytes.state, ["B", "kB", "MB", "GB", "TB"]))
    for percent in [50, 95, 99] {
      figures.append(.measure("p\(percent)_ms", times.state.quantile(Double(percent) / 100), ["ms", "s"]))
    }
    for (name, keys) in [("route", routes.state), ("client", clients.state)] {
      let rows = keys.top(length).map { counter -> [Figure] in
        [.count("requests", counter.count), .count("error", counter.error), .text(name, counter.key)]
      }
      figures += [.count("\(name)s", keys.counters.count), .rows("top_\(name)s", rows)]
    }
    let latest = bursts.latest.suffix(length).map(\.figures)
    let rejects = firstMalformed.state.map { reject -> [Figure] in
      [.text("input", reject.input), .count("line", reject.line), .text("reason", reject.reason.rawValue)]
    }
    return figures + [.count("alerts", bursts.count), .rows("latest_alerts", latest)]
      + [.count("malformed", malformed.state), .rows("first_malformed", rejects)]
  }
}

extension Window {
  var figures: [Figure] {
    [.time("start", start), .count("seconds", length), .count("requests", requests)]
      + [.count("server_errors", failures), .measure("rate", rate, ["/s"])]
  }
}
