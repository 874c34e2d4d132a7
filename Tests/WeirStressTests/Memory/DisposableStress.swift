// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import WeirTesting

@testable import Weir

extension Stress {
  @Suite struct DisposableStress {
    init() { perturb() }

    @Test("O1: an action disposed by four threads runs once")
    func once() {
      for _ in 0..<roundCount(200) {
        let runs = Counter()
        let disposable = ActionDisposable { runs.add() }
        withThreads(4) { _ in disposable.dispose() }
        #expect(runs.value == 1)
      }
    }

    @Test("an action disposed through weak references during its release runs at most once and is released")
    func weakly() {
      let resources = Resources()
      for _ in 0..<roundCount(500) {
        let runs = Counter()
        let target = Place(
          ActionDisposable { [token = resources.make()] in
            runs.add()
            _ = token
          })
        guard let weak = target.value.map({ WeakDisposal(of: $0) }) else { continue }
        withThreads(3) { index in
          if index == 0 { target.empty() } else { weak.dispose() }
        }
        #expect(runs.value <= 1)
      }
      #expect(resources.alive == 0)
    }

    @Test(
      "a serial delivery released while its subscription is disposed ends its upstreams once and is deallocated"
    )
    func delivery() {
      let resources = Resources()
      for _ in 0..<roundCount(500) {
        let (subscription, ended) = (Subscription(), Counter())
        let upstreams: Subscription
        let kept: Place<SerialDelivery<Int, Never>>
        do {
          let delivery = SerialDelivery<Int, Never>(
            to: Sink(
              next: { [token = resources.make()] _ in _ = token }, terminate: { _ in },
              subscription: subscription))
          upstreams = delivery.upstreams
          upstreams.add(ActionDisposable { ended.add() })
          kept = Place(delivery)
        }
        withThreads(2) { index in
          if index == 0 { kept.empty() } else { subscription.dispose() }
        }
        #expect(upstreams.isDisposed && subscription.isDisposed && ended.value == 1)
      }
      #expect(resources.alive == 0)
    }

    @Test(
      "O3 O4: with concurrent add, remove and dispose, each disposable is either disposed once or removed")
    func compound() {
      let resources = Resources()
      for _ in 0..<roundCount(50) {
        let set = CompoundDisposable()
        let (added, disposed, removed) = (Counter(), Counter(), Counter())
        withThreads(4) { index in
          if index == 3 {
            for _ in 0..<3 { weir_yield() }
            return set.dispose()
          }
          for number in 0..<100 {
            let token = resources.make()
            added.add()
            let entry = set.add(
              ActionDisposable {
                _ = token
                disposed.add()
              })
            if number % 2 == index % 2, entry.remove() { removed.add() }
          }
        }
        #expect(disposed.value + removed.value == added.value)
      }
      #expect(resources.alive == 0)
    }

    @Test("O3 O4: a disposable added to an inner set while the outer set is disposed is disposed once")
    func nested() {
      for _ in 0..<roundCount(50) {
        let (outer, inner) = (CompoundDisposable(), CompoundDisposable())
        _ = outer.add(inner)
        let (added, disposed) = (Counter(), Counter())
        withThreads(3) { index in
          if index == 0 {
            weir_yield()
            return outer.dispose()
          }
          for _ in 0..<50 {
            added.add()
            _ = inner.add(ActionDisposable { disposed.add() })
          }
        }
        #expect(disposed.value == added.value)
      }
    }

    @Test(
      "O6 AC73: concurrent swap, read and dispose of a serial disposable leak nothing and dispose nothing twice"
    )
    func serial() {
      let resources = Resources()
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(30) {
        let slot = SerialDisposable()
        let (made, disposed, returned) = (Counter(), Counter(), Counter())
        withThreads(4) { index in
          for number in 0..<200 {
            switch index {
            case 0: _ = slot.disposable?.isDisposed
            case 1 where number == 150: slot.dispose()
            default:
              let token = resources.make()
              made.add()
              let previous = slot.swap(
                ActionDisposable {
                  _ = token
                  disposed.add()
                })
              if previous != nil { returned.add() }
            }
          }
        }
        #expect(disposed.value + returned.value == made.value)
        #expect(slot.disposable == nil)
      }
      #expect(resources.alive == 0)
      expectBlocks(notAbove: blocksBefore)
    }
  }
}
