// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

/// Lifetimes of objects.
struct LifetimeTokenTests {
  /// An object that ends its lifetime in `deinit`, while its stored properties are still alive.
  private final class Session: HasLifetime, Sendable {
    let lifetime = Lifetime()
    let resource: Resources.Resource
    init(_ resources: Resources) { resource = resources.make() }
    deinit { lifetime.end() }
  }

  @Test(
    "P7: ended sends no values, completes once when the lifetime ends, and completes at once for late subscribers"
  )
  func ended() {
    let lifetime = Lifetime()
    let early = Recorder(lifetime.ended)
    #expect(early.events.isEmpty && !lifetime.isEnded)
    lifetime.end()
    lifetime.end()
    #expect(early.events.count == 1 && early.completion == .completed && lifetime.isEnded)
    #expect(Recorder(lifetime.ended).completion == .completed)
  }

  @Test(
    "P7: a lifetime ends when its object is deallocated; subscribers and added disposables do not delay that")
  func release() {
    let resources = Resources()
    var session: Session? = Session(resources)
    let ended = session?.lifetime.ended
    let completions = Counter()
    _ = ended?.subscribe(completed: { completions.add() })
    let disposable = ActionDisposable {}
    session?.lifetime.add(disposable)
    #expect(completions.value == 0 && !disposable.isDisposed && resources.alive == 1)
    session = nil
    #expect(completions.value == 1 && disposable.isDisposed && resources.alive == 0)
    _ = ended?.subscribe(completed: { completions.add() })
    #expect(completions.value == 2)
  }

  @Test("a lifetime that is released without end() ends too")
  func onlyReleased() {
    var lifetime: Lifetime? = Lifetime()
    let recorder = lifetime.map { Recorder($0.ended) }
    let subscription = Subject<Int, Never>().subscribe()
    lifetime?.adopt(subscription)
    lifetime = nil
    #expect(recorder?.completion == .completed && subscription.isDisposed)
  }

  @Test("P7: an object's stored properties are still alive when its lifetime ends")
  func usable() {
    let resources = Resources()
    let alive = Counter()
    do {
      let session = Session(resources)
      _ = session.lifetime.ended.subscribe(completed: { alive.add(resources.alive) })
    }
    #expect(alive.value == 1 && resources.alive == 0)
  }

  @Test(
    "P7: a run that a lifetime completes and then disposes gets the completion, and what it sends for that")
  func adoptedAfterwards() {
    let (lifetime, source, log) = (Lifetime(), Subject<Int, Never>(), Box<[String]>([]))
    lifetime.adopt(lifetime.ended.subscribe(completed: { log.value.append("ended") }))
    lifetime.adopt(source.take(during: lifetime).collect().subscribe { log.value.append("\($0)") })
    source.send(1)
    lifetime.end()
    #expect(log.value == ["ended", "[1]"])
  }

  @Test("completions and disposals run in the order in which they were added")
  func order() {
    let lifetime = Lifetime()
    let log = Box<[Int]>([])
    lifetime.add(ActionDisposable { log.value.append(1) })
    _ = lifetime.ended.subscribe(completed: { log.value.append(2) })
    lifetime.add(ActionDisposable { log.value.append(3) })
    lifetime.end()
    lifetime.add(ActionDisposable { log.value.append(4) })
    #expect(log.value == [1, 2, 3, 4])
  }

  @Test("a disposed subscriber to ended does not receive completion, and is released at once")
  func disposal() {
    let (lifetime, resources) = (Lifetime(), Resources())
    let completions = Counter()
    let subscription = lifetime.ended.subscribe(completed: { [token = resources.make()] in
      completions.add()
      _ = token
    })
    #expect(resources.alive == 1)
    subscription.dispose()
    #expect(resources.alive == 0)
    lifetime.end()
    #expect(completions.value == 0)
  }

  @Test("memory stays constant over many subscriptions that end before the lifetime")
  func noGrowth() async {
    await #expect(processExitsWith: .success) {
      let lifetime = Lifetime()
      let source = Subject<Int, Never>()
      let growth = allocatedGrowth {
        source.take(during: lifetime).subscribe().dispose()
        lifetime.ended.subscribe().dispose()
      }
      #expect(growth < spareMemory)
    }
  }

  @Test("a lifetime forgets each run of take(during:) when that ends, also if another run follows")
  func forgetsRepeatedRuns() {
    let (lifetime, following) = (Lifetime(), Subject<Int, Never>())
    let repeated = Signal<Int, Never>.just(1).take(during: lifetime).repeat(times: 200)
    let run = repeated.concat(following).subscribe()
    #expect(!run.isDisposed)
    #expect(lifetime.ending.list.nodes < 40)
    run.dispose()
  }

  @Test(
    "a subscription that ends before the lifetime is released, whether added or adopted",
    arguments: [false, true])
  func endedEarlier(isAdopted: Bool) {
    struct Weak { weak var subscription: Subscription? }
    let lifetime = Lifetime()
    let ended = (0..<1_000).map { _ in
      let subscription = Subscription()
      if isAdopted { lifetime.adopt(subscription) } else { lifetime.add(subscription) }
      subscription.dispose()
      return Weak(subscription: subscription)
    }
    // Ended ones are removed in batches, so some of the last are still there.
    #expect(ended.count { $0.subscription != nil } < 100)
    let subscription = Subscription()
    lifetime.add(subscription)
    lifetime.end()
    #expect(subscription.isDisposed)
  }

  @Test("take(during:) completes when the lifetime ends, and does not run the signal after that")
  func takeDuring() {
    let lifetime = Lifetime()
    let source = Subject<Int, Oops>()
    let recorder = Recorder(source.take(during: lifetime))
    source.send(1)
    lifetime.end()
    source.send(2)
    #expect(recorder.events == [.next(1), .completed])
    let runs = Counter()
    let late = Recorder(Signal<Int, Oops>.just(1).initially { runs.add() }.take(during: lifetime))
    #expect(late.events == [.completed] && runs.value == 0)
  }

  @Test("take(during:) ends without an event when the source is released, and then ignores the lifetime")
  func takeDuringOfReleased() {
    let lifetime = Lifetime()
    var source: Subject<Int, Oops>? = Subject()
    let recorder = source.map { Recorder($0.take(during: lifetime)) }
    source = nil
    #expect(recorder?.subscription.isDisposed == true)
    lifetime.end()
    #expect(recorder?.events == [])
  }
}
