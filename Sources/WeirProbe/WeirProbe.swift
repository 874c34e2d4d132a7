// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CProbeSupport
import Glibc

/// Runs one probe once, and prints its heap allocations. perf/instructions runs it under callgrind.
@main
struct WeirProbe {
  private static var families: [any Probe.Type] {
    [
      SubjectProbe.self, ChainProbe.self, FlatteningProbe.self, CombiningProbe.self, StateProbe.self,
      HopProbe.self,
      TimeProbe.self, StoredSchedulerProbe.self, DisposableProbe.self, SubscribingProbe.self, LifeProbe.self,
    ]
  }

  static func main() {
    let arguments = CommandLine.arguments
    let names = families.flatMap { $0.names }
    let usage = "usage: WeirProbe \(names.joined(separator: "|")) COUNT"
    if arguments.contains("--help") || arguments.contains("-h") { return print(usage) }
    guard arguments.count == 3, let count = Int(arguments[2]), count > 0 else {
      fail(usage, status: 64)
    }
    let name = arguments[1]
    guard let probe = families.lazy.compactMap({ $0.named(name) }).first else {
      fail("there is no probe '\(name)'; the probes are \(names.joined(separator: ", "))", status: 64)
    }
    let cell = Cell.allocate(capacity: 1)
    cell.initialize(to: 0)
    defer { cell.deallocate() }
    probe.run(cell, count)
    let expected = probe.expected(count)
    if cell.pointee != expected {
      fail("\(name): counted \(cell.pointee), expected \(expected)", status: 70)
    }
    print(CountedHeap.json)
  }

  private static func fail(_ message: String, status: Int32) -> Never {
    bench_print_error("WeirProbe: \(message)")
    exit(status)
  }
}

extension Probe {
  fileprivate static func named(_ name: String) -> (any Probe)? { Self(rawValue: name) }
}
