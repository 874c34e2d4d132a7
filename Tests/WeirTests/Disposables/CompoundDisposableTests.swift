// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

struct CompoundDisposableTests {
  @Test("O3: dispose() disposes the children in the order of their addition, once")
  func order() {
    let log = Box<[Int]>([])
    let compound = CompoundDisposable((0..<3).map { index in ActionDisposable { log.value.append(index) } })
    for index in 3..<6 { compound.add(ActionDisposable { log.value.append(index) }) }
    #expect(log.value.isEmpty)
    #expect(!compound.isDisposed)
    compound.dispose()
    compound.dispose()
    #expect(log.value == Array(0..<6))
    #expect(compound.isDisposed)
  }

  @Test("O3: a child added after disposal is disposed at once", arguments: [false, true])
  func addedLate(filled: Bool) {
    let compound = filled ? CompoundDisposable([ActionDisposable {}]) : CompoundDisposable()
    compound.dispose()
    let late = ActionDisposable {}
    let entry = compound.add(late)
    #expect(late.isDisposed)
    #expect(!entry.remove())
  }

  @Test("O3: a child removed by its entry is not disposed, all others are", arguments: [1, 2, 40])
  func removed(count: Int) {
    let disposables = (0..<count).map { _ in ActionDisposable {} }
    let compound = CompoundDisposable()
    let entries = disposables.map { compound.add($0) }
    #expect(entries[count / 2].remove())
    #expect(!entries[count / 2].remove())
    compound.dispose()
    for index in 0..<count { #expect(disposables[index].isDisposed == (index != count / 2)) }
    #expect(!entries[0].remove())
  }

  @Test("O3: a child added twice has two entries: removing one leaves the other")
  func addedTwice() {
    let disposable = ActionDisposable {}
    let compound = CompoundDisposable()
    let first = compound.add(disposable)
    compound.add(disposable)
    #expect(first.remove())
    compound.dispose()
    #expect(disposable.isDisposed)
  }

  @Test("O3: a child that is already disposed is not retained")
  func addingADisposedOne() {
    let compound = CompoundDisposable()
    weak var handle: ActionDisposable?
    do {
      let disposable = ActionDisposable {}
      disposable.dispose()
      handle = disposable
      #expect(!compound.add(disposable).remove())
    }
    #expect(handle == nil)
    withExtendedLifetime(compound) {}
  }

  @Test("O3: deallocation releases the children without disposing them")
  func released() {
    let resources = Resources()
    let runs = Counter()
    do {
      let compound = CompoundDisposable()
      for _ in 0..<10 {
        compound.add(
          ActionDisposable { [token = resources.make()] in
            _ = runs.add(); _ = token
          })
      }
      #expect(resources.alive == 10)
    }
    #expect((runs.value, resources.alive) == (0, 0))
  }

  @Test("O3: removing a child releases it at once")
  func removalReleases() {
    let resources = Resources()
    let compound = CompoundDisposable()
    let entries = (0..<100).map { _ in
      compound.add(ActionDisposable { [token = resources.make()] in _ = token })
    }
    for (index, entry) in entries.enumerated() {
      entry.remove()
      #expect(resources.alive == 99 - index)
    }
    withExtendedLifetime((compound, entries)) {}
  }

  @Test("a child removed before the next is added leaves no node behind; beneath another it leaves a shell")
  func topOfTheSet() {
    let set = CompoundDisposable([ActionDisposable {}])
    let before = set.list.head.load()
    weak var node: DisposalNode?
    for _ in 0..<3 {
      let entry = set.add(ActionDisposable {})
      node = entry.node
      #expect(entry.remove())
      #expect(!entry.remove())
    }
    #expect(node == nil)
    #expect(set.list.head.load() == before)
    // Beneath another child it stays as a shell for a while.
    let (entry, other) = (set.add(ActionDisposable {}), set.add(ActionDisposable {}))
    entry.remove()
    #expect(set.list.shells.load() == 1)
    other.remove()
    #expect(set.list.shells.load() == 1 && set.list.head.load() != before)
  }

  @Test("N3: a lazy list enumerated in a dispose action during deallocation retains one element at a time")
  func walkedInCleanUp() {
    let (resources, most) = (Resources(), Box(0))
    var set: CompoundDisposable? = CompoundDisposable([
      ScopedDisposable(
        ActionDisposable {
          for token in LazyList(0..<1_000).map({ _ in resources.make() }) {
            most.value = max(most.value, resources.alive)
            withExtendedLifetime(token) {}
          }
        })
    ])
    #expect(set?.isDisposed == false)
    set = nil
    #expect((most.value, resources.alive) == (1, 0))
  }

  @Test("O4: a second dispose() returns while the first one is still disposing the children")
  func secondDisposeDoesNotWait() {
    let (entered, leave) = (Door(), Door())
    let log = Box<[String]>([])
    let compound = CompoundDisposable([
      ActionDisposable {
        entered.open()
        leave.pass()
        log.value.append("first done")
      }, ActionDisposable { log.value.append("second done") },
    ])
    withThreads(2) { index in
      if index == 0 { return compound.dispose() }
      entered.pass()
      compound.dispose()
      log.value.append("returned, disposed: \(compound.isDisposed)")
      leave.open()
    }
    #expect(log.value == ["returned, disposed: true", "first done", "second done"])
  }

  @Test("O7: a child's action may add to, remove from and dispose the compound disposable")
  func reentrant() {
    let log = Box<[String]>([])
    let compound = CompoundDisposable()
    let later = Box<CompoundDisposable.Entry?>(nil)
    compound.add(
      ActionDisposable {
        log.value.append("a")
        compound.dispose()
        compound.add(ActionDisposable { log.value.append("added") })
        log.value.append("removed: \(later.value?.remove() ?? false)")
      })
    later.value = compound.add(ActionDisposable { log.value.append("b") })
    compound.dispose()
    #expect(log.value == ["a", "added", "removed: true"])
    later.value = nil
  }

  @Test("O3 O7: when adds, removals and disposal race, each child is either disposed once or removed")
  func race() {
    for _ in 0..<100 {
      let compound = CompoundDisposable()
      let disposed = Counter()
      let removed = Counter()
      withThreads(4) { index in
        if index == 0 { compound.dispose() }
        for _ in 0..<50 {
          let entry = compound.add(ActionDisposable { disposed.add() })
          if index == 1, entry.remove() { removed.add() }
        }
      }
      #expect(disposed.value + removed.value == 200)
    }
  }

  @Test("nested compound disposables are disposed depth first, in order")
  func nested() {
    let log = Box<[Int]>([])
    func action(_ number: Int) -> ActionDisposable { ActionDisposable { log.value.append(number) } }
    let inner = CompoundDisposable([action(1), CompoundDisposable([action(2)]), action(3)])
    CompoundDisposable([action(0), inner, action(4)]).dispose()
    #expect(log.value == [0, 1, 2, 3, 4])
    #expect(inner.isDisposed)
  }
}
