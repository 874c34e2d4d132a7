// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// Chains of ten operators as users write them, each one expression. They are compiled with the tests, and
/// the type checker's time for each is measured by `CompileTimeTests`. They are never run.
enum TypicalChains {
  struct Order: Sendable {
    var symbol: String
    var customer: Int
    var amount: Int
    var price: Double
    var tags: [String] = []
  }

  struct Rejected: Error {
    var code = 0
  }

  struct Late: Error {
    var code = 0
  }

  static func literalsOnASubject(_ numbers: Subject<Int, Never>) -> Subscription {
    numbers
      .filter { $0 & 6 != 2 }
      .map { $0 * 2 + 1 }
      .filter { $0 % 3 == 0 }
      .map { $0 - 7 }
      .scan(0) { $0 + $1 }
      .filter { $0 & 1 == 0 }
      .map { $0 / 2 }
      .skip(first: 1)
      .take(first: 100)
      .map { ($0, $0 * 2) }
      .subscribe { print($0.0, $0.1) }
  }

  static func literalsOnARange() -> Subscription {
    Signal<Int, Never>(0..<1_000)
      .filter { $0 & 6 != 2 }
      .map { $0 * 3 }
      .map { $0 ^ 0xFF }
      .take(while: { $0 < 1 << 20 })
      .filter { $0 % 5 != 1 }
      .map { $0 - 1 }
      .distinctUntilChanged()
      .startWith(1, 2, 3)
      .reduce(0) { $0 + $1 }
      .map { $0 / 2 }
      .subscribe { print($0) }
  }

  static func members(of orders: Subject<Order, Rejected>) -> Subscription {
    orders
      .filter { $0.amount > 100 }
      .distinctUntilChanged { $0.symbol == $1.symbol }
      .filter { $0.price > 2.5 && !$0.tags.isEmpty }
      .skip(while: { $0.customer != 1 })
      .doNext { print($0.symbol) }
      .take(until: { $0.amount < 0 })
      .map(\.price)
      .scan(0) { $0 + $1 }
      .distinctUntilChanged()
      .take(first: 10)
      .subscribe(next: { print($0) }, failed: { print($0.code) })
  }

  static func tuples(of orders: Subject<Order, Rejected>) -> Subscription {
    orders
      .filter { $0.amount > 100 }
      .map { ($0.symbol, Double($0.amount) * $0.price * 1.19) }
      .distinctUntilKeyChanged(\.0)
      .scan(("", 0.0)) { ($1.0, $0.1 + $1.1 * 0.5) }
      .skip(first: 1)
      .filter { $0.1 > 1_000 }
      .map(\.1)
      .map { "\($0) EUR" }
      .startWith("none", "yet")
      .take(first: 10)
      .subscribe(next: { print($0) }, failed: { print($0) })
  }

  static func keyPaths(of orders: Subject<Order, Never>) -> Subscription {
    orders
      .distinctUntilKeyChanged(\.symbol)
      .filter { $0.amount > 0 }
      .map(\.tags)
      .filter { !$0.isEmpty }
      .compactMap(\.first)
      .map(\.count)
      .scan(0, +)
      .pairwise()
      .map(\.current)
      .mapReplace(())
      .subscribe { print("one more") }
  }

  static func throwing(on numbers: Subject<Int, Rejected>) -> Subscription {
    numbers
      .map { (value) throws(Rejected) in
        if value < 0 { throw Rejected(code: value) }
        return value * 2
      }
      .filter { $0 & 6 != 2 }
      .retry(upTo: 3)
      .flatMap { (value) throws(Rejected) in
        if value > 1_000 { throw Rejected(code: 1) }
        return .just(value + 1)
      }
      .map { $0 - 1 }
      .doFailed { print($0.code) }
      .catch { Signal<Int, Never>.just($0.code) }
      .filter { $0 != 0 }
      .map { "\($0 * 2)" }
      .finally { print("over") }
      .subscribe { print($0) }
  }

  /// Behind a call that introduces a type of failure, that type has to be named: see Operators.md.
  static func newFailures(of orders: Subject<Order, Rejected>, and others: Subject<Order, Rejected>)
    -> Subscription
  {
    Signal<Order, Rejected>.merge([orders.signal, others.signal])
      .filter { $0.amount > 100 }
      .mapError(to: Late.self) { Late(code: $0.code) }
      .map { $0.price * 1.19 }
      .scan(0) { $0 + $1 }
      .catch(to: Rejected.self) { .fail(Rejected(code: $0.code)) }
      .compactMap { Optional($0) }
      .flatMap { .just("\($0) EUR") }
      .doNext { print($0) }
      .take(first: 10)
      .subscribe(next: { print($0) }, failed: { print($0.code) })
  }

  static func tuples(of orders: Subject<Order, Rejected>, and others: Subject<Order, Rejected>)
    -> Subscription
  {
    Signal<(Order, Order), Rejected>.zip(orders, others)
      .filter { $0.amount > $1.amount }
      .map { $0.price - $1.price }
      .zip(with: Signal<Order, Rejected>.race(orders, others))
      .reduceEach { $0 * $1.price }
      .merge(with: Signal<Double, Rejected>.deferred { .just(1) })
      .map { $0 * 1.19 }
      .combineLatest(with: Signal<Order, Rejected>.concat(orders, others))
      .map { $0 * $1.price }
      .take(first: 10)
      .subscribe(next: { print($0) }, failed: { print($0.code) })
  }

  static func several(_ orders: Subject<Order, Never>, _ rates: Subject<Double, Never>) -> Subscription {
    orders
      .filter { $0.amount > 100 }
      .withLatest(from: rates.filter { $0 > 0 })
      .map { ($0.symbol, $0.price * $1) }
      .zip(with: Signal<Int, Never>(0...))
      .map { ($1, $0.0, $0.1) }
      .take(until: rates.filter { $0 < 0 })
      .skip(first: 2)
      .map { "\($0) \($1) \($2)" }
      .merge(with: Signal<String, Never>.just("start"))
      .take(first: 100)
      .subscribe { print($0) }
  }

  static func flattening(_ orders: Subject<Order, Rejected>) -> Subscription {
    orders
      .map { $0.tags }
      .flatMap { Signal<String, Rejected>($0) }
      .filter { $0.count > 2 }
      .flatMap(.concat) { tag in Signal<Character, Rejected>(Array(tag)) }
      .filter { $0 != "-" }
      .materialize()
      .dematerialize()
      .collect()
      .map { $0.count * 2 }
      .defaultIfEmpty(-1)
      .subscribe(next: { print($0) }, failed: { print($0.code) })
  }

  static func choosing(_ numbers: Subject<Int, Never>) -> Subscription {
    numbers
      .map { $0 % 2 == 0 ? $0 / 2 : 3 * $0 + 1 }
      .take(while: { $0 != 1 }, boundary: .included)
      .scan((steps: 0, highest: 0)) { ($0.steps + 1, max($0.highest, $1)) }
      .skip(first: 1)
      .map { $0.steps > 100 ? nil : $0.highest }
      .compactMap { $0 }
      .distinctUntilChanged()
      .map { $0 > 100 ? "big" : "small" }
      .ignore("small")
      .count()
      .subscribe { print($0) }
  }

  static func sources(_ numbers: Subject<Int, Rejected>) -> Subscription {
    Signal<Int, Rejected>.just(1 + 2 * 3)
      .concat(Signal.just(4), Signal.just(5 * 6))
      .merge(with: .just(7 - 8), numbers)
      .concat(Signal.just(9 % 10))
      .merge(with: Signal.just(11 / 12))
      .flatMap { Signal.just($0 + 1) }
      .concat(.just(13), .empty())
      .flatMap { .just($0 * 2) }
      .concat(Signal.fail(Rejected(code: 3 + 4)))
      .catchAndReturn(0)
      .take(until: .timer(after: .seconds(1), on: .pool))
      .subscribe { print($0) }
  }

  /// Where several closures compare members of a type that an operator before them has made, the type checker
  /// needs a hint: the type of one closure's parameter in the middle.
  static func newType(_ orders: Subject<Order, Never>) -> Subscription {
    orders
      .map { Order(symbol: $0.symbol, customer: 0, amount: $0.amount * 2, price: $0.price * 1.19) }
      .filter { (order: Order) in order.amount > 100 }
      .filter { (order: Order) in order.price > 2.5 }
      .filter { (order: Order) in order.symbol != "TEST" }
      .distinctUntilChanged { (last: Order, order: Order) in last.price == order.price }
      .skip(while: { (order: Order) in order.customer == 0 })
      .map { Double($0.amount) * $0.price }
      .scan(0) { $0 + $1 }
      .take(first: 10)
      .map { "\($0)" }
      .subscribe { print($0) }
  }
}
