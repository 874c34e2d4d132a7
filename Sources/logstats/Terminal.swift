// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc

/// The bytes read so far, the total if it is known, and the seconds since the start.
typealias Progress = (bytes: Int, total: Int?, seconds: Double)

/// A table that is redrawn in place, at most ten times per second. Unchecked because only one thread draws.
final class Terminal: @unchecked Sendable {
  private var (height, lastDrawn) = (0, -1.0)
  /// Moves the cursor to the beginning of the table, and clears the screen from there.
  var erasure: String { height > 0 ? "\u{1B}[\(height)F\u{1B}[J" : "" }
  /// Removes the table, so that a message is printed in its place and the next table below the message. It
  /// would be erased with the table otherwise.
  func clear() {
    output(erasure)
    height = 0
  }
  func isDue(_ progress: Progress) -> Bool { progress.seconds - lastDrawn >= 0.1 }
  func draw(_ table: String, _ progress: Progress) {
    var size = winsize()
    let rows = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_row > 1 ? Int(size.ws_row) : 24
    let lines = "\(bar(progress))\n\(table)".split(separator: "\n").prefix(rows - 1)
    // Without automatic wrapping (7), a long line takes one row.
    output("\(erasure)\u{1B}[?7l\(lines.joined(separator: "\n"))\n\u{1B}[?7h")
    (height, lastDrawn) = (lines.count, progress.seconds)
  }

  /// A bar with rate and time left, or the rate alone if the total is unknown or reached.
  private func bar(_ progress: Progress) -> String {
    let rate = max(Double(progress.bytes) / max(progress.seconds, 1e-3), 1)
    let speed = Figure.measure("", rate, ["B/s", "kB/s", "MB/s", "GB/s"]).text
    guard let total = progress.total, progress.bytes < total else { return speed }
    let bar = String(repeating: "#", count: 30 * progress.bytes / total) + String(repeating: ".", count: 30)
    return "[\(bar.prefix(30))] \(speed), \(Int(Double(total - progress.bytes) / rate)) s left"
  }
}

/// Writes all of `text` to standard output, or ends the program: quietly if the other end of a pipe is
/// closed, and with the status of a signal if one has arrived and nothing could be written for a second.
func output(_ text: String) {
  var rest = Array(text.utf8)[...]
  var room = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
  while !rest.isEmpty {
    guard poll(&room, 1, 1000) > 0 else {
      if let status = StopSignal.status() { exit(status) }
      continue
    }
    // A pipe with room accepts this much without blocking; during a write that blocks, no signal would be
    // noticed.
    let count = rest.prefix(Int(PIPE_BUF)).withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    if count < 0 { exit(errno == EPIPE ? 0 : ExitError.system("standard output", 74).report()) }
    rest = rest.dropFirst(count)
  }
}
