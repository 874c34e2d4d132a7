// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import CBenchSupport
import Glibc

/// A process, as the kernel describes it.
struct ServerProcess: Sendable {
  let number: Int

  init(_ number: Int) throws(LoadError) {
    self.number = number
    _ = try Self.text(of: "/proc/\(number)/status")
  }

  /// The time of all threads in user code and in the kernel, in steps of a nanosecond; 0 if the process has
  /// ended. A thread that runs at the moment counts up to the last tick of its processor, of which there are
  /// some hundred a second.
  var processorSeconds: Double {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(pid_t(number), &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The time of this process, to a microsecond.
  static var processorSecondsOfThisOne: Double {
    var use = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &use)
    return [use.ru_utime, use.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1_000_000 }
  }

  /// The peak of its resident memory.
  var peakKilobytes: Int? {
    guard let text = try? Self.text(of: "/proc/\(number)/status") else { return nil }
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst().first }.flatMap { Int($0) }
  }

  private static func text(of path: String) throws(LoadError) -> String {
    guard let file = fopen(path, "r") else {
      throw LoadError(message: "cannot read \(path); give --server-pid the id of a running process")
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 8_192)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
