// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import MutexBaseline
import Weir

/// `dispose-action`: a disposable with a closure is created and disposed. `compound/10000`: one is added to a
/// set of that many, and removed. `serial-replace`: one is created and put into a slot, and the previous one
/// is disposed.
enum Disposables {
  static let held = 10_000

  static var benchmarks: [Benchmark] {
    [
      action(.weir, actionLoop), action(.mutexCopy, mutexActionLoop),
      compound(.weir, compoundRun), compound(.mutexCopy, mutexCompoundRun),
      serial(.weir, serialLoop), serial(.mutexCopy, mutexSerialLoop),
    ]
  }

  typealias Loop = (_ cell: Cell, _ count: Int) -> Void

  static func action(_ implementation: Implementation, _ run: @escaping Loop) -> Benchmark {
    counted("dispose-action", implementation, run)
  }

  static func serial(_ implementation: Implementation, _ run: @escaping Loop) -> Benchmark {
    counted("serial-replace", implementation, run)
  }

  /// - Parameter run: must dispose `count` disposables, each of which adds 1 to the cell.
  private static func counted(
    _ scenario: String, _ implementation: Implementation, _ run: @escaping Loop
  ) -> Benchmark {
    Benchmark(scenario: scenario, implementation: implementation) {
      let cells = Cells(count: 1)
      return { operations in
        cells.reset()
        let sample = measure(operations) { run(cells.cell(0), operations) }
        verify("\(scenario) \(implementation.name), disposed", cells[0], equals: operations)
        return sample
      }
    }
  }

  /// - Parameter run: creates a set of ``held`` disposables that each add 1 to the first cell, measures
  ///   adding and removing one that adds 1 to the second cell, and disposes the set.
  static func compound(
    _ implementation: Implementation,
    _ run: @escaping (_ staying: Cell, _ passing: Cell, _ count: Int) -> Sample
  ) -> Benchmark {
    let scenario = "compound/\(held)"
    return Benchmark(scenario: scenario, implementation: implementation) {
      let cells = Cells(count: 2)
      return { operations in
        cells.reset()
        let sample = run(cells.cell(0), cells.cell(1), operations)
        verify("\(scenario) \(implementation.name), disposed with the set", cells[0], equals: held)
        verify("\(scenario) \(implementation.name), disposed after it was removed", cells[1], equals: 0)
        return sample
      }
    }
  }
}

// MARK: - Weir

@inline(never)
private func actionLoop(_ cell: Cell, _ count: Int) {
  for _ in 0..<count { ActionDisposable { cell.add(1) }.dispose() }
}

private func compoundRun(_ staying: Cell, _ passing: Cell, _ count: Int) -> Sample {
  let compound = CompoundDisposable()
  for _ in 0..<Disposables.held { compound.add(ActionDisposable { staying.add(1) }) }
  let action = ActionDisposable { passing.add(1) }
  defer { compound.dispose() }
  return measure(count) { compoundLoop(compound, action, count) }
}

@inline(never)
private func compoundLoop(_ compound: CompoundDisposable, _ action: ActionDisposable, _ count: Int) {
  for _ in 0..<count { compound.add(action).remove() }
}

@inline(never)
private func serialLoop(_ cell: Cell, _ count: Int) {
  let serial = SerialDisposable()
  for _ in 0..<count { serial.swap(ActionDisposable { cell.add(1) })?.dispose() }
  serial.dispose()
}

// MARK: - Mutex baseline

@inline(never)
private func mutexActionLoop(_ cell: Cell, _ count: Int) {
  for _ in 0..<count { MutexAction { cell.add(1) }.dispose() }
}

private func mutexCompoundRun(_ staying: Cell, _ passing: Cell, _ count: Int) -> Sample {
  let compound = MutexCompound()
  for _ in 0..<Disposables.held { compound.add(MutexAction { staying.add(1) }) }
  let action = MutexAction { passing.add(1) }
  defer { compound.dispose() }
  return measure(count) { mutexCompoundLoop(compound, action, count) }
}

@inline(never)
private func mutexCompoundLoop(_ compound: MutexCompound, _ action: MutexAction, _ count: Int) {
  for _ in 0..<count {
    compound.add(action)
    compound.remove(action)
  }
}

@inline(never)
private func mutexSerialLoop(_ cell: Cell, _ count: Int) {
  let serial = MutexSerial()
  for _ in 0..<count { serial.swap(MutexAction { cell.add(1) })?.dispose() }
  serial.swap(nil)?.dispose()
}
