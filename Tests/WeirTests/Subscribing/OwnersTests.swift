// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What becomes of the terminal event of a run if a clean-up of it ends what holds the run. Disposing an
/// owner says that nothing more is wanted; that a source ends, or lets go, does not.
struct OwnersTests {
  private let source = Subject<Int, Oops>()
  private let log = Box<[String]>([])

  /// A run of the source that logs its completion; the clean-up comes before it.
  private func run(cleanUp: @escaping @Sendable () -> Void) -> Subscription {
    source.on(disposed: cleanUp).subscribe(
      failed: { _ in }, completed: { [log] in log.value.append("completed") })
  }

  @Test("a run gets its completion although a clean-up of it ends the source that has adopted it")
  func endedSources() {
    let (subject, replaying) = (Subject<Int, Never>(), ReplaySubject<Int, Never>(capacity: 1))
    let (current, single) = (CurrentValue<Int, Never>(0), UnserializedSubject<Int, Never>())
    let observer = Box<Observer<Int, Never>?>(nil)
    Signal<Int, Never>.create {
      observer.value = $0
      return nil
    }.subscribe { _ in }
    let channel = TwoWayChannel<Int, Never>()
    subject.adopt(run { subject.complete() })
    replaying.adopt(run { replaying.complete() })
    current.adopt(run { current.complete() })
    single.adopt(run { single.complete() })
    observer.value?.adopt(run { observer.value?.complete() })
    channel.leading.adopt(run { channel.leading.complete() })
    source.complete()
    #expect(log.value == Array(repeating: "completed", count: 6))
  }

  @Test("a run gets its completion although a clean-up of it releases the source that has adopted it")
  func releasedSources() {
    let subject = Box<Subject<Int, Never>?>(Subject())
    let replaying = Box<ReplaySubject<Int, Never>?>(ReplaySubject(capacity: 1))
    let single = Box<UnserializedSubject<Int, Never>?>(UnserializedSubject())
    let channel = Box<TwoWayChannel<Int, Never>?>(TwoWayChannel())
    subject.value?.adopt(run { subject.value = nil })
    replaying.value?.adopt(run { replaying.value = nil })
    single.value?.adopt(run { single.value = nil })
    channel.value?.leading.adopt(run { channel.value = nil })
    source.complete()
    #expect(log.value == Array(repeating: "completed", count: 4))
  }

  @Test("a run that a clean-up adopts into a source that has ended gets its completion")
  func adoptedLate() {
    let (ended, other) = (Subject<Int, Never>(), Subject<Int, Never>())
    ended.complete()
    other.adopt(Subscription())
    other.complete()
    for target in [ended, other] {
      let late = Box<Subscription?>(nil)
      late.value = run { late.value.map { target.adopt($0) } }
    }
    source.complete()
    #expect(log.value == ["completed", "completed"])
  }

  /// Owners that are disposed, and how they adopt a run.
  private static let owners: [@Sendable (Subscription) -> @Sendable () -> Void] = [
    { run in
      let owner = Subscription()
      owner.adopt(run)
      return { owner.dispose() }
    },
    { run in
      let (first, second) = (Subscription(), Subscription())
      first.adopt(run)
      second.adopt(run)
      return { withExtendedLifetime(first) { second.dispose() } }
    },
    { run in
      let owner = Lifetime()
      owner.adopt(run)
      return { owner.end() }
    },
    { run in
      let owner = CompoundDisposable([run])
      return { owner.dispose() }
    },
  ]

  @Test(
    "a run does not get its completion if a clean-up of it disposes an owner, whichever was added first",
    arguments: 0..<4)
  func disposedOwners(way: Int) {
    let ending = Box<(@Sendable () -> Void)?>(nil)
    let early = run { ending.value?() }
    ending.value = Self.owners[way](early)
    let late = run {}
    let endLate = Self.owners[way](late)
    late.add(ActionDisposable(endLate))
    source.complete()
    #expect(log.value.isEmpty)
  }

  @Test("a run does not get its completion if a clean-up gives it to an owner that was disposed before")
  func disposedBefore() {
    let (owner, lifetime, set) = (Subscription(), Lifetime(), CompoundDisposable())
    owner.dispose()
    lifetime.end()
    set.dispose()
    let runs = (0..<3).map { _ in Box<Subscription?>(nil) }
    runs[0].value = run { runs[0].value.map { owner.adopt($0) } }
    runs[1].value = run { runs[1].value.map { lifetime.adopt($0) } }
    runs[2].value = run { runs[2].value.map { _ = set.add($0) } }
    source.complete()
    #expect(log.value == ["completed"])
  }

  @Test("a run does not get its completion if a clean-up disposes an owner that has swept its list meanwhile")
  func sweptOwner() {
    let owner = Subscription()
    let adopted = run {
      for _ in 0..<100 {
        let child = Subscription()
        owner.adopt(child)
        child.dispose()
      }
      owner.dispose()
    }
    owner.adopt(adopted)
    source.complete()
    #expect(log.value.isEmpty)
  }
}
