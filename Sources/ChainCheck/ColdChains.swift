// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

private typealias Numbers = Signal<Int, Broken>

/// Fails at 3.
@Sendable
private func breaking(_ value: Int) throws(Broken) -> Int {
  if value == 3 { throw Broken(code: 3) }
  return value
}

extension ChainCase {
  /// Sources that send all events before `subscribe` returns: they and their operators are compiled into
  /// loops.
  static let cold = [
    ChainCase("map, filter, map", all(3, 5)) {
      Numbers([1, 2, 3, 4]).map { $0 + 1 }.filter { $0.isMultiple(of: 2) }.map { $0 + 1 }.note(in: $0)
    },
    ChainCase("a closure that throws", [.value(1), .value(2), .failed(Broken(code: 3))]) {
      Numbers([1, 2, 3, 4]).map(breaking).note(in: $0)
    },
    ChainCase("catch, of a failure", all(-7)) {
      Numbers.fail(Broken()).catch { _ in Numbers.just(-7) }.note(in: $0)
    },
    ChainCase("catch, of none", all(1)) {
      let caught: Numbers = Numbers.just(1).catch { _ in Numbers.just(-7) }
      caught.filter { $0 > 0 }.note(in: $0)
    },
    ChainCase("catch, in the middle", all(1, 2, -7)) {
      Numbers([1, 2, 3]).map(breaking).catch { _ in Numbers.just(-7) }.take(first: 3).note(in: $0)
    },
    ChainCase("catch(to:), materialize", all(1, 2)) {
      Numbers([1, 2]).catchTo(Numbers.just(-7)).materialize().dematerialize().note(in: $0)
    },
    ChainCase("catch(to:), skip", all(2, 1)) {
      let caught: Numbers = Numbers([1, 2, 1]).catchTo(Numbers.just(-7))
      caught.skip(while: { $0 < 2 }).note(in: $0)
    },
    ChainCase("catch(to:), scan", all(1, 3)) {
      let caught: Numbers = Numbers([1, 2]).catchTo(Numbers.just(-7))
      caught.scan(0) { $0 + $1 }.note(in: $0)
    },
    ChainCase("retry", [.value(1), .value(2), .value(1), .value(2), .failed(Broken(code: 3))]) {
      Numbers([1, 2, 3]).map(breaking).retry(.upTo(1)).note(in: $0)
    },
    ChainCase("repeat", all(1, 2, 1, 2, 1)) {
      Numbers([1, 2]).repeat().take(first: 5).note(in: $0)
    },
    ChainCase("concat, merge", all(1, 2, 3, 4)) {
      Numbers([1]).concat(Numbers([2])).merge(with: Numbers([3, 4])).note(in: $0)
    },
    ChainCase("then", all(5)) { Numbers([1, 2]).then { Numbers.just(5) }.note(in: $0) },
    ChainCase("startWith, append", all(0, 1, 9)) {
      Numbers.just(1).startWith(0).append(9).note(in: $0)
    },
    ChainCase("take(first:), of an endless source", all(0, 1, 3)) {
      Numbers(0...).scan(0) { $0 + $1 }.take(first: 3).note(in: $0)
    },
    ChainCase("take(while:)", all(0, 1, 2)) {
      Numbers(0...).take(while: { $0 < 2 }, boundary: .included).note(in: $0)
    },
    ChainCase("any", all(1)) { Numbers(0...).any { $0 == 5 }.map { $0 ? 1 : 0 }.note(in: $0) },
    ChainCase("reduce", all(10)) { Numbers([1, 2, 3, 4]).reduce(0) { $0 + $1 }.note(in: $0) },
    ChainCase("collect(count:)", all(3, 3)) {
      Numbers([1, 2, 3]).collect(count: 2).map { $0.reduce(0, +) }.note(in: $0)
    },
    ChainCase("take(last:), skip(last:)", all(3)) {
      Numbers([1, 2, 3, 4]).skip(last: 1).take(last: 1).note(in: $0)
    },
    ChainCase("distinct, enumerated, pairwise", all(1, 2)) {
      Numbers([5, 5, 6, 7]).distinctUntilChanged().enumerated().pairwise().map { $0.current.offset }.note(
        in: $0)
    },
    ChainCase("doNext, finally, mapError", [.value(1), .failed(Broken(code: 4))]) {
      Numbers([1, 3]).map(breaking).doNext { _ in }.finally {}.mapError { Broken(code: $0.code + 1) }.note(
        in: $0)
    },
    ChainCase("flatMap", all(1, 2, 2, 4)) {
      Numbers([1, 2]).flatMap { value in Numbers([value, value * 2]) }.note(in: $0)
    },
    ChainCase("flatMap, one after the other", all(1, 2)) {
      Numbers([1, 2]).flatMap(.concat) { Numbers.just($0) }.note(in: $0)
    },
    ChainCase("flatMap, the latest", all(1, 2)) {
      Numbers([1, 2]).flatMap(.latest) { Numbers.just($0).map { $0 } }.note(in: $0)
    },
    ChainCase("zip, combineLatest", all(4)) {
      Numbers([1]).zip(with: Numbers([3])).map { $0.0 + $0.1 }.combineLatest(with: Numbers.just(0))
        .map { $0.0 + $0.1 }.note(in: $0)
    },
    ChainCase("joined", all(1, 2, 3)) {
      Signal<[Int], Broken>([[1], [2, 3]]).joined().note(in: $0)
    },
    ChainCase("a signal that cannot fail", all(1, 2)) {
      let caught: Numbers = Signal<Int, Never>([1, 2]).setFailureType(to: Broken.self).catchTo(
        Numbers.just(-7))
      caught.map { $0 }.note(in: $0)
    },
  ]
}
