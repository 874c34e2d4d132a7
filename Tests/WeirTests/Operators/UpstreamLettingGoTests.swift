// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// One of several upstreams lets go without a terminal event while another one goes on.
struct UpstreamLettingGoTests {
  private typealias Numbers = Signal<Int, Oops>

  /// Operators, given the signal that lets go and one that goes on; each in every place that a signal has.
  private static let operators: [String: @Sendable (Numbers, Numbers) -> Numbers] = [
    "merge": { $0.merge(with: $1) }, "merge, second": { $1.merge(with: $0) },
    "combineLatest": { $0.combineLatest(with: $1).map { $0 + $1 } },
    "combineLatest, second": { $1.combineLatest(with: $0).map { $0 + $1 } },
    "combineLatest of 4": { Numbers.combineLatest([$1, $1, $1, $0]).map { $0.count } },
    "zip": { $0.zip(with: $1).map { $0 + $1 } }, "zip, second": { $1.zip(with: $0).map { $0 + $1 } },
    "withLatest": { $1.withLatest(from: $0).map { $0 + $1 } },
    "sample": { $0.sample(on: $1) }, "sample, sampler": { $1.sample(on: $0) },
    "take(until:)": { $1.take(until: $0) }, "skip(until:)": { $1.skip(until: $0) },
    "take(untilReplacement:)": { $1.take(untilReplacement: $0) },
    "take(untilReplacement:), source": { $0.take(untilReplacement: $1.filter { $0 > 1 }) },
    "race": { $0.race(with: $1) }, "race, second": { $1.race(with: $0) },
    "flatMap, source": { first, second in first.startWith(0).flatMap { _ in second } },
    "flatMap": { first, second in second.flatMap { _ in first } },
    "flatMap(.merge(limit:)), source": { first, second in
      first.startWith(0).flatMap(.merge(limit: 2)) { _ in second }
    },
    "flatMap(.merge(limit:))": { first, second in second.flatMap(.merge(limit: 2)) { _ in first } },
    "flatMap(.ordered(limit:))": { first, second in second.flatMap(.ordered(limit: 2)) { _ in first } },
    "flatMap(.concat)": { first, second in second.flatMap(.concat) { _ in first } },
    "flatMap(.first)": { first, second in second.flatMap(.first) { _ in first } },
    "flatMap(.race)": { first, second in second.flatMap(.race) { _ in first } },
    "flatMap(.latest)": { first, second in second.flatMap(.latest) { _ in first } },
    "switchToLatest": { first, second in second.map { _ in first }.switchToLatest() },
  ]

  @Test(
    "contract 7: an upstream that lets go is cleaned up at once, while others go on",
    arguments: operators.keys.sorted())
  func cleanedUp(name: String) throws {
    let combine = try #require(Self.operators[name])
    let (live, cleanUps, ends) = (Subject<Int, Oops>(), Counter(), Counter())
    let lettingGo = Numbers.never().on(disposed: { cleanUps.add() })
    let subscription = combine(lettingGo, live.signal).on(disposed: { ends.add() }).subscribe(failed: { _ in }
    )
    live.send(1)
    #expect(cleanUps.value == 1)
    #expect(ends.value == 0 && live.subscriberCount > 0)
    subscription.dispose()
    #expect(cleanUps.value == 1 && ends.value == 1 && live.subscriberCount == 0)
  }
}
