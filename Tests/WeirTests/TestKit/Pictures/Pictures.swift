// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir
import WeirTesting

extension Picture {
  /// All pictures of the articles.
  static let all = ofOneSource + ofSeveralSources + ofRuns + ofTime

  private static let ofOneSource: [Picture] = [
    .one("map", "map { $0 * 10 }", "-1-2--3-|") { source, _ in source.map { $0 * 10 } },
    .one("filter", "filter { $0 > 2 }", "-1-5-2-7-|") { source, _ in source.filter { $0 > 2 } },
    .one("scan", "scan(0) { $0 + $1 }", "-1-2--3-|") { source, _ in source.scan(0) { $0 + $1 } },
    .one("reduce", "reduce(0) { $0 + $1 }", "-1-2--3-|") { source, _ in source.reduce(0) { $0 + $1 } },
    .one("take", "take(first: 2)", "-1-2-3-4-|") { source, _ in source.take(first: 2) },
    .one("skip", "skip(first: 2)", "-1-2-3-4-|") { source, _ in source.skip(first: 2) },
    .one("distinct", "distinctUntilChanged()", "-1-1-2-1-|") { source, _ in source.distinctUntilChanged() },
    .one("startWith", "startWith(0)", "--1-2-|") { source, _ in source.startWith(0) },
    .one("collect", "collect(count: 2)", "-1-2-3-4-5-|", text: list) { source, _ in source.collect(count: 2)
    },
    .windows("window", "window(count: 2)", "-1-2-3-4-5-|") { source, _ in source.window(count: 2) },
  ]

  private static let ofSeveralSources: [Picture] = [
    .two("merge", "merge(with: other)", "-1--2--3-|", "--a--b-|") { $0.map { "\($0)" }.merge(with: $1) },
    .two("combineLatest", "combineLatest(with: other)", "-1---2-3-|", "--a-b---|", text: pair) {
      $0.combineLatest(with: $1)
    },
    .two("zip", "zip(with: other)", "-1-2---3-|", "--a--b-c-d", text: pair) { $0.zip(with: $1) },
    .two("withLatest", "withLatest(from: other)", "-1--2-3-|", "--a--b-", text: pair) {
      $0.withLatest(from: $1)
    },
    .two("sample", "sample(on: other)", "-1-2-3-4-|", "--a---b-c") { $0.sample(on: $1) },
    .two("race", "race(with: other)", "---1-2-|", "-a---b--c|") { $0.map { "\($0)" }.race(with: $1) },
    .two("takeUntil", "take(until: other)", "-1-2-3-4-|", "----a-") { $0.take(until: $1) },
    .flattening("flatMap", "flatMap { … }", "-1-2----|", inner: "a--b|") { $0.flatMap($1) },
    .flattening("flatMapConcat", "flatMap(.concat) { … }", "-1-2----|", inner: "a--b|") {
      $0.flatMap(.concat, $1)
    },
    .flattening("flatMapOrdered", "flatMap(.ordered(limit: 2)) { … }", "-1-2----|", inner: "a--b|") {
      $0.flatMap(.ordered(limit: 2), $1)
    },
    .flattening("switchToLatest", "map { … }.switchToLatest()", "-1-2----|", inner: "a--b|") {
      $0.map($1).switchToLatest()
    },
  ]

  private static let ofRuns: [Picture] = [
    .runs("concat", "concat(other)", ["-1-2|", "-3-4|"]) { $0[0].concat($0[1]) },
    .runs("catch", "catch { _ in other }", ["-1-2#", "-8-9|"]) { runs in
      let other = runs[1].signal
      return runs[0].catch { _ in other }
    },
    .runs("retry", "retry(upTo: 1)", ["-1-2#"]) { $0[0].retry(upTo: 1) },
    .runs("repeat", "repeat(times: 2)", ["-1-2|"]) { $0[0].repeat(times: 2) },
  ]

  private static let ofTime: [Picture] = [
    .one("sampleEvery", "sample(every: .seconds(3), on: scheduler)", "-1-2---3-4-|") { source, scheduler in
      source.sample(every: .seconds(3), on: scheduler)
    },
    .one(
      "collectWithin", "collect(within: .seconds(3), on: scheduler)", "-12----34-5|", text: list
    ) { source, scheduler in
      source.collect(within: .seconds(3), on: scheduler)
    },
    .one("delay", "delay(.seconds(2), on: scheduler)", "-1-2--3-|") { source, scheduler in
      source.delay(.seconds(2), on: scheduler)
    },
    .one("debounce", "debounce(.seconds(2), on: scheduler)", "-12---3--45-|") { source, scheduler in
      source.debounce(.seconds(2), on: scheduler)
    },
    .one(
      "rateLimit", "rateLimit(to: .seconds(3), on: scheduler, edge: .leading)", "-123--4-5--6-|"
    ) { source, scheduler in
      source.rateLimit(to: .seconds(3), on: scheduler, edge: .leading)
    },
    .one("timeout", "timeout(.idle(.seconds(3)), on: scheduler, failing: late)", "-1-2-----3-|") {
      source, scheduler in
      source.timeout(.idle(.seconds(3)), on: scheduler, failing: TestFailure())
    },
  ]
}

private let list: @Sendable ([Int]) -> String = { $0.map { "\($0)" }.joined(separator: ",") }
private let pair: @Sendable ((Int, String)) -> String = { "\($0.0)\($0.1)" }
