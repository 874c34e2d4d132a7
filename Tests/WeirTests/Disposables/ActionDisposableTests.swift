// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

struct ActionDisposableTests {
  @Test("O1: the action runs once, however often dispose() is called")
  func once() {
    let runs = Counter()
    let disposable = ActionDisposable { runs.add() }
    #expect(!disposable.isDisposed)
    disposable.dispose()
    disposable.dispose()
    #expect(runs.value == 1)
    #expect(disposable.isDisposed)
  }

  @Test("O1: when several threads dispose concurrently, one runs the action")
  func concurrently() {
    for _ in 0..<20 {
      let runs = Counter()
      let disposables = (0..<2_000).map { _ in ActionDisposable { runs.add() } }
      withThreads(3) { _ in for disposable in disposables { disposable.dispose() } }
      #expect(runs.value == 2_000)
    }
  }

  @Test("O1: deallocation without disposal releases the action without running it")
  func released() {
    let runs = Counter()
    let resources = Resources()
    do {
      _ = ActionDisposable { [token = resources.make()] in
        _ = runs.add(); _ = token
      }
    }
    #expect(runs.value == 0)
    #expect(resources.alive == 0)
  }

  @Test("O1: isDisposed is true while the action runs, and the action is released afterwards")
  func flagFirst() {
    let resources = Resources()
    let box = Box<ActionDisposable?>(nil)
    let flag = Box(false)
    let alive = Box(0)
    box.value = ActionDisposable { [token = resources.make()] in
      flag.value = box.value?.isDisposed ?? false
      alive.value = resources.alive
      _ = token
    }
    box.value?.dispose()
    #expect(flag.value)
    #expect(alive.value == 1)
    #expect(resources.alive == 0)
    withExtendedLifetime(box) {}
  }

  @Test("O7: dispose() inside its own action has no effect")
  func reentrant() {
    let runs = Counter()
    let box = Box<ActionDisposable?>(nil)
    box.value = ActionDisposable {
      runs.add()
      box.value?.dispose()
    }
    box.value?.dispose()
    #expect(runs.value == 1)
    box.value = nil
  }

  @Test("O2: a scoped disposable disposes its content when it is deallocated")
  func scoped() {
    let runs = Counter()
    do {
      let scoped = ScopedDisposable(ActionDisposable { runs.add() })
      #expect(runs.value == 0)
      withExtendedLifetime(scoped) {}
    }
    #expect(runs.value == 1)
  }

  @Test("O2: a scoped disposable that is disposed before its deallocation disposes its content once")
  func scopedEarly() {
    let runs = Counter()
    let inner = ActionDisposable { runs.add() }
    do {
      let scoped = ScopedDisposable(inner)
      #expect(!scoped.isDisposed)
      scoped.dispose()
      #expect(scoped.isDisposed && inner.isDisposed)
    }
    #expect(runs.value == 1)
  }

  @Test("O2: a scoped disposable around a scoped one disposes the content once, when it is deallocated")
  func scopedTwice() {
    let runs = Counter()
    do {
      let scoped = ScopedDisposable(ScopedDisposable(ActionDisposable { runs.add() }))
      #expect(!scoped.isDisposed)
    }
    #expect(runs.value == 1)
  }

  @Test("O2: a subscription in a scoped disposable ends when that is deallocated")
  func scopedSubscription() {
    let subject = Subject<Int, Never>()
    let values = Counter()
    do {
      let owner = ScopedDisposable(subject.subscribe(next: { values.add($0) }))
      subject.send(1)
      withExtendedLifetime(owner) {}
    }
    subject.send(1)
    #expect(values.value == 1)
  }
}
