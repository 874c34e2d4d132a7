// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing

extension NamesElsewhereTests {
  @Test("a property for a signal, and a call as in another library, give one error that says what to write")
  func hints() throws {
    try expectErrors(in: calls, count: 87) { $0.contains($1) }
  }

  @Test("a queue in place of a scheduler gives one error, which names the scheduler of WeirFoundation")
  func queues() throws {
    try expectErrors(in: queueCalls, count: 8) { $0.contains($1) }
  }

  @Test("where there are such hints, a mistake in another argument still gives one error about that mistake")
  func besideHints() throws {
    try expectErrors(in: otherMistakes, count: 44) { $0.contains($1) }
  }
}

private let calls = """
  import Weir
  struct Oops: Error { var code = 0 }
  struct User: Sendable { var name = "" }
  final class Label: Sendable { let text = MutableProperty("") }
  final class Pointer: @unchecked Sendable { var x = 0 }
  func propertiesForSignals(
    _ numbers: Subject<Int, Oops>, _ flags: Subject<Bool, Never>, _ count: MutableProperty<Int>, _ isOn: Property<Bool>,
    _ label: Label, _ user: MutableProperty<User>, _ model: any PropertyProtocol<String>
  ) {
    label.text <~ user.map(\\.name)  // `target <~ property.signal`
    label.text <~ model  // `target <~ property.signal`
    label.text <~ user.map { $0.name }  // `target <~ property.signal`
    label.text.bindingTarget <~ label.text  // `target <~ property.signal`
    _ = numbers.merge(with: count).map { $0 + 1 }  // `merge(with: property.signal)`
    _ = numbers.concat(count).map { $0 + 1 }  // `concat(property.signal)`
    _ = numbers.sample(on: isOn).map { $0 + 1 }  // `sample(on: property.signal)`
    _ = numbers.take(until: isOn).map { $0 + 1 }  // `take(until: property.signal)`
    _ = numbers.skip(until: isOn).map { $0 + 1 }  // `skip(until: property.signal)`
    _ = flags.and(isOn).map { !$0 }  // `and(property.signal)`
    _ = flags.or(isOn).map { !$0 }  // `or(property.signal)`
    _ = SchedulerSerialExecutor(.pool)  // `SerialScheduler(on: scheduler)`
  }
  func signalsOperators(
    _ count: MutableProperty<Int>, _ isOn: Property<Bool>, _ pointer: Pointer, _ numbers: Subject<Int, Never>
  ) {
    count.observe { print($0) }  // `property.signal.subscribe { … }`
    count.map { $0 * 2 }.observe { print($0) }  // `property.signal.subscribe { … }`
    count.observeValues { print($0) }  // `property.signal.subscribe { … }`
    count.startWithValues { print($0) }  // `property.signal.subscribe { … }`
    count.bind(to: pointer, \\.x)  // `property.signal.bind(to:_:)`
    _ = count.compactMap { $0 > 1 ? $0 : nil }.map { $0 + 1 }  // `property.signal.compactMap { … }`
    _ = count.scan(0) { $0 + $1 }.map { $0 + 1 }  // `property.signal.scan(_:_:)`
    _ = count.scan(into: [Int]()) { $0.append($1) }.map { $0.count }  // `property.signal.scan(into:_:)`
    _ = count.doNext { print($0) }.map { $0 + 1 }  // `property.signal.doNext { … }`
    _ = count.pairwise().map { $0 + $1 }  // `property.signal.pairwise()`
    _ = count.combinePrevious(0).map { $0 + $1 }  // `property.signal.combinePrevious(_:)`
    _ = count.debounce(.seconds(1), on: .pool).map { $0 + 1 }  // `property.signal.debounce(_:on:)`
    _ = count.delay(.seconds(1), on: .pool).map { $0 + 1 }  // `property.signal.delay(_:on:)`
    _ = count.rateLimit(to: .seconds(1), on: .pool, edge: .both).map { $0 + 1 }  // `property.signal.rateLimit(
    _ = count.throttle(.seconds(1), on: .pool).map { $0 + 1 }  // `property.signal.rateLimit(
    _ = count.skip(first: 1).map { $0 + 1 }  // `property.signal.skip(first:)`
    _ = count.take(first: 1).map { $0 + 1 }  // `property.signal.take(first:)`
    _ = count.take(until: numbers).map { $0 + 1 }  // `property.signal.take(until:)`
    _ = count.take(while: { $0 < 9 }).map { $0 + 1 }  // `property.signal.take(while:)`
    _ = count.values()  // `property.signal.values()`
    _ = count.share().map { $0 + 1 }  // `property.signal.share()`
    _ = count.merge(with: numbers).map { $0 + 1 }  // `property.signal.merge(with:)`
    _ = count.merge(with: count).map { $0 + 1 }  // `property.signal.merge(with:)`
    _ = count.zip(with: isOn).map { $1 ? $0 : 0 }  // `property.signal.zip(with: other.signal)`
    _ = count.zip(with: numbers).map { $0 + $1 }  // `property.signal.zip(with:)`
    _ = count.combineLatest(with: numbers).map { $0 + $1 }  // `property.signal.combineLatest(with:)`
    _ = count.withLatest(from: isOn).map { $1 ? $0 : 0 }  // `property.signal.withLatest(from:)`
    _ = count.withLatest(from: numbers).map { $0 + $1 }  // `property.signal.withLatest(from:)`
    _ = isOn.and(isOn).map { !$0 }  // `map { a, b in a && b }`
    _ = isOn.or(isOn.map { !$0 }).map { !$0 }  // `map { a, b in a || b }`
    _ = isOn.negate().map { !$0 }  // `map { !$0 }`
    _ = isOn.not().map { !$0 }  // `map { !$0 }`
  }
  func values(_ count: MutableProperty<Int>) async {
    for await number in count.values() { print(number) }  // `property.signal.values()`
    _ = await count.firstValue()  // `property.signal.firstValue()`
  }
  func combining(_ numbers: Subject<Int, Oops>, _ words: Subject<String, Oops>, _ ticks: Subject<Int, Never>) {
    _ = ticks.combineLatest(with: ticks) { $0 + $1 }  // `combineLatest(with: b).map { a, b in … }`
    _ = numbers.combineLatest(with: words) { $0 + $1.count }.map { $0 + 1 }  // `combineLatest(with: b).map
    _ = numbers.combineLatest(with: words) { a, b in (a, b.count) }.map { $0 + $1 }  // `combineLatest(with: b).map
    _ = numbers.combineLatest(words) { $0 + $1.count }.map { $0 + 1 }  // `combineLatest(with: b).map { a, b in … }`
    _ = numbers.zip(with: words) { $0 + $1.count }.map { $0 + 1 }  // `zip(with: b).map { a, b in … }`
    _ = numbers.zip(words) { $0 + $1.count }.map { $0 + 1 }  // `zip(with: b).map { a, b in … }`
    _ = numbers.withLatest(from: words) { $0 + $1.count }.map { $0 + 1 }  // `withLatest(from: b).map { a, b in … }`
    _ = numbers.withLatest(from: ticks) { $1 }.map { $0 + 1 }  // `withLatest(from: b).map { a, b in … }`
    _ = Signal.combineLatest(ticks, ticks) { $0 + $1 }.map { $0 + 1 }  // `a.combineLatest(with: b).map { a, b
    _ = Signal.combineLatest(ticks, ticks, resultSelector: { $0 + $1 })  // `a.combineLatest(with: b).map { a, b
    _ = Signal.zip(ticks, ticks) { $0 + $1 }.map { $0 + 1 }  // `a.zip(with: b).map { a, b in … }`
  }
  func timers(_ numbers: Subject<Int, Oops>, _ ticks: Subject<Int, Never>) {
    _ = ticks.debounce(.milliseconds(300)).map { $0 + 1 }  // `debounce(_:on:)`, as in `on: .pool`
    _ = ticks.timeout(.seconds(3), on: .pool).map { $0 + 1 }  // `.idle(time)`, and this signal cannot fail
    _ = ticks.timeout(.idle(.seconds(3)), on: .pool).map { $0 + 1 }  // cannot fail: `setFailureType(to:
    _ = ticks.timeout(.idle(.seconds(3)), on: .pool, failing: Oops()).map { $0 + 1 }  // `setFailureType(to:)`
    _ = ticks.timeout(.seconds(3), on: .pool, failing: Oops()).map { $0 + 1 }  // `.idle(time)`, and this
    _ = numbers.timeout(.idle(.seconds(3)), on: .pool).map { $0 + 1 }  // `timeout(_:on:failing:)`
  }
  func names(
    _ numbers: Subject<Int, Oops>, _ ticks: Subject<Int, Never>, _ lifetime: Lifetime, _ subscription: Subscription,
    _ output: Subject<Int, Never>, _ words: Subject<String, Never>, _ count: MutableProperty<Int>
  ) {
    _ = numbers.on(value: { print($0) }).map { $0 + 1 }  // `doNext(_:)`
    _ = numbers.on(failed: { print($0) }).map { $0 + 1 }  // `doFailed(_:)`
    _ = numbers.on(completed: { print() }).map { $0 + 1 }  // `doCompleted(_:)`
    _ = numbers.on(failed: { print($0) }, completed: { print() }, value: { print($0) }).map { $0 + 1 }  // `doNext(_:)`
    _ = numbers.skipUntil(ticks).map { $0 + 1 }  // `skip(until:)`
    _ = ticks.promoteError(Oops.self).map { $0 + 1 }  // `setFailureType(to:)`
    let _: Signal<Int, Oops> = ticks.promoteError()  // `setFailureType(to:)`
    _ = numbers.retry(upTo: 3, interval: .seconds(1), on: .pool).map { $0 + 1 }  // `retry(.upTo(count).
    _ = numbers.timeout(after: .seconds(1), raising: Oops(), on: .pool).map { $0 + 1 }  // `.deadline(time)`
    lifetime += subscription  // `lifetime.add(disposable)`
    lifetime += ticks.subscribe { print($0) }  // `lifetime.add(disposable)`
    _ = numbers.share(replay: 1, scope: .whileConnected).map { $0 + 1 }  // `share(replay:lifetime:)`
    _ = numbers.share(scope: .forever).map { $0 + 1 }  // `share(replay:lifetime:)`
    _ = numbers.logEvents().map { $0 + 1 }  // `log(_:to:)`
    _ = numbers.logEvents(identifier: "numbers").map { $0 + 1 }  // `log(_:to:)`
    _ = numbers.flatMap(.concurrent(limit: 3)) { .just($0 + 1) }.map { $0 + 1 }  // `.merge(limit:)`
    _ = numbers.flatMap(.throttle) { .just($0 + 1) }.map { $0 + 1 }  // `.first`
    ticks.bind(to: output)  // `forward(to:)`
    ticks.map { $0 + 1 }.bind(to: output)  // `forward(to:)`
    numbers.bind(to: count)  // only a signal that cannot fail can be bound
    numbers.map { $0 + 1 }.bind(to: count)  // only a signal that cannot fail can be bound
    output <~ ticks  // `signal.forward(to: observer)`
    output <~ ticks.map { $0 + 1 }  // `signal.forward(to: observer)`
    output <~ words.map { $0.count }  // `signal.forward(to: observer)`
  }
  """

private let queueCalls = """
  import Dispatch
  import Foundation
  import Weir
  import WeirFoundation
  struct Oops: Error { var code = 0 }
  func queues(_ numbers: Subject<Int, Oops>, _ queue: DispatchQueue) {
    _ = numbers.observe(on: DispatchQueue.main).map { $0 + 1 }  // `.main` for the main one, `DispatchScheduler(queue)`
    _ = numbers.observe(on: queue).map { $0 + 1 }  // `DispatchScheduler(queue)`
    _ = numbers.observe(on: DispatchQueue.global()).map { $0 + 1 }  // `DispatchScheduler(queue)`
    _ = numbers.observe(on: RunLoop.main).map { $0 + 1 }  // `.main`
    _ = numbers.observe(on: OperationQueue.main).map { $0 + 1 }  // `.main`
    _ = numbers.subscribing(on: queue).map { $0 + 1 }  // `DispatchScheduler(queue)`
    _ = numbers.debounce(.seconds(1), on: DispatchQueue.main).map { $0 + 1 }  // `DispatchScheduler(queue)`
    _ = numbers.delay(.seconds(1), on: queue).map { $0 + 1 }  // `DispatchScheduler(queue)`
    numbers.observe(on: .main).subscribe(next: { print($0) }, failed: { print($0) })
  }
  """

private let otherMistakes = """
  import Weir
  import WeirFoundation
  import Dispatch
  struct Oops: Error { var code = 0 }
  func insideClosures(
    _ numbers: Subject<Int, Never>, _ typed: Subject<Int, Oops>, _ label: MutableProperty<String>,
    _ words: Subject<String, Never>, _ isOn: Property<Bool>,
    _ flags: Subject<Bool, Never>, _ failing: Subject<Int, any Error>
  ) {
    label <~ words.map { $0.nothing }  // has no member 'nothing'
    label <~ numbers  // '<~' requires the types
    _ = numbers.take(until: { $0.nothing })  // has no member 'nothing'
    _ = numbers.take(until: words.map { $0.nothing })  // has no member 'nothing'
    _ = numbers.skip(until: { $0.nothing })  // has no member 'nothing'
    _ = numbers.skip(until: words.map { $0.nothing })  // has no member 'nothing'
    _ = numbers.combineLatest(with: words.map { $0.nothing })  // has no member 'nothing'
    _ = numbers.withLatest(from: words).map { $1.nothing }  // has no member 'nothing'
    _ = numbers.withLatest(from: words.nothing).map { $1 }  // has no member 'nothing'
    _ = numbers.zip(with: words).map { $0 + $1.nothing }  // has no member 'nothing'
    _ = numbers.debounce(.seconds(1), on: .pool) { $0.nothing }  // has no member 'nothing'
    _ = numbers.on(subscribed: { numbers.nothing }).map { $0 + 1 }  // has no member 'nothing'
    _ = numbers.on { numbers.nothing }.map { $0 + 1 }  // has no member 'nothing'
    _ = typed.timeout(.idle(.seconds(1)), on: .pool, failing: Oops()).map { $0.nothing }  // has no member 'nothing'
    _ = numbers.observe(on: .main).map { $0.nothing }  // has no member 'nothing'
    _ = numbers.observe(on: DispatchScheduler(.main)).map { $0.nothing }  // has no member 'nothing'
    _ = numbers.combineLatest(with: words).map { $1.nothing }  // has no member 'nothing'
    _ = typed.combineLatest(with: words).map { $0.nothing }  // has no member 'nothing'
    _ = typed.withLatest(from: typed).map { $1.nothing }  // has no member 'nothing'
    _ = typed.zip(with: typed).map { $1.nothing }  // has no member 'nothing'
    _ = numbers.merge(with: numbers).map { $0.nothing }  // has no member 'nothing'
    _ = typed.merge(with: .just(3)).map { $0.nothing }  // has no member 'nothing'
    _ = numbers.concat(numbers).map { $0.nothing }  // has no member 'nothing'
    _ = numbers.sample(on: words).map { $0.nothing }  // has no member 'nothing'
    _ = numbers.take(until: words).map { $0.nothing }  // has no member 'nothing'
    _ = numbers.skip(until: words).map { $0.nothing }  // has no member 'nothing'
    _ = flags.and(flags).map { $0.nothing }  // has no member 'nothing'
    _ = flags.or(flags.map { $0.nothing })  // has no member 'nothing'
    _ = numbers.timeout(.idle(.seconds(1)), on: .pool, switchingTo: numbers).map { $0.nothing }  // 'nothing'
    _ = failing.timeout(.idle(.seconds(1)), on: .pool).map { $0.nothing }  // has no member 'nothing'
    _ = numbers.share(replay: 1).map { $0.nothing }  // has no member 'nothing'
    _ = numbers.delay(.seconds(1), on: .pool).map { $0.nothing }  // has no member 'nothing'
    _ = typed.retry(upTo: 3).map { $0.nothing }  // has no member 'nothing'
    _ = Signal.combineLatest(numbers, words).map { $1.nothing }  // has no member 'nothing'
    _ = Signal.zip(numbers, words).map { $1.nothing }  // has no member 'nothing'
    _ = numbers.combineLatest(with: words).map { $0 + $1.nothing }  // has no member 'nothing'
    _ = typed.withLatest(from: typed).map { $0 + $1.nothing }  // has no member 'nothing'
    _ = numbers.merge(with: numbers).map { $0 + $0.nothing }  // has no member 'nothing'
    _ = numbers.sample(on: words).map { $0 + $0.nothing }  // has no member 'nothing'
    _ = isOn.map { $0.nothing }  // has no member 'nothing'
    _ = isOn.combined(with: isOn).map { $0 && $1.nothing }  // has no member 'nothing'
    var count = 0
    count += "a"  // cannot convert value
    numbers.share(replay: .nothing).subscribe { print($0) }  // has no member 'nothing'
    let moved: Signal<Int, Never> = numbers.delay(.seconds(1), on: .nothing)  // 'nothing'
    print(count, moved)
  }
  """
