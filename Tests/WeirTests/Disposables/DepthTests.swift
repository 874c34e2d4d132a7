// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// A hundred thousand of everything, in processes of their own: a stack overflow would end all tests.
struct DepthTests {
  @Test("100,000 nested compound disposables are disposed without growing the stack")
  func disposal() async {
    await #expect(processExitsWith: .success) {
      let runs = Counter()
      var compound = CompoundDisposable([ActionDisposable { runs.add() }])
      for _ in 0..<manyRounds { compound = CompoundDisposable([compound]) }
      compound.dispose()
      #expect(runs.value == 1)
    }
  }

  @Test("100,000 nested compound disposables are released without growing the stack")
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
    "100,000 subjects, each retained by a subscriber of the previous one, end without growing the stack"
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

  #if compiler(>=6.3)  // Closures of exit tests capture values from 6.3 on.
  @Test(
    "10,000 owners of runs, each retained by a run of the previous one, end without growing the stack",
    arguments: Owner.allCases)
  func owners(_ owner: Owner) async {
    await #expect(processExitsWith: .success) { [owner] in
      let ends = Counter()
      var last = owner.make()
      var first = [last]
      for _ in 0..<owner.rounds {
        let next = owner.make()
        last.keep(next.object, ends)
        last = next
      }
      weak let end: AnyObject? = last.object
      last = owner.make()
      #expect((ends.value, end != nil) == (0, true))
      first.removeAll()
      #expect((ends.value, end == nil) == (owner.rounds, true))
    }
  }

  @Test(
    "100,000 created sources, each retained by the previous one's subscriber, end without growing the stack",
    arguments: [false, true])
  func createdSources(completes: Bool) async {
    await #expect(processExitsWith: .success) { [completes] in
      let ends = Counter()
      var next: Observer<Int, Never>?
      for _ in 0..<manyRounds {
        let held = Held<Never>(nil)
        Signal<Int, Never>.create { observer in
          held.value = observer
          return nil
        }.on(disposed: { ends.add() }).subscribe { [next] in next?.send($0) }
        (next, held.value) = (held.value, nil)
      }
      #expect((ends.value, next != nil) == (0, true))
      if completes { next?.complete() } else { next = nil }
      #expect(ends.value == manyRounds)
    }
  }

  @Test(
    "10,000 shared signals, each of the previous one, end without growing the stack when the source lets go",
    arguments: SharedForm.allCases)
  func sharedSignals(form: SharedForm) async {
    await #expect(processExitsWith: .success) { [form = form as SharedForm] in
      let (held, ends) = (Held<Never>(nil), Counter())
      var signals = [
        Signal<Int, Never>.create { observer in
          held.value = observer
          return nil
        }
      ]
      // Subscribed from the source on, so that none connects another.
      for _ in 0..<roundsOfEach {
        let shared = form.share(signals[signals.count - 1])
        shared.on(disposed: { ends.add() }).subscribe()
        signals.append(shared)
      }
      #expect((ends.value, held.value != nil) == (0, true))
      held.value = nil
      #expect(ends.value == roundsOfEach)
      // Each retains those before it.
      while signals.popLast() != nil {}
    }
  }

  enum SharedForm: String, CaseIterable, Codable {
    case share, lasting, connection

    func share(_ signal: Signal<Int, Never>) -> Signal<Int, Never> {
      switch self {
      case .share: signal.share()
      case .lasting: signal.share(lifetime: .forever)
      case .connection: signal.publish().autoconnect()
      }
    }
  }
  #endif

  @Test(
    "100,000 created sources, each retained by the previous one's clean-up, end without growing the stack"
  )
  func cleanUps() async {
    await #expect(processExitsWith: .success) {
      let ends = Counter()
      var next: Observer<Int, Never>?
      for _ in 0..<manyRounds {
        let held = Held<Never>(nil)
        Signal<Int, Never>.create { [next] observer in
          held.value = observer
          return ActionDisposable { withExtendedLifetime(next) { _ = ends.add() } }
        }.subscribe()
        (next, held.value) = (held.value, nil)
      }
      #expect((ends.value, next != nil) == (0, true))
      next = nil
      #expect(ends.value == manyRounds)
    }
  }

  @Test("100,000 observers that each send to the next are released without growing the stack")
  func observers() async {
    await #expect(processExitsWith: .success) {
      let resources = Resources()
      var next: Observer<Int, Never>? = Observer(next: { [token = resources.make()] _ in _ = token })
      for _ in 0..<manyRounds { next = Observer(next: { [next] in next?.send($0) }) }
      #expect((resources.alive, next != nil) == (1, true))
      next = nil
      #expect(resources.alive == 0)
    }
  }

  @Test(
    "100,000 observers, each retained by what the next one adopts, are released without growing the stack"
  )
  func adopted() async {
    await #expect(processExitsWith: .success) {
      let ends = Counter()
      var next: Observer<Int, Never>?
      for _ in 0..<manyRounds {
        let feeding = Subscription()
        feeding.add(ActionDisposable { [next] in withExtendedLifetime(next) { _ = ends.add() } })
        next = Observer(next: { _ in })
        next?.adopt(feeding)
      }
      #expect((ends.value, next != nil) == (0, true))
      next = nil
      #expect(ends.value == manyRounds)
    }
  }

  /// Something that retains `next` and a token, and releases both when it is deallocated.
  private static func link(_ round: Int, to next: (any Sendable)?, _ resources: Resources) -> any Sendable {
    let token = resources.make()
    switch round % 3 {
    case 0: return Observer<Int, Never>(next: { _ in withExtendedLifetime((next, token)) {} })
    case 1:
      let subject = Subject<Int, Never>()
      subject.subscribe { _ in withExtendedLifetime((next, token)) {} }
      return subject
    default:
      return CompoundDisposable([
        ScopedDisposable(ActionDisposable { withExtendedLifetime((next, token)) {} })
      ])
    }
  }

  @Test("a chain of 100,000 observers, subjects and compound disposables is released on a small stack")
  func mixed() async {
    await #expect(processExitsWith: .success) {
      withSmallStack(kibibytes: 1_024) {
        let resources = Resources()
        var next: (any Sendable)?
        for round in 0..<manyRounds { next = Self.link(round, to: next, resources) }
        #expect((resources.alive, next != nil) == (manyRounds, true))
        next = nil
        #expect(resources.alive == 0)
      }
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

    /// Scoped disposables dispose when they are deallocated.
    var disposesWhenReleased: Bool { self != .slot && self != .slotInSet }
  }

  #if compiler(>=6.3)  // Closures of exit tests capture values from 6.3 on.
  @Test(
    "AC5: 10,000 nested serial and scoped disposables are disposed and released without growing the stack",
    arguments: Wrap.allCases)
  func wrapped(_ wrap: Wrap) async {
    await #expect(processExitsWith: .success) { [wrap] in
      withSmallStack(kibibytes: 1_024) {
        let (runs, resources) = (Counter(), Resources())
        for endsFirst in [true, false] {
          var outermost: any Disposable = ActionDisposable { [token = resources.make()] in
            _ = token
            runs.add()
          }
          for _ in 0..<roundsOfEach { outermost = wrap.around(outermost) }
          if endsFirst { outermost.dispose() }
          #expect(outermost.isDisposed == endsFirst)
          #expect(runs.value == 1 || !endsFirst)
          outermost = ActionDisposable {}
          #expect(resources.alive == 0)
        }
        #expect(runs.value == (wrap.disposesWhenReleased ? 2 : 1))
      }
    }
  }
  #endif

  @Test("a serial disposable around 100,000 nested scoped ones is disposed without growing the stack")
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

  @Test(
    "100,000 scoped disposables, each retained by another's action, are released without growing the stack")
  func scopesInActions() async {
    await #expect(processExitsWith: .success) {
      let ends = Counter()
      var next: ScopedDisposable?
      for _ in 0..<manyRounds {
        next = ScopedDisposable(
          ActionDisposable { [next] in withExtendedLifetime(next) { _ = ends.add() } })
      }
      #expect((ends.value, next != nil) == (0, true))
      next = nil
      #expect(ends.value == manyRounds)
    }
  }

  @Test("contract 5: 10,000 shared signals, each with the next inside it, end without growing the stack")
  func shared() async {
    await #expect(processExitsWith: .success) {
      let forms: [@Sendable (Signal<Int, Never>) -> Signal<Int, Never>] = [
        { $0.share() }, { $0.publish().autoconnect() },
      ]
      for form in forms {
        withSmallStack {
          for isDisposed in [true, false] {
            let (subjects, trigger) = (
              (0...roundsOfEach).map { _ in Subject<Int, Never>() }, Subject<Int, Never>()
            )
            @Sendable func level(_ number: Int) -> Signal<Int, Never> {
              form(subjects[number].flatMap { _ in level(number + 1) })
            }
            let run = level(0).take(until: trigger).subscribe { _ in }
            for subject in subjects.dropLast() { subject.send(0) }
            #expect(subjects[roundsOfEach].subscriberCount == 1)
            if isDisposed { run.dispose() } else { trigger.complete() }
            #expect(subjects[roundsOfEach].subscriberCount == 0)
          }
        }
      }
    }
  }

  @Test("100,000 nested subscriptions are disposed without growing the stack")
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

  @Test("adding and removing many children leaves the memory of a compound disposable constant")
  func growth() async {
    await #expect(processExitsWith: .success) {
      let compound = CompoundDisposable((0..<10).map { _ in ActionDisposable {} })
      let growth = allocatedGrowth { compound.add(ActionDisposable {}).remove() }
      #expect(growth < spareMemory)
      compound.dispose()
    }
  }

  @Test("many adopted subscriptions that are disposed leave the memory of their parent constant")
  func adoptionGrowth() async {
    await #expect(processExitsWith: .success) {
      let parent = Subscription()
      let growth = allocatedGrowth {
        let child = Subscription()
        parent.adopt(child)
        child.dispose()
      }
      #expect(growth < spareMemory)
      #expect(!parent.isDisposed)
    }
  }

  @Test("a subscription adopted by many parents, which are released undisposed, leaves memory constant")
  func parentGrowth() async {
    await #expect(processExitsWith: .success) {
      let child = Subscription()
      let growth = allocatedGrowth {
        let parent = Subscription()
        parent.adopt(child)
      }
      #expect(growth < spareMemory)
      #expect(!child.isDisposed)
    }
  }
}
