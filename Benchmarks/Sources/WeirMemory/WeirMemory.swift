// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import CBenchSupport
import Glibc

/// Prints the heap memory of hot sources and what belongs to them, one JSON object per line. perf/memory
/// makes a table of it.
@main
struct WeirMemory {
  private static let usage = """
    usage: WeirMemory
    Counts the heap memory of hot sources and of what belongs to them. Prints one JSON object per line, of which
    perf/memory makes a table. Exits with 70 if something is not freed.
    """

  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.contains("--help") || arguments.contains("-h") {
      print(usage)
      return flushOutput()
    }
    if let first = arguments.first { fail("unknown argument '\(first)'; see WeirMemory --help", status: 64) }
    if !bench_allocations_are_counted() {
      fail("cannot count in a sanitizer build, which has an allocator of its own", status: 69)
    }
    bench_watch_live_blocks()
    for item in items { print(item.json(item.measure())) }
    flushOutput()
  }

  static var items: [Item] {
    Idle.items + Subscribers.items + PeerSubscribers.items + Retained.items + Chains.items
  }

  /// Ends the process if something is not freed.
  static func check() {
    bench_watch_live_blocks()
    for item in items { _ = item.measure() }
  }

  static func fail(_ message: String, status: Int32) -> Never {
    bench_print_error("WeirMemory: \(message)")
    exit(status)
  }
}

/// A kind of object whose memory is counted.
struct Item {
  /// `idle`, `only-subscriber`, `subscriber`, `chain` or `retained-value`.
  let piece: String
  let source: String
  let implementation: String
  let measure: () -> Footprint

  /// Names consist of letters, digits, dashes and slashes, so nothing needs escaping.
  func json(_ footprint: Footprint) -> String {
    """
    {"piece": "\(piece)", "source": "\(source)", "implementation": "\(implementation)", \
    "bytes": \(rounded(footprint.bytes)), "blocks": \(rounded(footprint.blocks))}
    """
  }

  private func rounded(_ value: Double) -> String { String((value * 1000).rounded() / 1000) }
}
