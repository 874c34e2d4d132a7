// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc
import Weir
import WeirTesting

/// One subscriber of several upstreams, which end in each way: completion, failure, disposal, or release.
struct Combining: Load {
  private struct Failed: Error {}

  func turn(_ number: Int, _ tally: Tally) {
    let sources = (0..<3).map { _ in Subject<Int, any Error>() }
    let token = tally.resources.make()
    let signals = [
      sources[0].merge(with: sources[1], sources[2]).map { _ in 1 },
      sources[0].zip(with: sources[1], waiting: .bounded(8, onOverflow: .dropOldest)).map { _ in 1 },
      sources[0].combineLatest(with: sources[2]).map { _ in 1 },
      sources[1].withLatest(from: sources[2]).map { _ in 1 },
      sources[0].collect(count: 16).map(\.count),
    ]
    let subscriptions = signals.map { signal in
      signal.subscribe(next: { _ in _ = token }, failed: { _ in _ = token })
    }
    for value in 0..<60 { sources[value % 3].send(value) }
    // The first source is ahead, so the values that wait for a partner in the zip overflow.
    for value in 0..<20 { sources[0].send(value) }
    switch number % 4 {
    case 0: for source in sources { source.complete() }
    case 1: for source in sources { source.fail(Failed()) }
    case 2: for subscription in subscriptions { subscription.dispose() }
    default: break
    }
    tally.events.add(80)
  }
}

/// Signals of signals: flattened with each strategy, grouped, divided into windows, and retried.
struct Switching: Load {
  func turn(_ number: Int, _ tally: Tally) {
    let source = Subject<Int, Never>()
    let token = tally.resources.make()
    let inner: @Sendable (Int) -> Signal<Int, Never> = { value in
      let kept = token
      return Signal<Int, Never>([value, value]).doNext { _ in _ = kept }
    }
    let subscriptions = [
      source.flatMap(inner).subscribe { _ in },
      source.flatMap(.latest, inner).subscribe { _ in },
      source.flatMap(.concat, inner).subscribe { _ in },
      source.flatMap(.concat(waiting: .bounded(4, onOverflow: .dropNewest))) { _ in Signal<Int, Never>.never()
      }
      .subscribe { _ in },
      source.group(by: { $0 % 5 }).flatMap { $0.signal }.subscribe { _ in _ = token },
      source.window(count: 7).flatten().subscribe { _ in _ = token },
    ]
    for value in 0..<30 { source.send(value) }
    if number % 2 == 0 { source.complete() }
    for subscription in subscriptions { subscription.dispose() }
    tally.events.add(30)
  }
}

/// One run of a source for many subscribers, who come and go on all threads.
struct Shared: Load {
  private let source: Subject<Int, Never>
  private let shared: Signal<Int, Never>
  private let history: Signal<Int, Never>

  init() {
    let source = Subject<Int, Never>()
    self.source = source
    shared = source.share()
    history = source.share(replay: 8)
  }

  func turn(_ number: Int, _ tally: Tally) {
    let token = tally.resources.make()
    let seen = Counter()
    // Subscribes to the source itself: a subscriber that joins a shared run while another thread is
    // connecting it may miss what is sent until it is connected.
    let own = source.subscribe { value in if value == number { seen.add() } }
    let subscriptions = [
      shared.subscribe { _ in _ = token }, history.take(first: 4).subscribe { _ in _ = token },
      history.subscribe { _ in _ = token },
    ]
    for _ in 0..<20 { source.send(number) }
    while seen.value < 20 { sched_yield() }
    for subscription in subscriptions { subscription.dispose() }
    own.dispose()
    tally.events.add(20)
  }
}
