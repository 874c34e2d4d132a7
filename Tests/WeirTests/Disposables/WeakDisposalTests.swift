// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

struct WeakDisposalTests {
  @Test("a weak disposal disposes its target, once")
  func present() {
    let runs = Counter()
    let target = ActionDisposable { runs.add() }
    let weak = WeakDisposal(of: target)
    #expect(!weak.isDisposed)
    weak.dispose()
    weak.dispose()
    #expect((runs.value, weak.isDisposed, target.isDisposed) == (1, true, true))
  }

  @Test("a weak disposal does not retain its target, and does nothing after its deallocation")
  func gone() {
    let (resources, runs) = (Resources(), Counter())
    var target: ActionDisposable? = ActionDisposable { [token = resources.make()] in
      runs.add()
      _ = token
    }
    let weak = target.map { WeakDisposal(of: $0) }
    #expect(resources.alive == 1)
    target = nil
    #expect(resources.alive == 0)
    #expect(weak?.isDisposed == true)
    weak?.dispose()
    #expect(runs.value == 0)
  }
}
