// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// In which order something ends that is released deep inside of other releases, where ends are put off.
struct ReleaseOrderTests {
  private let log = Box<[String]>([])

  private func note(_ entry: String) -> @Sendable () -> Void {
    { [log] in log.value.append(entry) }
  }

  /// Lets go of what `make` returns inside of the releases of so many sources.
  private func release(inside depth: Int, _ make: () -> any Sendable) {
    var holder = make()
    for _ in 0..<depth {
      let subject = Subject<Int, Never>()
      subject.subscribe { [holder] _ in withExtendedLifetime(holder) {} }
      holder = subject
    }
    #expect(log.value == [])
    withExtendedLifetime(holder) {}
  }

  @Test(
    "of several disposed closures the last one written is called first where a run is released, however deep",
    arguments: 0...12)
  func closures(depth: Int) {
    release(inside: depth) {
      Signal<Int, Never>.never().on(disposed: note("first written")).on(disposed: note("last written"))
        .subscribe()
    }
    #expect(log.value == ["last written", "first written"])
  }

  @Test("scopes of a set that is released, however deep, dispose in the order of the set", arguments: 0...12)
  func scopes(depth: Int) {
    release(inside: depth) {
      CompoundDisposable(["1", "2", "3"].map { ScopedDisposable(ActionDisposable(note($0))) })
    }
    #expect(log.value == ["1", "2", "3"])
  }

  @Test(
    "scopes that are released one after the other, however deep, dispose in that order", arguments: 0...12)
  func oneAfterTheOther(depth: Int) {
    release(inside: depth) { ["1", "2", "3"].map { ScopedDisposable(ActionDisposable(note($0))) } }
    #expect(log.value == ["1", "2", "3"])
  }

  @Test(
    "an observer that is released, however deep, ends what it has adopted before the run that it feeds",
    arguments: 0...12)
  func observer(depth: Int) {
    release(inside: depth) {
      let (held, feeding) = (Held<Never>(nil), Subscription())
      feeding.add(ActionDisposable(note("adopted")))
      Signal<Int, Never>.create { observer in
        observer.adopt(feeding)
        held.value = observer
        return nil
      }.on(disposed: note("run")).subscribe()
      return held
    }
    #expect(log.value == ["adopted", "run"])
  }

  @Test(
    "what ends with the source of an operator does in the same order, however deep that is released",
    arguments: OperatorCase.following)
  func source(following: OperatorCase) {
    let orders = (0...12).map { depth in
      log.value = []
      release(inside: depth) {
        let held = Held<Oops>(nil)
        let source = Signal<Int, Oops>.create { observer in
          held.value = observer
          return nil
        }
        following.apply(source.on(disposed: note("source"))).on(disposed: note("run"))
          .subscribe(failed: { _ in })
        held.value?.send(1)
        return held
      }
      return log.value
    }
    #expect(Set(orders).count == 1 && orders[0].count == 2)
  }
}
