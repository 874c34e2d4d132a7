// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// The requests of one stretch of log time.
struct Window: Sendable {
  var (start, length, requests, failures) = (0, 1, 0, 0)
  var end: Int { start + length }
  var rate: Double { Double(requests) / Double(length) }
  /// At least ten responses of 5xx, and at least a tenth of all.
  var isBurst: Bool { failures >= 10 && failures * 10 >= requests }
  var figures: [Figure] {
    [.time("start", start), .count("seconds", length), .count("requests", requests)]
      + [.count("server_errors", failures), .measure("rate", rate, ["/s"])]
  }
}

/// Sorts requests into windows by their own time, and sends each window when a later request closes it, or
/// the session does: at the end, and when there was nothing to read for as long as a window lasts. Requests
/// of the same time that come after that open a second window with the same start.
///
/// A late request counts in the open window, so none is lost. If it is more than an hour late, or the first
/// of its input, it is taken for the start of older logs: so inputs that overlap have windows of their own,
/// and one that starts where another ended shares the last window of that.
///
/// Unchecked because only the read loop's thread sends requests and closes windows.
final class WindowClock: @unchecked Sendable {
  let closed = Subject<Window, Never>()
  private var open = Window()
  init(length: Int) { open.length = length }
  func observe(_ request: Request) {
    if request.time >= open.end || request.time < open.start - 3600 || open.requests == 0 {
      close()
      open.start = request.time - (request.time % open.length + open.length) % open.length
    }
    open.requests += 1
    open.failures += request.status / 500
  }

  /// Called for the first request of an input, before that is observed.
  func inputBegins(at time: Int) { if time < open.start { close() } }

  func close() {
    if open.requests > 0 { closed.send(open) }
    (open.requests, open.failures) = (0, 0)
  }
}
