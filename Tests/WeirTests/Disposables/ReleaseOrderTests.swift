// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir

/// The order in which things end that are released deep inside other releases, where ends are deferred.
struct ReleaseOrderTests {
  private let log = Box<[String]>([])

  private func note(_ entry: String) -> @Sendable () -> Void {
    { [log] in log.value.append(entry) }
  }

  /// Releases what `make` returns inside the nested releases of `depth` subjects.
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
    "releasing a run calls its on(disposed:) closures in reverse order, at any depth of nested releases",
    arguments: 0...12)
  func closures(depth: Int) {
    release(inside: depth) {
      Signal<Int, Never>.never().on(disposed: note("first written")).on(disposed: note("last written"))
        .subscribe()
    }
    #expect(log.value == ["last written", "first written"])
  }

  @Test(
    "scoped children of a released compound disposable dispose in order, at any depth of nested releases",
    arguments: 0...12)
  func scopes(depth: Int) {
    release(inside: depth) {
      CompoundDisposable(["1", "2", "3"].map { ScopedDisposable(ActionDisposable(note($0))) })
    }
    #expect(log.value == ["1", "2", "3"])
  }

  @Test(
    "scoped disposables dispose in the order of their release, at any depth of nested releases",
    arguments: 0...12)
  func oneAfterTheOther(depth: Int) {
    release(inside: depth) { ["1", "2", "3"].map { ScopedDisposable(ActionDisposable(note($0))) } }
    #expect(log.value == ["1", "2", "3"])
  }

  @Test(
    "a released observer ends what it adopted before its own run, at any depth of nested releases",
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
    "source and run of an operator are cleaned up in the same order at any depth of nested releases",
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
