// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// The code of Recipes.md that watches the other side: services that fail, devices that fall silent.
extension Recipes {
  final class Breaker: Sendable {
    enum Phase: Sendable { case closed, open, halfOpen, trying }
    struct State: Sendable {
      var phase = Phase.closed
      var (failures, changes) = (0, 0)

      mutating func enter(_ phase: Phase) {
        (self.phase, failures, changes) = (phase, 0, changes + 1)
      }
    }
    enum End { case completed, failed, disposed }
    struct IsOpen: Error {}

    let state = MutableProperty(State())
    private let scheduler: any TimedScheduler

    init(on scheduler: any TimedScheduler) { self.scheduler = scheduler }

    func guarding<Value>(_ request: Signal<Value, any Error>) -> Signal<Value, any Error> {
      .deferred { [self] in
        guard let ticket = admit() else { return .fail(IsOpen()) }
        return
          request
          .doCompleted { self.ended(.completed, ticket) }
          .doFailed { _ in self.ended(.failed, ticket) }
          .on(disposed: { self.ended(.disposed, ticket) })
      }
    }

    private func admit() -> Int? {
      state.modify { state in
        if state.phase == .halfOpen { state.enter(.trying) } else if state.phase != .closed { return nil }
        return state.changes
      }
    }

    private func ended(_ end: End, _ ticket: Int) {
      let opens = state.modify { state in
        guard state.changes == ticket else { return false }
        switch end {
        case .completed where state.phase == .trying: state.enter(.closed)
        case .completed: state.failures = 0
        case .failed where state.phase == .trying || state.failures == 4: state.enter(.open)
        case .failed: state.failures += 1
        case .disposed where state.phase == .trying: state.enter(.halfOpen)
        case .disposed: break
        }
        return state.phase == .open
      }
      if opens {
        scheduler.schedule(after: .seconds(10)) { [state] in state.modify { $0.enter(.halfOpen) } }
      }
    }
  }

  func cachedIfWanted(
    _ request: Signal<Quote, any Error>, on scheduler: some TimedScheduler
  ) -> Signal<Quote, any Error> {
    let known = MutableProperty<Quote?>(nil)
    let shared =
      request
      .doNext { quote in
        known.value = quote
        scheduler.schedule(after: .seconds(30)) { known.value = nil }
      }
      .share(replay: 1)
      .take(first: 1)
    return .deferred { known.value.map { .just($0) } ?? shared }
  }

  func isOnline(
    _ readings: Signal<Reading, Never>, on scheduler: some TimedScheduler
  ) -> Signal<Bool, Never> {
    readings
      .map { _ in [true, false] }
      .joined()
      .debounce(.seconds(30), on: scheduler, where: { isOnline in !isOnline })
      .distinctUntilChanged()
  }

  func keepingAlive<Frame: Sendable, Failure>(
    _ frames: Signal<Frame, Failure>, with ping: Frame, every time: Duration,
    on scheduler: some TimedScheduler
  ) -> Signal<Frame, Failure> {
    .deferred {
      let sent = Subject<Void, Never>()
      let pings = sent.startWith(()).flatMap(.latest) {
        Signal.ticks(every: time, on: scheduler).take(until: sent.ignoreValues())
      }
      return
        frames
        .doNext { _ in sent.send() }
        .on(disposed: { sent.complete() })
        .merge(with: pings.mapReplace(ping))
    }
  }

  func alarm(
    _ isTooHigh: Signal<Bool, Never>, on scheduler: some TimedScheduler
  ) -> Signal<Bool, Never> {
    isTooHigh
      .append(false)
      .distinctUntilChanged()
      .debounce(.seconds(5), on: scheduler, where: { isTooHigh in isTooHigh })
      .startWith(false)
      .distinctUntilChanged()
  }

  func peak(
    of samples: Signal<Double, Never>, within span: Duration, on scheduler: some TimedScheduler
  ) -> Signal<Double?, Never> {
    let shared = samples.share(connecting: .atSubscribers(2))
    return shared.map { (sample: $0, isNew: true) }
      .merge(with: shared.delay(span, on: scheduler).map { (sample: $0, isNew: false) })
      .scan(into: [Double]()) { candidates, change in
        if change.isNew {
          while let last = candidates.last, last < change.sample { candidates.removeLast() }
          candidates.append(change.sample)
        } else if candidates.first == change.sample {
          candidates.removeFirst()
        }
      }
      .map(\.first)
      .distinctUntilChanged()
  }
}
