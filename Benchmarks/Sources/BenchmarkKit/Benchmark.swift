// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The implementation that a benchmark measures. Each program adds its own.
package struct Implementation: Sendable {
  package let name: String

  package init(name: String) { self.name = name }

  package static let weir = Implementation(name: "weir")
  /// The work itself without any library: the limit of the machine.
  package static let limit = Implementation(name: "limit")
}

/// The result of one repetition.
package struct Sample {
  package var operations: Int
  package var nanoseconds: Int64
  /// What the operations allocated; nil where threads took part whose allocations are not counted.
  package var heap: HeapUse?
  /// Events that were sent and never arrived. An implementation that promises that all arrive ends the run
  /// instead.
  package var failed = 0

  package init(operations: Int, nanoseconds: Int64, heap: HeapUse?) {
    self.operations = operations
    self.nanoseconds = nanoseconds
    self.heap = heap
  }
}

/// One scenario of one implementation.
package struct Benchmark {
  package let scenario: String
  package let implementation: Implementation
  /// The fewest operations with which a repetition is a valid measurement.
  let fewest: Int
  /// Sets up and returns the measured body, which performs about the given number of operations, verifies
  /// what they did, and reports them.
  let prepare: () -> (_ operations: Int) -> Sample
  /// Called after calibration, before the first repetition: drops what the scenario has recorded besides its
  /// samples.
  let forget: () -> Void

  package init(
    scenario: String, implementation: Implementation, fewest: Int = 1, forget: @escaping () -> Void = {},
    prepare: @escaping () -> (_ operations: Int) -> Sample
  ) {
    self.scenario = scenario
    self.implementation = implementation
    self.fewest = fewest
    self.forget = forget
    self.prepare = prepare
  }
}
