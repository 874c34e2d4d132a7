// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Operators that run one signal several times.
struct RepeatingTests {
  /// A signal that counts its runs, sends the number of the run, and then ends as told.
  private func runs(_ counter: Counter, end: Completion<Oops>) -> Signal<Int, Oops> {
    .deferred {
      let run = counter.add()
      return Signal<Int, Oops>.just(run).concat(
        end == .finished ? Signal.empty() : Signal.fail(Oops(code: run)))
    }
  }

  @Test("AC40: retry(upTo:) runs an always failing signal once more than told, and passes the last failure")
  func retry() {
    let count = Counter()
    let signal = runs(count, end: .failed(Oops())).retry(upTo: 2)
    #expect(Recorder(signal).events == [.next(0), .next(1), .next(2), .failed(Oops(code: 2))])
    #expect(count.value == 3)
    #expect(Recorder(signal).values == [3, 4, 5])
    #expect(Recorder(signal.retry(upTo: 0)).values == [6, 7, 8])
  }

  @Test("F6: retry passes a completion")
  func retryCompletes() {
    let count = Counter()
    #expect(Recorder(runs(count, end: .finished).retry()).events == [.next(0), .completed])
    #expect(count.value == 1)
  }

  @Test("AC38: repeat of a synchronous signal is stopped from downstream")
  func repeatTake() {
    let count = Counter()
    #expect(Recorder(runs(count, end: .finished).repeat().take(first: 1)).events == [.next(0), .completed])
    #expect(count.value == 1)
  }

  @Test("F6 AC39: repeat never completes; a failure ends it")
  func repeatFails() {
    let count = Counter()
    let signal = Signal<Int, Oops>.deferred {
      let run = count.add()
      return run < 3 ? .just(run) : .fail(Oops(code: run))
    }
    #expect(Recorder(signal.repeat()).events == [.next(0), .next(1), .next(2), .failed(Oops(code: 3))])
  }

  @Test("F2: a hundred thousand rounds of repeat and retry do not grow the stack")
  func depth() {
    let rounds = 100_000
    let count = Counter()
    #expect(Recorder(runs(count, end: .finished).repeat().take(first: rounds).count()).values == [rounds])
    #expect(
      Recorder(runs(count, end: .failed(Oops())).retry().take(first: rounds).count()).values == [rounds])
  }

  @Test("F5: disposal from inside prevents the next round")
  func disposal() {
    let count = Counter()
    let slot = SerialDisposable()
    let source = Subject<Int, Oops>()
    let signal = Signal<Int, Oops>.deferred {
      count.add()
      return source.take(first: 1)
    }
    slot.swap(signal.repeat().subscribe(next: { if $0 == 2 { slot.dispose() } }, failed: { _ in }))
    source.send(1)
    source.send(2)
    source.send(3)
    #expect(count.value == 2)
  }

  @Test("F3: rounds leave nothing behind")
  func release() {
    let resources = Resources()
    let source = Subject<Int, Oops>()
    let subscription = Signal<Int, Oops>.deferred { [token = resources.make()] in
      source.take(first: 1).doNext { [inner = resources.make()] _ in _ = (token, inner) }
    }.repeat().subscribe(failed: { _ in })
    for value in 0..<100 { source.send(value) }
    #expect(resources.alive <= 3)
    subscription.dispose()
    #expect(resources.alive == 0)
  }
}
