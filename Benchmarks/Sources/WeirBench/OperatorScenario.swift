// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import MutexBaseline
import Weir

/// A scenario of an operator that listens to hot sources: one operation is one value sent by one of them.
///
/// The chains are written out in each scenario, in functions that are never inlined; `MeasuredSource` says
/// why. Each closure adds the mark of its scenario and implementation, so that no two closures are identical.
protocol OperatorScenario {
  static var name: String { get }
  static var sourceCount: Int { get }
  /// How many of the sources send, in turn; a power of two.
  static var senderCount: Int { get }
  /// A multiple of 10 that no other scenario has.
  static var mark: Int { get }

  static func subscribe(_ sources: ContiguousArray<WeirSource>, _ cell: Cell) -> Subscription

  /// The sum that subscribers must have added up, without marks, and the number of marks. Every source has
  /// sent ``OperatorScenarios/primer``, and then the senders the values below `count`, a multiple of their
  /// number.
  static func expected(_ count: Int) -> (sum: Int, marks: Int)
}

/// A scenario that the mutex baseline has an operator for.
protocol ComparedScenario: OperatorScenario {
  static func subscribe<S: MutexSource>(_ sources: ContiguousArray<S>, _ cell: Cell) -> MutexDisposal
}

extension OperatorScenario {
  static var senderCount: Int { sourceCount }

  @inline(__always)
  static func mark<S: HotSource>(_: S.Type) -> Int { mark &+ S.mark }

  static var weir: Benchmark { benchmark(WeirSource.self) { subscribe($0, $1) } }

  /// - Parameter subscribe: returns what keeps the chain alive.
  static func benchmark<S: HotSource, Token>(
    _: S.Type, _ subscribe: @escaping (_ sources: ContiguousArray<S>, _ cell: Cell) -> Token
  ) -> Benchmark {
    precondition(senderCount & (senderCount - 1) == 0)
    return Benchmark(scenario: name, implementation: S.implementation) {
      let cells = Cells(count: 1)
      let sources = ContiguousArray((0..<sourceCount).map { _ in S() })
      let token = subscribe(sources, cells.cell(0))
      var checked = (count: -1, sum: 0)
      return { operations in
        let count = (operations + senderCount - 1) & ~(senderCount - 1)
        for source in sources { source.send(OperatorScenarios.primer) }
        cells.reset()
        let sample = withExtendedLifetime(token) {
          sources.prefix(senderCount).withUnsafeBufferPointer { owned in
            // The array owns the sources, so the loop may borrow them without counting references.
            owned.withMemoryRebound(to: Unmanaged<S>.self) { senders in
              measure(count) { sendInTurn(senders, count) }
            }
          }
        }
        if checked.count != count {
          let (sum, marks) = expected(count)
          checked = (count, sum + marks * mark(S.self))
        }
        verify("\(name) \(S.implementation.name), checksum", cells[0], equals: checked.sum)
        return sample
      }
    }
  }
}

extension ComparedScenario {
  static var compared: [Benchmark] {
    [
      weir,
      benchmark(MutexCopySource.self) { subscribe($0, $1) },
      benchmark(MutexInsideSource.self) { subscribe($0, $1) },
    ]
  }
}

/// What all scenarios of operators use.
enum OperatorScenarios {
  /// The value that every source sends before a repetition, so that all repetitions begin in the same state.
  static let primer = 3

  /// The sum of the values that a repetition sends.
  static func sum(_ count: Int) -> Int { count * (count - 1) / 2 }
}

@inline(never)
func sendInTurn<S: HotSource>(_ senders: UnsafeBufferPointer<Unmanaged<S>>, _ count: Int) {
  let mask = senders.count &- 1
  for value in 0..<count { senders[value & mask]._withUnsafeGuaranteedRef { $0.send(value) } }
}
