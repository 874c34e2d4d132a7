// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

extension Stress {
  /// Lists that are evaluated by several threads at once.
  @Suite struct LazyListStress {
    init() { perturb() }

    @Test(
      "N9: threads that iterate a lazy list concurrently see the same objects, and no other object stays alive"
    )
    func walk() {
      for _ in 0..<roundCount(40) {
        let resources = Resources()
        do {
          let list = LazyList(0..<300).map { _ in resources.make() }.filter { _ in true }
            .zip(with: LazyList(1...300)).map { $0.0 }
          let seen = Words(4 * 300)
          withThreads(4) { index in
            var place = 300 * index
            for object in list {
              let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
              weir_store_relaxed_u64(seen.words + place, UInt64(address))
              place += 1
            }
          }
          for place in 300..<(4 * 300) { #expect(seen.words[place] == seen.words[place % 300]) }
          #expect(resources.alive == 300)
          withExtendedLifetime(list) {}
        }
        #expect(resources.alive == 0)
      }
    }

    @Test(
      "N3 N9: threads that iterate a lazy list that nothing else retains see every element and release them all"
    )
    func consume() {
      for _ in 0..<roundCount(40) {
        let resources = Resources()
        let counts = Counter()
        do {
          var iterators: [LazyList<Resources.Resource>.Iterator] = []
          do {
            let list = LazyList(0..<300).map { _ in resources.make() }.skip(first: 10)
            iterators = (0..<4).map { _ in list.makeIterator() }
          }
          withThreads(4) { [iterators] index in
            var iterator = iterators[index]
            while iterator.next() != nil { counts.add() }
          }
        }
        #expect(counts.value == 4 * 290)
        #expect(resources.alive == 0)
      }
    }
  }
}
