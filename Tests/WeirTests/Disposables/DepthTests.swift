// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// A hundred thousand of everything. In processes of their own: an overflow of the stack would take all tests
/// along.
struct DepthTests {
  @Test("a hundred thousand nested sets are disposed without growing the stack")
  func disposal() async {
    await #expect(processExitsWith: .success) {
      let runs = Counter()
      var compound = CompoundDisposable([ActionDisposable { runs.add() }])
      for _ in 0..<manyRounds { compound = CompoundDisposable([compound]) }
      compound.dispose()
      #expect(runs.value == 1)
    }
  }

  @Test("a hundred thousand nested sets are released without growing the stack")
  func release() async {
    await #expect(processExitsWith: .success) {
      let resources = Resources()
      do {
        var compound = CompoundDisposable([ActionDisposable { [token = resources.make()] in _ = token }])
        for _ in 0..<manyRounds { compound = CompoundDisposable([compound]) }
        #expect(resources.alive == 1)
      }
      #expect(resources.alive == 0)
    }
  }

  @Test(
    "a hundred thousand sources, each kept by a subscriber of the one before it, end without growing the stack"
  )
  func sources() async {
    await #expect(processExitsWith: .success) {
      let ends = Counter()
      var last = Subject<Int, Never>()
      var first = [last]
      for round in 0..<manyRounds {
        let next = Subject<Int, Never>()
        if round.isMultiple(of: 2) {
          last.on(disposed: { ends.add() }).subscribe { next.send($0) }
        } else {
          last.map { $0 }.on(disposed: { ends.add() }).forward(to: next)
        }
        last = next
      }
      weak let end = last
      last = Subject()
      #expect((ends.value, end != nil) == (0, true))
      first.removeAll()
      #expect((ends.value, end == nil) == (manyRounds, true))
    }
  }

  @Test(
    "a hundred thousand properties, each kept by an observer of the one before it, end without growing the stack"
  )
  func properties() async {
    await #expect(processExitsWith: .success) {
      let ends = Counter()
      var last = MutableProperty(0)
      var first = [last]
      for _ in 0..<manyRounds {
        let next = MutableProperty(0)
        last.signal.on(disposed: { ends.add() }).subscribe { next.value = $0 }
        last = next
      }
      weak let end = last
      last = MutableProperty(0)
      #expect((ends.value, end != nil) == (0, true))
      first.removeAll()
      #expect((ends.value, end == nil) == (manyRounds, true))
    }
  }

  /// What holds another disposable.
  enum Wrap: String, CaseIterable, Codable {
    case slot, scope, slotInSet, scopeInSet
    case scopeInSlot, slotInScope, scopeInSlotInSet, scopeInSlotInRun

    func around(_ inner: any Disposable) -> any Disposable {
      switch self {
      case .slot: SerialDisposable(inner)
      case .scope: ScopedDisposable(inner)
      case .slotInSet: CompoundDisposable([SerialDisposable(inner)])
      case .scopeInSet: CompoundDisposable([ScopedDisposable(inner)])
      case .scopeInSlot: SerialDisposable(ScopedDisposable(inner))
      case .slotInScope: ScopedDisposable(SerialDisposable(inner))
      case .scopeInSlotInSet: CompoundDisposable([SerialDisposable(ScopedDisposable(inner))])
      case .scopeInSlotInRun: run(with: SerialDisposable(ScopedDisposable(inner)))
      }
    }

    private func run(with inner: any Disposable) -> any Disposable {
      let subscription = Subscription()
      subscription.add(inner)
      return subscription
    }

    /// Scopes dispose as they go.
    var disposesWhenReleased: Bool { self != .slot && self != .slotInSet }
  }

  @Test(
    "AC5: a hundred thousand slots and scopes inside each other are disposed and released in loops",
    arguments: Wrap.allCases)
  func wrapped(_ wrap: Wrap) async {
    await #expect(processExitsWith: .success) { [wrap] in
      let (runs, resources) = (Counter(), Resources())
      for endsFirst in [true, false] {
        var outermost: any Disposable = ActionDisposable { [token = resources.make()] in
          _ = token
          runs.add()
        }
        for _ in 0..<manyRounds { outermost = wrap.around(outermost) }
        if endsFirst { outermost.dispose() }
        #expect(outermost.isDisposed == endsFirst)
        #expect(runs.value == (endsFirst ? 1 : runs.value))
        outermost = ActionDisposable {}
        #expect(resources.alive == 0)
      }
      #expect(runs.value == (wrap.disposesWhenReleased ? 2 : 1))
    }
  }

  @Test("a slot around a hundred thousand scopes is disposed and released in loops")
  func scopesInSlot() async {
    await #expect(processExitsWith: .success) {
      let runs = Counter()
      var inner: any Disposable = ActionDisposable { runs.add() }
      for _ in 0..<manyRounds { inner = ScopedDisposable(inner) }
      let slot = SerialDisposable(inner)
      inner = ActionDisposable {}
      slot.dispose()
      #expect(runs.value == 1)
    }
  }

  @Test("a hundred thousand nested subscriptions end without growing the stack")
  func subscriptions() async {
    await #expect(processExitsWith: .success) {
      let runs = Counter()
      let outermost = Subscription()
      var innermost = outermost
      for _ in 0..<manyRounds {
        let child = Subscription()
        innermost.adopt(child)
        innermost = child
      }
      innermost.add(ActionDisposable { runs.add() })
      outermost.dispose()
      #expect(runs.value == 1)
      #expect(innermost.isDisposed)
    }
  }

  @Test("a million disposables added and taken out leave memory constant")
  func growth() async {
    await #expect(processExitsWith: .success) {
      let compound = CompoundDisposable((0..<10).map { _ in ActionDisposable {} })
      let growth = residentGrowth(over: 10 * manyRounds) { compound.add(ActionDisposable {}).remove() }
      #expect(growth < 4 << 20)
      compound.dispose()
    }
  }

  @Test("a million child subscriptions that end by themselves leave memory constant")
  func adoptionGrowth() async {
    await #expect(processExitsWith: .success) {
      let parent = Subscription()
      let growth = residentGrowth(over: 10 * manyRounds) {
        let child = Subscription()
        parent.adopt(child)
        child.dispose()
      }
      #expect(growth < 4 << 20)
      #expect(!parent.isDisposed)
    }
  }
}
