// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import WeirTesting

@testable import Weir

/// A value and its version, as all cells are when one thread uses them.
private struct CellModel: SequentialModel {
  enum Step: Sendable {
    case read(Int)
    case readVersion(Int, UInt64)
    case exchanged(Int, for: Int)
    /// Replaced the value if it was that of a version; and whether it was.
    case replaced(version: UInt64, by: Int, Bool)
  }
  var value = 0
  var version: UInt64 = 1

  func states(after step: Step) -> [CellModel] {
    switch step {
    case .read(let answer): answer == value ? [self] : []
    case .readVersion(let answer, let number): answer == value && number == version ? [self] : []
    case .exchanged(let new, let old): old == value ? [CellModel(value: new, version: version + 1)] : []
    case .replaced(let number, let new, let succeeded):
      if succeeded != (number == version) {
        []
      } else if succeeded {
        [CellModel(value: new, version: version + 1)]
      } else {
        [self]
      }
    }
  }
}

extension Stress.Histories {
  /// Cells that several threads replace and read.
  @Suite struct Cells {
    private final class Pinned: @unchecked Sendable {  // what is tested
      private let words: UnsafeMutablePointer<UInt64>
      let cell: PinnedCell<Int>

      init() {
        words = weir_block_allocate(8 * (1 + PinnedCell<Int>.wordCount)).assumingMemoryBound(to: UInt64.self)
        cell = PinnedCell(current: words, words: words + 1)
        cell.publishFirst(0)
      }
      deinit {
        cell.destroy()
        weir_block_free(words, 8 * (1 + PinnedCell<Int>.wordCount))
      }

      func read() -> Int {
        let (block, _) = cell.pin(reclaim: cell.recycle)
        defer { if cell.unpin(block) { cell.recycle(block) } }
        return block.payload.pointee
      }
      func exchange(_ new: Int) -> Int {
        cell.update { value in
          defer { value = new }
          return value
        }
      }
    }

    @Test("a pinned cell is linearizable as a register")
    func pinned() {
      expectLinearizable(
        CellModel(), make: { _ in Pinned() },
        act: { actor, index in
          let (cell, new) = (actor.object, actor.fresh(index))
          if actor.choose(below: 2) == 0 {
            actor.record { .read(cell.read()) }
          } else {
            actor.record { .exchanged(new, for: cell.exchange(new)) }
          }
        })
    }

    private final class Valued<Value: Sendable>: @unchecked Sendable {  // what is tested
      private let words: UnsafeMutablePointer<UInt64>
      let cell: ValueCell<Value>

      init(_ first: Value) {
        words = weir_block_allocate(8 * ValueCell<Value>.wordCount).assumingMemoryBound(to: UInt64.self)
        cell = ValueCell(words: words)
        cell.publishFirst(first)
      }
      deinit {
        cell.destroy()
        weir_block_free(words, 8 * ValueCell<Value>.wordCount)
      }
    }

    private func expectCell<Value: Sendable>(
      wrap: @escaping @Sendable (Int) -> Value, unwrap: @escaping @Sendable (Value) -> Int
    ) {
      expectLinearizable(
        CellModel(), make: { _ in Valued(wrap(0)) },
        act: { actor, index in
          let (cell, new) = (actor.object.cell, actor.fresh(index))
          switch actor.choose(below: 4) {
          case 0: actor.record { .read(unwrap(cell.load())) }
          case 1: actor.record { .exchanged(new, for: unwrap(cell.exchange(wrap(new)))) }
          default:
            var version: UInt64 = 0
            actor.record {
              let read = cell.loadVersioned()
              version = read.version
              return .readVersion(unwrap(read.value), version)
            }
            actor.record { .replaced(version: version, by: new, cell.compareExchange(version, wrap(new))) }
          }
        })
    }

    @Test("a value cell that stores its value in a word is linearizable as a register with versions")
    func word() { expectCell(wrap: { $0 }, unwrap: { $0 }) }

    @Test("a value cell that stores its value in a block is linearizable as a register with versions")
    func block() { expectCell(wrap: { [$0, $0] }, unwrap: { $0[0] }) }
  }
}
