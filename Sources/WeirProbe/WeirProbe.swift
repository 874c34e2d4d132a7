// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CProbeSupport
import Glibc

/// Runs one probe with each of some counts, and prints the heap allocations of each run. perf/instructions
/// runs it under callgrind.
@main
struct WeirProbe {
  private static var families: [any Probe.Type] {
    [
      SubjectProbe.self, ChainProbe.self, FlatteningProbe.self, CombiningProbe.self, StateProbe.self,
      BindingProbe.self, ObserverProbe.self, HopProbe.self, TimeProbe.self, StoredSchedulerProbe.self,
      DisposableProbe.self,
      SubscribingProbe.self, LifeProbe.self,
    ]
  }

  static func main() {
    let arguments = CommandLine.arguments
    let names = families.flatMap { $0.names }
    let usage = "usage: WeirProbe \(names.joined(separator: "|")) COUNT..."
    if arguments.contains("--help") || arguments.contains("-h") { return print(usage) }
    let counts = arguments.dropFirst(2).compactMap { Int($0) }.filter { $0 > 0 }
    guard !counts.isEmpty, counts.count == arguments.count - 2 else { fail(usage, status: 64) }
    let name = arguments[1]
    guard let probe = families.lazy.compactMap({ $0.named(name) }).first else {
      fail("there is no probe '\(name)'; the probes are \(names.joined(separator: ", "))", status: 64)
    }
    for count in counts { run(probe, name, count) }
  }

  private static func run(_ probe: any Probe, _ name: String, _ count: Int) {
    let cell = Cell.allocate(capacity: 1)
    cell.initialize(to: 0)
    defer { cell.deallocate() }
    CountedHeap.reset()
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
