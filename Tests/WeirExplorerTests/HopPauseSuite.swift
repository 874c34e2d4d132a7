// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import WeirExplorer
import WeirTesting

@testable import Weir

/// Counts how often its thread pauses, and sends from inside a pause, as a producer on another thread would.
private final class Pauses: @unchecked Sendable {  // one thread only
  private let send: (Int) -> Void
  private var isPausing = false
  /// Pauses without an atomic operation between them count as one.
  private(set) var count = 0

  /// - Parameter send: what the other thread does during pause number 1, 2, and so on.
  init(_ send: @escaping (Int) -> Void) { self.send = send }

  func counted(during body: () -> Void) {
    weir_observe_thread(
      { context, operation, _, _ in
        Unmanaged<Pauses>.fromOpaque(context).takeUnretainedValue().step(operation)
        return false
      }, Unmanaged.passUnretained(self).toOpaque())
    body()
    weir_observe_thread(nil, nil)
  }

  private func step(_ operation: UnsafePointer<CChar>) {
    let wasPausing = isPausing
    isPausing = String(cString: operation) == "pause"
    guard isPausing, !wasPausing else { return }
    count += 1
    send(count)
  }
}

extension Exploring.HopSuite {
  @Test(
    "a consumer that has caught up pauses for more values once, and again only if some came meanwhile",
    arguments: [0, 1, 10])
  func gathers(useful: Int) {
    let (line, source, received) = (Line(looks: 0), Subject<Int, Never>(), Log<Int>())
    // Each number sends the next one, so that there is always something to pause for.
    let subscription = source.observe(on: line).subscribe {
      received.add($0)
      if 1..<500 ~= $0 { source.send($0 + 1) }
    }
    source.send(1)
    let pauses = Pauses { if $0 <= useful { source.send(0) } }
    pauses.counted { line.runAll() }
    // In one piece of work: another one would pause again.
    #expect(received.elements.count == 500 + useful && 500 + useful < ScheduledDrain.valuesPerDrain)
    #expect(pauses.count == useful + 1)
    subscription.dispose()
  }
}
