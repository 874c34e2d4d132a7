// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CBenchSupport
import Glibc
import Weir

/// Runs one probe once. perf/instructions runs it under callgrind.
@main
struct WeirProbe {
  private static let names =
    ["emit", "cold-chain", "subscribe-dispose"] + OperatorProbe.allCases.map(\.rawValue)
    + StateProbe.allCases.map(\.rawValue) + HopProbe.allCases.map(\.rawValue)

  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let count = Int(arguments[2]), count > 0 else {
      fail("usage: WeirProbe \(names.joined(separator: "|")) COUNT")
    }
    nonisolated(unsafe) let cell = Cell.allocate(capacity: 1)  // the probes run on one thread
    cell.initialize(to: 0)
    defer { cell.deallocate() }
    let expected: Int
    switch arguments[1] {
    case "emit":
      let subject = Source()
      subject.subscribe { cell.pointee &+= $0 }
      probeEmit(subject, count)
      expected = count * (count - 1) / 2
    case "cold-chain":
      probeColdChain(cell, count)
      expected = (0..<count).reduce(0) { $0 + ($1 * 3 & 7 != 5 ? $1 * 3 + 7 : 0) }
    case "subscribe-dispose":
      let subject = Source()
      probeSubscribeDispose(subject, cell, count)
      subject.send(1)
      expected = 0
    default:
      if let probe = OperatorProbe(rawValue: arguments[1]) {
        run(probe, cell, count)
        expected = probe.expected(count)
      } else if let probe = StateProbe(rawValue: arguments[1]) {
        probe.run(cell, count)
        expected = probe.expected(count)
      } else if let probe = HopProbe(rawValue: arguments[1]) {
        probe.run(cell, count)
        expected = probe.expected(count)
      } else {
        fail("there is no probe '\(arguments[1])'; there are \(names.joined(separator: ", "))")
      }
    }
    if cell.pointee != expected { fail("\(arguments[1]): counted \(cell.pointee), expected \(expected)") }
  }

  private static func run(_ probe: OperatorProbe, _ cell: Cell, _ count: Int) {
    let (left, right) = (Source(), Source())
    probe.subscribe(left, right, cell)
    left.send(0)
    right.send(0)
    cell.pointee = 0
    switch probe.senders {
    case .both: probeInTurn(left, right, count)
    case .first: probeEmit(left, count)
    }
  }

  private static func fail(_ message: String) -> Never {
    bench_print_error("WeirProbe: \(message)")
    exit(64)
  }
}
