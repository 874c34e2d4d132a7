// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Whose code a row of the report measures. Each program adds its own names.
package struct Implementation: Sendable {
  package let name: String

  package init(name: String) { self.name = name }

  package static let weir = Implementation(name: "weir")
  /// No library at all: what the machine charges for the work itself.
  package static let limit = Implementation(name: "limit")
}

/// What one repetition took.
package struct Sample {
  package var operations: Int
  package var nanoseconds: Int64
  /// What the operations asked of the heap; nil where threads took part whose allocations nobody saw.
  package var heap: HeapUse?
  /// Events that were sent and never came. Whoever promises that all come ends the run instead.
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
  /// What a repetition has to perform at least to be a measurement.
  let fewest: Int
  /// Sets up and returns the measured body, which performs about the given number of operations, verifies
  /// what they did, and reports them.
  let prepare: () -> (_ operations: Int) -> Sample
  /// Called between the runs that find out how many operations fill a repetition and the first repetition:
  /// forgets what a scenario keeps of those beside its samples.
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
