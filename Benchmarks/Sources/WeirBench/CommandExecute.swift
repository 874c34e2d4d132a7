// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import Weir

/// `command-execute`: a command that returns its input is executed, and the result goes into a counter. The
/// signals of the command itself have no subscribers.
enum CommandExecute {
  static var benchmarks: [Benchmark] {
    [
      Benchmark(scenario: "command-execute", implementation: .weir) {
        let cells = Cells(count: 1)
        let command = Command<Int, Int, Never> { .just($0) }
        return { operations in
          cells.reset()
          let sample = measure(operations) { executeLoop(command, cells.cell(0), operations) }
          verify(
            "command-execute weir, checksum", cells[0],
            equals: operations * (operations - 1) / 2 + operations * executeMark)
          return sample
        }
      }
    ]
  }
}

@inline(never)
func executeLoop(_ command: Command<Int, Int, Never>, _ cell: Cell, _ count: Int) {
  for value in 0..<count {
    command.execute(value).subscribe(next: { cell.add($0 &+ executeMark) }, failed: { _ in })
  }
}

private var executeMark: Int { 131 }
