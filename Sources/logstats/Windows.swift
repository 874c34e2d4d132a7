// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// The requests of one interval of log time.
struct Window: Sendable {
  var (start, length, requests, failures) = (0, 1, 0, 0)
  var end: Int { start + length }
  var rate: Double { Double(requests) / Double(length) }
  /// Whether at least ten responses, and at least a tenth of all, have a status of 5xx.
  var isBurst: Bool { failures >= 10 && failures * 10 >= requests }
  var figures: [Figure] {
    [.time("start", start), .count("seconds", length), .count("requests", requests)]
      + [.count("server_errors", failures), .measure("rate", rate, ["/s"])]
  }
}

/// Sorts requests into windows by their own time, and sends each window when it is closed: by a later
/// request, or by the session, at the end or when there was nothing to read for as long as a window lasts.
/// Requests of the same time that come after that open a second window with the same start.
///
/// A late request counts in the open window, so none is lost. If it is more than an hour late, or the first
/// one of its input, it is taken for the start of an older log. So inputs that overlap have windows of their
/// own, and an input that starts where another one ended shares the last window with that.
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

  /// Called before the first request of an input is observed.
  func inputBegins(at time: Int) { if time < open.start { close() } }

  func close() {
    if open.requests > 0 { closed.send(open) }
    (open.requests, open.failures) = (0, 0)
  }
}
