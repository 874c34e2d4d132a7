// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CBenchSupport
import Glibc
import Weir

/// Runs one probe once. perf/instructions runs it under callgrind.
@main
struct WeirProbe {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let count = Int(arguments[2]), count > 0 else {
      fail("usage: WeirProbe emit|cold-chain|subscribe-dispose COUNT")
    }
    nonisolated(unsafe) let cell = Cell.allocate(capacity: 1)  // the probes run on one thread
    cell.initialize(to: 0)
    defer { cell.deallocate() }
    let expected: Int
    switch arguments[1] {
    case "emit":
      let subject = Subject<Int, Never>()
      subject.subscribe { cell.pointee &+= $0 }
      probeEmit(subject, count)
      expected = count * (count - 1) / 2
    case "cold-chain":
      probeColdChain(cell, count)
      expected = (0..<count).reduce(0) { $0 + ($1 * 3 & 7 != 5 ? $1 * 3 + 7 : 0) }
    case "subscribe-dispose":
      let subject = Subject<Int, Never>()
      probeSubscribeDispose(subject, cell, count)
      subject.send(1)
      expected = 0
    default:
      fail("there is no probe '\(arguments[1])'; use emit, cold-chain or subscribe-dispose")
    }
    if cell.pointee != expected { fail("\(arguments[1]): counted \(cell.pointee), expected \(expected)") }
  }

  private static func fail(_ message: String) -> Never {
    bench_print_error("WeirProbe: \(message)")
    exit(64)
  }
}
