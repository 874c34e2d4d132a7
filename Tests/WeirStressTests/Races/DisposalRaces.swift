// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

extension Stress.Races {
  @Suite struct Disposal {
    @Test("O3 O4: a disposable added concurrently with dispose is disposed once")
    func addDispose() {
      expectRace(
        setup: { (set: CompoundDisposable(), disposals: Counter()) },
        [
          { it in it.set.add(ActionDisposable { it.disposals.add() }) },
          { it in it.set.dispose() },
        ],
        outcome: { it in "disposed \(it.disposals.value) times" },
        allowed: ["disposed 1 times": "added first, it is disposed with the set; added later, at once"])
    }

    @Test("O3: two disposables added concurrently with dispose are both disposed")
    func addAddDispose() {
      expectRace(
        setup: { (set: CompoundDisposable(), disposals: Counter()) },
        [
          { it in it.set.add(ActionDisposable { it.disposals.add() }) },
          { it in it.set.add(ActionDisposable { it.disposals.add() }) },
          { it in it.set.dispose() },
        ],
        outcome: { it in "disposed \(it.disposals.value)" },
        allowed: ["disposed 2": "each is disposed with the set, or at once"])
    }

    @Test("O1 O4: concurrent dispose calls run the action once, and one of them may return before it has run")
    func disposeDispose() {
      expectRace(
        setup: { () -> (set: CompoundDisposable, runs: Counter, seen: Counter) in
          let runs = Counter()
          return (CompoundDisposable([ActionDisposable { runs.add() }]), runs, Counter())
        },
        Array(
          repeating: { it in
            it.set.dispose()
            it.seen.add(it.runs.value)
          }, count: 2),
        outcome: { it in "run \(it.runs.value), seen by \(it.seen.value)" },
        allowed: [
          "run 1, seen by 2": "one of them came when the other was through",
          "run 1, seen by 1": "the second does not wait for the first, which always has run it",
        ])
    }

    @Test("O3: a disposable removed concurrently with dispose is either removed or disposed")
    func removeDispose() {
      expectRace(
        setup: {
          () -> (set: CompoundDisposable, entry: CompoundDisposable.Entry, log: Place<Bool>, runs: Counter) in
          let (set, runs) = (CompoundDisposable(), Counter())
          return (set, set.add(ActionDisposable { runs.add() }), Place(), runs)
        },
        [{ it in it.log.put(it.entry.remove()) }, { it in it.set.dispose() }],
        outcome: { it in "\(it.log.value == true ? "taken out" : "too late"), disposed \(it.runs.value)" },
        allowed: [
          "taken out, disposed 0": "taken out first: it is the caller's again",
          "too late, disposed 1": "disposed first",
        ])
    }

    /// A serial disposable that holds `old`; `new` and `newer` are put into it in the race.
    private final class Slot: Sendable {
      let old = ActionDisposable {}
      let (new, newer) = (ActionDisposable {}, ActionDisposable {})
      let serial: SerialDisposable
      let (answer, otherAnswer) = (Place<String>("nobody asked"), Place<String>("nobody asked"))
      init() { serial = SerialDisposable(old) }

      func name(_ disposable: (any Disposable)?) -> String {
        disposable === old ? "old" : disposable === new ? "new" : disposable === newer ? "newer" : "nil"
      }
      var disposed: String {
        [old, new, newer].filter(\.isDisposed).map(name).joined(separator: " ")
      }
    }

    @Test(
      "O5: a swap concurrent with dispose leads to disposal of the new disposable; the old one is returned or disposed"
    )
    func swapDispose() {
      expectRace(
        setup: { Slot() },
        [{ it in it.answer.put(it.name(it.serial.swap(it.new))) }, { it in it.serial.dispose() }],
        outcome: { it in "answered \(it.answer.value ?? ""); disposed \(it.disposed)" },
        allowed: [
          "answered old; disposed new":
            "swapped first: the old one is the caller's, the new one was in the slot",
          "answered nil; disposed old new": "disposed first: the old one with the slot, the new one at once",
        ])
    }

    @Test("O5: two swaps concurrent with dispose return each disposable to one caller or leave it disposed")
    func swapSwapDispose() {
      expectRace(
        setup: { Slot() },
        [
          { it in it.answer.put(it.name(it.serial.swap(it.new))) },
          { it in it.otherAnswer.put(it.name(it.serial.swap(it.newer))) },
          { it in it.serial.dispose() },
        ],
        outcome: { it in
          "answered \(it.answer.value ?? "") and \(it.otherAnswer.value ?? ""); disposed \(it.disposed)"
        },
        allowed: [
          "answered old and new; disposed newer": "new, newer, dispose",
          "answered newer and old; disposed new": "newer, new, dispose",
          "answered old and nil; disposed new newer": "new, dispose, newer",
          "answered nil and old; disposed new newer": "newer, dispose, new",
          "answered nil and nil; disposed old new newer": "dispose came first",
        ])
    }

    @Test("O6: a read concurrent with swap and dispose returns a disposable that was held, or nil")
    func readSwapDispose() {
      expectRace(
        setup: { Slot() },
        [
          { it in it.answer.put(it.name(it.serial.disposable)) },
          { it in _ = it.serial.swap(it.new) },
          { it in it.serial.dispose() },
        ],
        outcome: { it in "read \(it.answer.value ?? "")" },
        allowed: [
          "read old": "read first",
          "read new": "read between swap and dispose",
          "read nil": "read after dispose",
        ])
    }

    @Test("O2: the last release of a scoped disposable and a concurrent dispose dispose its content once")
    func scoped() {
      expectRace(
        setup: { () -> (inner: ActionDisposable, scope: Place<ScopedDisposable>, runs: Counter) in
          let runs = Counter()
          let inner = ActionDisposable { runs.add() }
          return (inner, Place(ScopedDisposable(inner)), runs)
        },
        [{ it in it.scope.empty() }, { it in it.inner.dispose() }],
        outcome: { it in "disposed \(it.runs.value) times" },
        allowed: ["disposed 1 times": "whoever comes first disposes it"])
    }
  }
}
