// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Weir

@testable import logstats

@Suite struct PipelineTests {
  @Test func windowsHoldEveryRequest() throws {
    // In order, late by a little, late by much (older logs), and far apart.
    let seconds = [0, 3, 9, 10, 8, 11, 25, 24, 600, 601, 1]
    let pipeline = Pipeline(window: 10)
    let windows = pipeline.windows.closed.gather(into: [Window]()) { $0.append($1) }
    var parser = RequestParser()
    for second in seconds {
      let bytes = Array(line(second: second).utf8)
      pipeline.requests.send(try #require(try parser.parse(bytes.span)))
    }
    pipeline.windows.close()
    pipeline.windows.close()
    #expect(windows.state.map(\.requests) == [3, 3, 2, 3])
    #expect(windows.state.map { $0.start % 3600 } == [0, 10, 20, 600])
    #expect(pipeline.statuses.state.reduce(0, +) == seconds.count)
  }

  @Test func muchOlderLinesOpenAWindowOfTheirOwn() throws {
    let older = line(second: 0).replacingOccurrences(of: ":12:", with: ":09:")
    let pipeline = try analyse([line(second: 0), older, line(second: 5)].joined(separator: "\n"))
    let times = try #require(pipeline.times.state)
    #expect(times.upperBound - times.lowerBound == 3 * 3600 + 5)
    #expect(pipeline.statuses.state[2] == 3)
  }

  @Test func anInputThatBeginsBeforeTheOpenWindowHasWindowsOfItsOwn() throws {
    let second = ["bad"] + failing(0..<10) + failing(40..<50)
    let pipeline = try analyse(line(second: 2990), second.joined(separator: "\n"), line(second: 2995))
    #expect(pipeline.alerts.state.latest.map { $0.start % 3600 } == [0, 40])
    #expect(pipeline.peak.state?.requests == 10)
    #expect(pipeline.statuses.state.reduce(0, +) == 22)
  }

  @Test func anInputThatBeginsInTheOpenWindowSharesIt() throws {
    // Of the second input, the last line is late; only the first could be the start of older logs.
    let (first, second) = (failing(20..<25), failing(22..<26) + failing(19..<20))
    let pipeline = try analyse(first.joined(separator: "\n"), second.joined(separator: "\n"))
    #expect(pipeline.alerts.state.latest.map { $0.start % 3600 } == [20])
    #expect(pipeline.alerts.state.latest.map(\.failures) == [10])
  }

  @Test func aClosingWindowFindsTheReportsAsTheyWere() throws {
    let pipeline = Pipeline(window: 10)
    let totals = pipeline.windows.closed.gather(into: [Int]()) { totals, _ in
      totals.append(pipeline.statuses.state.reduce(0, +))
    }
    var parser = RequestParser()
    for second in [0, 1, 10, 20, 21] {
      let bytes = Array(line(second: second).utf8)
      pipeline.requests.send(try #require(try parser.parse(bytes.span)))
    }
    pipeline.windows.close()
    #expect(totals.state == [2, 3, 5])
  }

  @Test func everyLineIsCountedOnce() throws {
    let bad = (0..<7).map { "bad \($0)" }
    let good = (0..<500).map { line(second: $0 / 5, status: 200 + $0 % 3 * 100, client: "c\($0 % 4)") }
    let pipeline = try analyse((bad + good).joined(separator: "\n"))
    #expect(pipeline.malformed.state == 7)
    #expect(pipeline.firstMalformed.state.map(\.line) == [1, 2, 3, 4, 5])
    #expect(
      pipeline.firstMalformed.state.allSatisfy { $0.input.hasSuffix("/log0") && $0.reason == .tooFewFields })
    #expect(pipeline.statuses.state == [0, 0, 167, 167, 166, 0])
    #expect(pipeline.bytes.state == 5000)
    #expect(pipeline.clients.state.top(9).map(\.count) == [125, 125, 125, 125])
    #expect(pipeline.routes.state.top(9).map(\.key) == ["/"])
  }

  private func failing(_ seconds: Range<Int>) -> [String] { seconds.map { line(second: $0, status: 503) } }

  @Test func burstsOfServerErrorsAreAlerts() throws {
    func fine(_ count: Int, second: Int) -> [String] { (0..<count).map { _ in line(second: second) } }
    // Ten of ten; then nine, which are too few; ten of 100, and ten of 101, which are too small a share.
    var lines = failing(0..<10) + failing(20..<29)
    lines += failing(40..<50) + fine(90, second: 49) + failing(60..<70) + fine(91, second: 69)
    let alerts = try analyse(lines.joined(separator: "\n")).alerts.state
    #expect(alerts.count == 2)
    #expect(alerts.latest.map { $0.start % 3600 } == [0, 40])
    #expect(alerts.latest.map(\.failures) == [10, 10])
  }

  @Test func summaryIsValidJSON() throws {
    let route = #"/\"quoted\"\\and\u001b[31m"# + "\u{1B}é\u{7F}"
    let pipeline = try analyse(line(second: 0, route: route) + "\nbad\n")
    let object = try JSONSerialization.jsonObject(with: Data(pipeline.summary(top: 5).json.utf8))
    let summary = try #require(object as? [String: Any])
    #expect(summary["requests"] as? Int == 1)
    #expect(summary["status_2xx"] as? Int == 1)
    #expect(summary["malformed"] as? Int == 1)
    #expect(summary["from"] as? String == "2026-03-02T12:00:00Z")
    let p50 = try #require(summary["p50_ms"] as? Double)
    #expect(abs(p50 - 50) <= 0.5)
    let routes = try #require(summary["top_routes"] as? [[String: Any]])
    #expect(routes.first?["route"] as? String == #"/\"quoted\"\\and\u001b[31m"# + "\u{FFFD}é\u{FFFD}")
  }

  @Test func rateAndTimesAreThoseOfTheRequestsNotOfWindows() throws {
    let pipeline = try analyse((3..<13).map { line(second: $0) }.joined(separator: "\n"))
    let table = pipeline.summary(top: 5).table(("", ""))
    #expect(table.contains("from             2026-03-02T12:00:03Z\nto               2026-03-02T12:00:12Z\n"))
    #expect(table.contains("rate             1.0 /s\n"))
  }

  @Test func asManyAlertsAsCanBeAskedFor() throws {
    let lines = (0..<1001).flatMap { window in
      let failed = line(second: 0, status: 500)
        .replacingOccurrences(of: "[02/Mar/2026:12:00:00", with: clock(10 * window))
      return Array(repeating: failed, count: 10)
    }
    let pipeline = try analyse(lines.joined(separator: "\n"))
    #expect(pipeline.alerts.state.count == 1001)
    #expect(pipeline.alerts.state.latest.count == Options.longestList)
  }

  private func clock(_ second: Int) -> String {
    func two(_ number: Int) -> String { "\(number + 100)".dropFirst().description }
    return "[02/Mar/2026:\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))"
  }

  @Test func summaryOfNothing() throws {
    let pipeline = try analyse("")
    let object = try JSONSerialization.jsonObject(with: Data(pipeline.summary(top: 5).json.utf8))
    let summary = try #require(object as? [String: Any])
    #expect(summary["requests"] as? Int == 0)
    #expect(summary["p99_ms"] is NSNull)
  }

  @Test func countsThatMayBeTooLargeSayByHowMuch() throws {
    let pipeline = Pipeline(window: 10)
    var parser = RequestParser()
    func send(client: Int) throws {
      let bytes = Array(line(second: 0, client: "c\(client)").utf8)
      pipeline.requests.send(try #require(try parser.parse(bytes.span)))
    }
    for client in 0..<10_000 { try send(client: client) }
    let exact = pipeline.summary(top: 1)
    #expect(exact.table(("", "")).contains("\n  requests  client\n         1  c0\n"))
    #expect(!exact.json.contains("at_least"))
    for client in 10_000..<30_000 { try send(client: client) }
    let summary = pipeline.summary(top: 1)
    let table = summary.table(("", ""))
    #expect(table.contains("\n  requests  at_least  client\n        ≤3         1  c20000\n"))
    #expect(table.contains("\n  requests  route\n    30,000  /\n"))
    #expect(summary.json.contains(#""top_clients":[{"requests":3,"at_least":1,"client":"c20000"}]"#))
  }

  @Test func textShowsTheSameFigures() throws {
    let pipeline = try analyse((0..<1234).map { line(second: $0 / 100) }.joined(separator: "\n"))
    let table = pipeline.summary(top: 5).table(("", ""))
    #expect(table.hasPrefix("requests         1,234\n"))
    #expect(table.contains("\n  requests  route\n     1,234  /\n"))
  }
}
