// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

private typealias Numbers = Signal<Int, Oops>
private let rounds = manyRounds

/// Rounds do not grow the stack; nested operators do, by a known amount. Each test runs in a process of its
/// own: a stack overflow would end all tests.
struct RecursionTests {
  @Test("C9: concat of a hundred thousand signals runs on a small stack")
  func concat() async {
    await #expect(processExitsWith: .success) {
      withSmallStack {
        let signals = [Numbers](repeating: .just(1), count: rounds)
        #expect(Recorder(Numbers.concat(signals).count()).values == [rounds])
      }
    }
  }

  @Test(
    "flatMap handles a hundred thousand values, each sent during the delivery before it, on a small stack")
  func flatMap() async {
    await #expect(processExitsWith: .success) {
      withSmallStack {
        let source = Subject<Int, Oops>()
        let count = Counter()
        source.flatMap { Numbers.just($0) }.subscribe(
          next: { value in
            count.add()
            if value < rounds { source.send(value + 1) }
          }, failed: { _ in })
        source.send(1)
        #expect(count.value == rounds)
      }
    }
  }

  @Test(
    "switchToLatest switches a hundred thousand times, nested and from a synchronous source, on a small stack"
  )
  func switchToLatest() async {
    await #expect(processExitsWith: .success) {
      withSmallStack {
        let source = Subject<Int, Oops>()
        let count = Counter()
        source.map { Numbers.just($0) }.switchToLatest().subscribe(
          next: { value in
            count.add()
            if value < rounds { source.send(value + 1) }
          }, failed: { _ in })
        source.send(1)
        #expect(count.value == rounds)
        let synchronous = Numbers(0..<rounds).map { Numbers.just($0) }.switchToLatest()
        #expect(Recorder(synchronous.count()).values == [rounds])
      }
    }
  }

  @Test(
    "F2: repeat and retry of various operators run ten thousand rounds on a small stack")
  func again() async {
    await #expect(processExitsWith: .success) {
      withSmallStack {
        let one = Numbers.just(1)
        let operators: [@Sendable (Numbers) -> Numbers] = [
          { $0 },
          { $0.startWith(1) },
          { $0.flatMap { .just($0) } },
          { Numbers.fail(Oops()).catchTo($0) },
          { source in Numbers.empty().then { source } },
          { Numbers.empty().switchIfEmpty($0) },
          { Signal<Numbers, Oops>.just($0).switchToLatest() },
          { $0.repeat().take(first: 1) },
        ]
        for apply in operators {
          #expect(Recorder(apply(one).repeat().take(first: roundsOfEach).count()).values == [roundsOfEach])
          let attempts = Counter()
          let failing = Numbers.deferred { attempts.add() < roundsOfEach ? .fail(Oops()) : one }
          #expect(Recorder(apply(failing).retry().ignoreValues()).events == [.completed])
          #expect(attempts.value == roundsOfEach + 1)
        }
      }
    }
  }

  @Test("five hundred nested operators of one kind fit the 8 MiB stack of a usual thread in a debug build")
  func nested() async {
    await #expect(processExitsWith: .success) {
      withSmallStack(kibibytes: 8 * 1024) {
        @Sendable func thens(_ depth: Int) -> Numbers {
          depth == 0 ? .just(1) : Numbers.empty().then { thens(depth - 1) }
        }
        @Sendable func catches(_ depth: Int) -> Numbers {
          depth == 0 ? .just(1) : Numbers.fail(Oops()).catch { _ in catches(depth - 1) }
        }
        @Sendable func flatMaps(_ depth: Int) -> Numbers {
          depth == 0 ? .just(1) : Numbers.just(1).flatMap { _ in flatMaps(depth - 1) }
        }
        let depth = 500
        var chains = [thens(depth), catches(depth), flatMaps(depth)]
        chains.append((0..<depth).reduce(Numbers.just(1)) { chain, _ in chain.concat(Numbers.empty()) })
        chains.append(
          (0..<depth).reduce(Numbers.just(1)) { chain, _ in Numbers.empty().switchIfEmpty(chain) })
        for chain in chains { #expect(Recorder(chain).events == [.next(1), .completed]) }
        let long = (0..<depth).reduce(Numbers.just(0)) { $0.startWith($1) }
        #expect(Recorder(long.count()).values == [depth + 1])
      }
    }
  }
}
