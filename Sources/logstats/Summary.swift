// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Pipeline {
  /// Everything that was gathered so far, in the order in which it is shown.
  func summary(top length: Int) -> [Figure] {
    let requests = statuses.state.reduce(0, +)
    var figures: [Figure] = [.count("requests", requests)]
    if let times = times.state {
      // Log times are whole seconds, and the last one counts.
      let mean = Double(requests) / Double(times.upperBound - times.lowerBound + 1)
      figures += [.time("from", times.lowerBound), .time("to", times.upperBound)]
      figures.append(.measure("rate", mean, ["/s"]))
    }
    if let peak = peak.state {
      figures += [.measure("peak_rate", peak.rate, ["/s"]), .time("peak_start", peak.start)]
    }
    figures += (1...5).map { .count("status_\($0)xx", statuses.state[$0]) }
    figures.append(.measure("bytes", bytes.state, ["B", "kB", "MB", "GB", "TB"]))
    for (percent, fraction) in [(50, 0.5), (95, 0.95), (99, 0.99)] {
      figures.append(.measure("p\(percent)_ms", durations.state.quantile(fraction), ["ms", "s"]))
    }
    for (name, keys) in [("route", routes.state), ("client", clients.state)] {
      let rows = keys.top(length).map { counter in
        let atLeast = Figure.count("at_least", counter.count - counter.error)
        return [.most("requests", counter.count, tooManyBy: counter.error)] + (keys.isExact ? [] : [atLeast])
          + [.text(name, counter.key)]
      }
      figures += [.count("\(name)s_tracked", keys.counters.count), .rows("top_\(name)s", rows)]
    }
    let rejects = firstMalformed.state.map {
      [Figure.text("input", $0.input), .count("line", $0.line), .text("reason", $0.reason.rawValue)]
    }
    let latest = alerts.state.latest.suffix(length).map(\.figures)
    return figures + [.count("alerts", alerts.state.count), .rows("latest_alerts", latest)]
      + [.count("malformed", malformed.state), .rows("first_malformed", rejects)]
      + [.rows("unreadable", unreadable.state.map { [.text("error", $0.message)] })]
  }
}
