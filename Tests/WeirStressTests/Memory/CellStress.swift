// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

extension Stress {
  /// The cell that is under properties, logs and bindings, by itself.
  @Suite struct CellStress {
    init() { perturb() }

    @Test(
      "O6 DD-3: a pinned cell with concurrent readers and writers destroys each replaced value once"
    )
    func pinned() {
      let resources = Resources()
      for _ in 0..<roundCount(30) {
        let words = Words(1 + PinnedCell<Resources.Resource>.wordCount)
        let cell = PinnedCell<Resources.Resource>(current: words.words, words: words.words + 1)
        cell.publishFirst(resources.make())
        withThreads(4) { index in
          for _ in 0..<200 {
            if index < 2 {
              let new = resources.make()
              cell.update { $0 = new }
            } else {
              let (block, _) = cell.pin(reclaim: cell.recycle)
              withExtendedLifetime(block.payload.pointee) {}
              if cell.unpin(block) { cell.recycle(block) }
            }
          }
        }
        #expect(resources.alive == 1)
        cell.destroy()
      }
      #expect(resources.alive == 0)
    }
  }
}
