// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Operators right before one that has several upstreams: they are one function with what that does with a
/// value.
@Suite struct FrontChainTests {
  private typealias Numbers = Signal<Int, Oops>

  /// Operators with several upstreams, as numbers; `others` holds a value.
  private static let combining: [@Sendable (_ front: Numbers, _ others: Numbers) -> Numbers] = [
    { $0.combineLatest(with: $1).map { $0 + $1 } },
    { $1.combineLatest(with: $0).map { $0 + $1 } },
    { $1.combineLatest(with: $1, $0).map { $0 + $2 } },
    { $1.combineLatest(with: $1, $1, $0).map { $0 + $3 } },
    { Numbers.combineLatest([$0, $1]).map { $0[0] + $0[1] } },
    { $0.withLatest(from: $1).map { $0 + $1 } },
    { $0.zip(with: $1).map { $0 + $1 } },
    { $0.merge(with: $1.skip(first: 1)).map { $0 + 100 } },
    { Numbers.merge([$0, $1.skip(first: 1)]).map { $0 + 100 } },
    { Numbers.merge($1.skip(first: 1), $0, $1.skip(first: 1)).map { $0 + 100 } },
    { $0.race(with: $1.skip(first: 1)).map { $0 + 100 } },
    { $0.take(until: $1.skip(first: 1)).map { $0 + 100 } },
    { $0.concat($1).map { $0 + 100 } },
    { front, _ in front.flatMap { .just($0 + 100) } },
    { front, _ in Numbers.just(100).flatMap { base in front.map { $0 + base } } },
    { front, _ in Numbers.just(100).flatMap(.merge(limit: 2)) { base in front.map { $0 + base } } },
    { front, _ in Numbers.just(100).flatMap(.ordered(limit: 2)) { base in front.map { $0 + base } } },
    { front, _ in Numbers.just(100).flatMap(.latest) { base in front.map { $0 + base } } },
    { front, _ in Numbers.just(100).flatMap(.race) { base in front.map { $0 + base } } },
    { front, _ in front.flatMap(.latest) { .just($0 + 100) } },
  ]

  /// Sends what `source` sends, until a closure right before ends the subscription, at 2: without a terminal
  /// event.
  private func lettingGo<Failure>(_ source: Subject<Int, Failure>) -> Signal<Int, Failure> {
    let connection = source.publish()
    return connection.autoconnect().map { number in
      if number == 2 { connection.connect().dispose() }
      return number
    }
  }

  private func checkLettingGo(_ form: Int, _ front: Numbers, send: (Int) -> Void) {
    let others = CurrentValue<Int, Oops>(100)
    let recorder = Recorder(Self.combining[form](front, others.signal))
    send(1)
    #expect(recorder.events == [.next(101)])
    send(2)
    #expect(recorder.events == [.next(101)])
  }

  @Test(
    "A6: a value whose upstream is disposed by a closure right before is not delivered",
    arguments: combining.indices)
  func disposedInFront(index: Int) {
    let source = Subject<Int, Oops>()
    checkLettingGo(index, lettingGo(source)) { source.send($0) }
  }

  @Test(
    "A6: a value whose upstream a closure before setFailureType disposes is not delivered",
    arguments: combining.indices)
  func disposedBeforeSetFailureType(index: Int) {
    let source = Subject<Int, Never>()
    checkLettingGo(index, lettingGo(source).setFailureType(to: Oops.self)) { source.send($0) }
  }

  @Test(
    "A9: an error that a closure right before throws fails the run, once, and ends the other upstreams",
    arguments: combining.indices)
  func thrownInFront(index: Int) {
    let (source, others) = (Subject<Int, Oops>(), CurrentValue<Int, Oops>(100))
    let front = source.map { (number) throws(Oops) in
      if number == 2 { throw Oops(code: number) }
      return number
    }
    let recorder = Recorder(Self.combining[index](front, others.signal))
    source.send(1)
    source.send(2)
    source.send(3)
    others.send(4)
    #expect(recorder.events == [.next(101), .failed(Oops(code: 2))])
    #expect(others.subscriberCount == 0)
    #expect(source.subscriberCount == 0)
  }

  @Test("an error that a closure right before throws after it has disposed its upstream is reported, once")
  func thrownAfterDisposalInFront() async {
    await #expect(processExitsWith: .success) {
      let reported = Box<[Int]>([])
      UnhandledErrors.setHandler { reported.value.append(($0.error as? Oops)?.code ?? -1) }
      for (index, combine) in Self.combining.enumerated() {
        reported.value = []
        let (source, others) = (Subject<Int, Oops>(), CurrentValue<Int, Oops>(100))
        let connection = source.publish()
        let front = connection.autoconnect().map { (number) throws(Oops) -> Int in
          connection.connect().dispose()
          throw Oops(code: number)
        }
        let recorder = Recorder(combine(front, others.signal))
        source.send(1)
        #expect(recorder.events == [], "form \(index)")
        #expect(reported.value == [1], "form \(index)")
      }
    }
  }
}
