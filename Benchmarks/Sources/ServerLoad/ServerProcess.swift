// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import Glibc

/// A process, as the kernel describes it in /proc.
struct ServerProcess: Sendable {
  let number: Int

  init(_ number: Int) throws(LoadError) {
    self.number = number
    _ = try Self.text(of: "/proc/\(number)/stat")
  }

  /// The time of all threads in user code and in the kernel, to a hundredth of a second; 0 if the process has
  /// ended.
  var processorSeconds: Double {
    guard let text = try? Self.text(of: "/proc/\(number)/stat"), let name = text.lastIndex(of: ")") else {
      return 0
    }
    // The third field follows the name, which may contain spaces. Needed are the 14th and the 15th.
    let fields = text[text.index(after: name)...].split(separator: " ")
    guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else { return 0 }
    return Double(user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
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
