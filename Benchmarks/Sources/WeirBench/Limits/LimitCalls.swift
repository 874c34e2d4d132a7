// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import CBenchSupport

/// `closure-call`, `object-call`, `closure-loop/K`, `object-loop/K`: the cost of calling a subscriber when
/// nothing protects the list that contains it. Each call adds to a counter, as the subscribers of `emit/K`
/// do.
enum LimitCalls {
  static let counts = [1, 8, 64, 1024]

  static var benchmarks: [Benchmark] {
    [
      benchmark("closure-call", targets: 1, mark: closureMark, closureTarget) { objects, count in
        closureCallLoop(opaque(objects[0]), count)
      },
      benchmark("object-call", targets: 1, mark: objectMark, objectTarget) { objects, count in
        objectCallLoop(opaque(objects[0]), count)
      },
    ]
      + counts.map {
        benchmark("closure-loop/\($0)", targets: $0, mark: closureMark, closureTarget, closureWalk)
      }
      + counts.map { benchmark("object-loop/\($0)", targets: $0, mark: objectMark, objectTarget, objectWalk) }
  }

  private static func closureTarget(_ cell: Cell) -> ClosureTarget {
    ClosureTarget { cell.add($0 &+ closureMark) }
  }

  /// Chosen at run time, so that the compiler cannot replace the virtual call by a direct one.
  private static func objectTarget(_ cell: Cell) -> ObjectTarget {
    bench_opaque_int(0) == 0 ? AddingTarget(cell) : SubtractingTarget(cell)
  }

  private static func benchmark<Target: AnyObject>(
    _ scenario: String, targets: Int, mark: Int, _ makeTarget: @escaping (Cell) -> Target,
    _ run: @escaping (_ objects: ContiguousArray<Target>, _ count: Int) -> Void
  ) -> Benchmark {
    Benchmark(scenario: scenario, implementation: .limit) {
      let cells = Cells(count: targets)
      let objects = ContiguousArray((0..<targets).map { makeTarget(cells.cell($0)) })
      return { operations in
        cells.reset()
        let sample = measure(operations) { run(objects, operations) }
        for index in 0..<targets {
          verify(
            "\(scenario), target \(index)", cells[index],
            equals: operations * (operations - 1) / 2 + operations * mark)
        }
        return sample
      }
    }
  }

  /// The array owns the objects during the loop, so the loop may borrow them without counting references.
  private static func closureWalk(_ objects: ContiguousArray<ClosureTarget>, _ count: Int) {
    objects.withUnsafeBufferPointer { owned in
      owned.withMemoryRebound(to: Unmanaged<ClosureTarget>.self) { closureWalkLoop($0, count) }
    }
  }

  private static func objectWalk(_ objects: ContiguousArray<ObjectTarget>, _ count: Int) {
    objects.withUnsafeBufferPointer { owned in
      owned.withMemoryRebound(to: Unmanaged<ObjectTarget>.self) { objectWalkLoop($0, count) }
    }
  }
}

final class ClosureTarget {
  let call: (Int) -> Void
  init(_ call: @escaping (Int) -> Void) { self.call = call }
}

class ObjectTarget {
  let cell: Cell
  init(_ cell: Cell) { self.cell = cell }
  func receive(_ value: Int) {}
}

final class AddingTarget: ObjectTarget {
  override func receive(_ value: Int) { cell.add(value &+ objectMark) }
}

final class SubtractingTarget: ObjectTarget {
  override func receive(_ value: Int) { cell.add(0 &- value) }
}

/// The same object, but the compiler cannot know which one it is.
func opaque<Object: AnyObject>(_ object: Object) -> Object {
  let pointer = bench_opaque_pointer(Unmanaged.passUnretained(object).toOpaque())
  return Unmanaged.fromOpaque(pointer).takeUnretainedValue()
}

@inline(never)
func closureCallLoop(_ target: ClosureTarget, _ count: Int) {
  let call = target.call
  for value in 0..<count { call(value) }
}

@inline(never)
func objectCallLoop(_ target: ObjectTarget, _ count: Int) {
  for value in 0..<count { target.receive(value) }
}

@inline(never)
func closureWalkLoop(_ targets: UnsafeBufferPointer<Unmanaged<ClosureTarget>>, _ count: Int) {
  for value in 0..<count {
    for target in targets { target._withUnsafeGuaranteedRef { $0.call(value) } }
  }
}

@inline(never)
func objectWalkLoop(_ targets: UnsafeBufferPointer<Unmanaged<ObjectTarget>>, _ count: Int) {
  for value in 0..<count {
    for target in targets { target._withUnsafeGuaranteedRef { $0.receive(value) } }
  }
}

/// The number that the targets add to the value, see `MeasuredSource.mark`.
private var closureMark: Int { 5 }
private var objectMark: Int { 6 }
