// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Weir

/// What the compiler says about names that people know from other libraries.
struct NamesElsewhereTests {
  @Test("the usual call of each name from another library gives one error, which names what to call instead")
  func replacements() throws {
    try expectErrors(in: calls, count: 200) { text, replacement in
      text.contains("' is unavailable: ") && text.contains(replacement)
    }
  }

  @Test("a mistake in an argument of Weir's own functions gives one error, which is about that mistake")
  func insideClosures() throws {
    try expectErrors(in: mistakes, count: 24) { $0.contains($1) }
  }

  @Test("a mistake early in a chain gives no error about the closure of subscribe at its end")
  func beforeSubscribe() throws {
    let errors = try TypeChecker.errors(in: chains)
    for line in [3, 4] { #expect(errors.contains { $0.line == line && $0.text.contains("'nothing'") }) }
    #expect(!errors.contains { $0.text.contains("arguments") || $0.text.contains("'()'") }, "\(errors)")
  }

  private let chains = """
    import Weir
    func chains(_ numbers: Subject<Int, Never>) {
      numbers.map { $0.nothing }.distinctUntilChanged().subscribe { print($0) }
      numbers.map { $0.nothing }.min().subscribe { print($0) }
    }
    """

  @Test("functions that users declare under names from other libraries can be called without an error")
  func declaredByUsers() throws {
    #expect(try TypeChecker.errors(in: ownNames).map(\.text) == [])
  }

  /// Each line with a comment has one error, which fits the comment, and there is no other.
  func expectErrors(in code: String, count: Int, _ fits: (String, String) -> Bool) throws {
    let errors = try TypeChecker.errors(in: code)
    var lines = 0
    for (index, line) in code.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let (code, expected) = parts(of: line)
      let found = errors.filter { $0.line == index + 1 }.map(\.text)
      #expect(found.count == (expected == nil ? 0 : 1), "\(code): \(found)")
      guard let expected else { continue }
      lines += 1
      for text in found { #expect(fits(text, expected), "\(code): \(text)") }
    }
    // A source from which no line is read must not pass.
    #expect(lines == count && errors.count == count, "\(lines) lines, \(errors.count) errors")
  }

  /// A line of code, and what its error has to say: the comment behind it.
  private func parts(of line: Substring) -> (code: Substring, replacement: String?) {
    guard let comment = line.firstRange(of: "  // ") else { return (line, nil) }
    return (line[..<comment.lowerBound], String(line[comment.upperBound...]))
  }

  private let calls = """
    import Weir
    struct Oops: Error { var code = 0 }
    struct Elsewhere {}
    struct Point: Sendable { var x = 0 }
    final class Pointer { var x = 0 }
    func read(_ number: Int) throws -> Int { number }
    func combine(
      _ numbers: Subject<Int, Oops>, _ points: Subject<Point, Oops>, _ words: Subject<String, Oops>,
      _ main: Elsewhere, _ bag: inout [Subscription], _ subscription: Subscription,
      _ ticks: Subject<Int, Never>, _ pointer: Pointer, _ count: MutableProperty<Int>
    ) {
      numbers.sink { print($0) }  // `subscribe(next:failed:completed:)`
      _ = numbers.map { $0 * 2 }.sink(receiveValue: { print($0) })  // `subscribe(next:failed:completed:)`
      numbers.sink(receiveCompletion: { _ in }, receiveValue: { print($0) })  // `subscribe(next:failed:
      numbers.sink(receiveCompletion: { print($0) }) { print($0) }  // `subscribe(next:failed:completed:)`
      numbers.subscribe(numbers)  // `forward(to:)`
      _ = numbers.receive(on: main).map { $0 + 1 }  // `observe(on:)`
      _ = numbers.receive(on: .pool).map { $0 + 1 }  // `observe(on:)`
      _ = numbers.subscribe(on: main).map { $0 + 1 }  // `subscribing(on:)`
      _ = numbers.subscribe(on: .pool).map { $0 + 1 }  // `subscribing(on:)`
      _ = numbers.delay(for: .seconds(1), scheduler: main).map { $0 + 1 }  // `delay(_:on:)`
      _ = numbers.handleEvents(receiveOutput: { print($0) }).map { $0 + 1 }  // `doNext(_:)`
      _ = numbers.map { $0 / 2 }.removeDuplicates().map { $0 + 1 }  // `distinctUntilChanged()`
      _ = points.removeDuplicates { $0.x == $1.x }.map { $0.x }  // `distinctUntilChanged()`
      _ = points.removeDuplicates(by: { $0.x == $1.x }).map { $0.x }  // `distinctUntilChanged()`
      _ = numbers.prepend(1, 2).map { $0 + 1 }  // `startWith(_:)`
      _ = numbers.prepend([1, 2]).map { $0 + 1 }  // `prepend(Signal(values))`
      _ = numbers.append(numbers).map { $0 + 1 }  // `concat(_:)`
      _ = numbers.append([1, 2]).map { $0 + 1 }  // `concat(Signal(values))`
      _ = numbers.prefix(3).map { $0 + 1 }  // `take(first:)`
      _ = numbers.prefix(while: { $0 < 3 }).map { $0 + 1 }  // `take(while:)`
      _ = numbers.prefix(untilOutputFrom: words).map { $0 + 1 }  // `take(until:)`
      _ = numbers.dropFirst().map { $0 + 1 }  // `skip(first:)`
      _ = numbers.dropFirst(2).map { $0 + 1 }  // `skip(first:)`
      _ = numbers.drop(while: { $0 < 3 }).map { $0 + 1 }  // `skip(while:)`
      _ = numbers.drop { $0 < 3 }.map { $0 + 1 }  // `skip(while:)`
      _ = numbers.drop(untilOutputFrom: words).map { $0 + 1 }  // `skip(until:)`
      _ = numbers.last().map { $0 + 1 }  // `take(last: 1)`, or `lastValue()`
      _ = numbers.ignoreOutput().map { $0 + 1 }  // `ignoreValues()`
      _ = numbers.contains { $0 < 3 }.map { !$0 }  // `any(where:)`
      _ = numbers.contains(where: { $0 < 3 })  // `any(where:)`
      _ = numbers.allSatisfy { $0 < 3 }.map { !$0 }  // `all(where:)`
      _ = numbers.replaceEmpty(with: 0).map { $0 + 1 }  // `defaultIfEmpty(_:)`
      _ = numbers.debounce(for: .seconds(1), scheduler: main).map { $0 + 1 }  // `debounce(_:on:)`
      _ = numbers.first().map { $0 + 1 }  // `take(first: 1)`, or `firstValue()`
      _ = numbers.first { $0 < 3 }.map { $0 + 1 }  // `filter(_:)` and `take(first: 1)`
      _ = numbers.first(where: { $0 < 3 })  // `filter(_:)` and `take(first: 1)`
      _ = numbers.replaceError(with: 0).map { $0 + 1 }  // `catchAndReturn(_:)`
      _ = numbers.withLatestFrom(words, points).map { $0.0.count + $0.1.x }  // `withLatest(from:_:)`
      _ = numbers.throttle(for: .seconds(1), scheduler: main, latest: true)  // `rateLimit(to:on:edge:)` with `.both`
      let _: Signal<Int, Oops> = numbers.map { $0 + 1 }.eraseToAnyPublisher()  // `signal`
      numbers.send(completion: .finished)  // `complete()`
      numbers.send(completion: .failure(Oops(code: 1)))  // `fail(_:)`
      numbers.terminate(.finished)  // `.completed`
      _ = Signal<Int, Oops> { $0.send(1) }  // `.create { observer in … }`
      _ = Signal<Int, Oops> { observer, _ in observer.complete() }  // `.create { observer in … }`
      subscription.cancel()  // `dispose()`
      numbers.subscribe { print($0) }.store(in: &bag)  // `lifetime.adopt(subscription)`
      _ = numbers.timeout(.seconds(1), on: .pool, failing: Oops()).map { $0 + 1 }  // `.idle(.seconds(1))`
      _ = numbers.timeout(.seconds(0.5), on: .pool, failing: Oops())  // `.deadline(.seconds(1))`
      _ = numbers.timeout(.milliseconds(5), on: .pool, failing: Oops())  // `.idle(.milliseconds(1))`
      _ = numbers.output(at: 3).map { $0 + 1 }  // `element(at:)`
      _ = numbers.output(in: 1..<3).map { $0 + 1 }  // `skip(first:)` and `take(first:)`
      _ = numbers.collect(3).map { $0.count }  // `collect(count:)`
      ticks.assign(to: \\.x, on: pointer)  // `bind(to:_:)`
      _ = ticks.map { $0 + 1 }.assign(to: \\.x, on: pointer)  // `bind(to:_:)`
      ticks.assign(to: count)  // `bind(to:)`
      _ = numbers.makeConnectable().autoconnect().map { $0 + 1 }  // `publish()`
    }
    func rxSwift(
      _ numbers: Subject<Int, Oops>, _ words: Subject<String, Oops>, _ observer: Observer<Int, Oops>,
      _ signals: Subject<Signal<Int, Oops>, Oops>, _ main: Elsewhere, _ bag: Elsewhere
    ) {
      numbers.subscribe { print($0) } onError: { print($0) }  // `subscribe(next:failed:completed:)`
      numbers.map { $0 * 2 }.subscribe(observer)  // `forward(to:)`
      _ = numbers.take(3).map { $0 + 1 }  // `take(first:)`
      _ = numbers.skip(3).map { $0 + 1 }  // `skip(first:)`
      _ = numbers.ignoreElements().map { $0 + 1 }  // `ignoreValues()`
      _ = numbers.ifEmpty(default: 0).map { $0 + 1 }  // `defaultIfEmpty(_:)`
      _ = numbers.ifEmpty(switchTo: numbers).map { $0 + 1 }  // `switchIfEmpty(_:)`
      _ = numbers.debounce(.seconds(1), scheduler: main).map { $0 + 1 }  // `debounce(_:on:)`
      _ = numbers.buffer(3).map { $0.count }  // `collect(count:)`
      _ = numbers.buffer(timeSpan: .seconds(1), count: 3, scheduler: main)  // `collect(count:within:on:)`
      _ = numbers.flatMapLatest { .just($0 + 1) }.map { $0 + 1 }  // `flatMap(.latest)`
      _ = numbers.switchMap { .just($0 + 1) }.map { $0 + 1 }  // `flatMap(.latest)`
      _ = numbers.flatMapFirst { .just($0 + 1) }.map { $0 + 1 }  // `flatMap(.first)`
      _ = numbers.do(onNext: { print($0) }).map { $0 + 1 }  // `doNext(_:)`
      _ = numbers.do(onNext: { print($0) }, onError: { print($0) })  // `doFailed(_:)`
      _ = numbers.toArray().map { $0.count }  // `collect()`
      _ = numbers.amb(numbers).map { $0 + 1 }  // `race(with:)`
      _ = numbers.groupBy { $0 % 2 }.map { $0.key }  // `group(by:)`
      _ = numbers.groupBy(keySelector: { $0 % 2 })  // `group(by:)`
      _ = numbers.concatMap { Signal<Int, Oops>.just($0 + 1) }.map { $0 + 1 }  // `flatMap(.concat)`
      _ = numbers.concatMapEager { .just($0 + 1) }.map { $0 + 1 }  // `flatMap(.ordered(limit:))`
      _ = numbers.withLatestFrom(words).map { $0.count }  // `withLatest(from:)`
      _ = numbers.withLatestFrom(words) { $0 + $1.count }.map { $0 + 1 }  // `withLatest(from:)`
      _ = numbers.withLatestFrom(words, resultSelector: { ($0, $1) }).map { $0.0 }  // `withLatest(from:)`
      _ = numbers.throttle(.seconds(1), scheduler: main).map { $0 + 1 }  // `rateLimit(to:on:edge:)`
      _ = numbers.throttle(.seconds(1), latest: false, scheduler: main)  // with `.both`; for `latest: false`, with
      _ = numbers.asObservable().map { $0 + 1 }  // `signal`
      numbers.onNext(3)  // `send(_:)`
      observer.onNext(3)  // `send(_:)`
      observer.onError(Oops(code: 1))  // `fail(_:)`
      observer.onCompleted()  // `complete()`
      numbers.subscribe { print($0) }.disposed(by: bag)  // `lifetime.adopt(subscription)`
      _ = numbers.single().map { $0 + 1 }  // `take(first: 1)`, or `firstValue()`
      _ = numbers.single { $0 < 3 }.map { $0 + 1 }  // `take(first: 1)`, or `firstValue()`
      _ = numbers.debug().map { $0 + 1 }  // `log(_:to:)`
      _ = numbers.debug("numbers").map { $0 + 1 }  // `log(_:to:)`
      _ = numbers.publish().refCount().map { $0 + 1 }  // `share()`
      _ = numbers.replayAll().autoconnect().map { $0 + 1 }  // `replay()`
      _ = signals.merge(maxConcurrent: 3).map { $0 + 1 }  // `flatten(.merge(limit:))`
      _ = signals.switchLatest().map { $0 + 1 }  // `switchToLatest()`
      _ = numbers.observeOn(.pool).map { $0 + 1 }  // `observe(on:)`
    }
    func failures(_ numbers: Subject<Int, Oops>) {
      _ = numbers.map { $0 * 2 }.retry(3).map { $0 + 1 }  // `retry(upTo:)`, which does not count the first
      _ = numbers.retry { $0.delay(.seconds(1), on: .pool) }.map { $0 + 1 }  // `.forever.delayed(by:on:)`
      _ = numbers.retry(when: { $0.map { $0.code } }).map { $0 + 1 }  // `.forever.delayed(by:on:)`
      _ = numbers.retryWhen { $0.delay(.seconds(1), on: .pool) }.map { $0 + 1 }  // `.forever.delayed(by:on:)`
      _ = numbers.catchError { _ in .just(0) }.map { $0 + 1 }  // `catch(_:)`
      _ = numbers.flatMapError { .fail($0) }.map { $0 + 1 }  // `catch(_:)`
      _ = numbers.tryCatch { if $0.code > 1 { throw $0 } else { return .just(0) } }.map { $0 + 1 }  // `.fail(error)`
      _ = numbers.catchErrorJustReturn(0).map { $0 + 1 }  // `catchAndReturn(_:)`
      _ = numbers.attemptMap { try read($0) }.map { $0 + 1 }  // `tryMap(_:)`, or `map(_:)`
      _ = numbers.attemptMap { $0 > 1 ? .success($0) : .failure(Oops(code: 1)) }.map { $0 + 1 }  // `map(_:)`
      _ = numbers.tryFilter { try read($0) > 1 }.map { $0 + 1 }  // `filter(_:)`
      _ = numbers.tryCompactMap { try? read($0) }.map { $0 + 1 }  // `compactMap(_:)`
      _ = numbers.tryScan(0) { try read($0) + $1 }.map { $0 + 1 }  // `scan(_:_:)`
      _ = numbers.tryReduce(0) { try read($0) + $1 }.map { $0 + 1 }  // `reduce(_:_:)`
      _ = numbers.tryPrefix { try read($0) > 1 }.map { $0 + 1 }  // `take(while:)`
      _ = numbers.tryDrop(while: { try read($0) > 1 }).map { $0 + 1 }  // `skip(while:)`
      _ = numbers.tryRemoveDuplicates { try read($0) == $1 }.map { $0 + 1 }  // `distinctUntilChanged(comparing:)`
      _ = numbers.tryFirst { try read($0) > 1 }.map { $0 + 1 }  // `filter(_:)` and `take(first: 1)`
      _ = numbers.tryAllSatisfy { try read($0) > 1 }.map { !$0 }  // `all(where:)`
      _ = numbers.tryContains { try read($0) > 1 }.map { !$0 }  // `any(where:)`
      _ = numbers.mapError(to: (any Error).self) { $0 }.filter { try read($0) > 1 }.map { $0 + 1 }
    }
    func reactiveSwiftAndReactiveObjC(
      _ numbers: Subject<Int, Oops>, _ maybe: Subject<Int?, Oops>, _ flags: Subject<Bool, Oops>,
      _ observer: Observer<Int, Oops>
    ) {
      numbers.observeValues { print($0) }  // `subscribe(next:)`
      numbers.startWithValues { print($0) }  // `subscribe(next:)`
      _ = numbers.repeat(3).map { $0 + 1 }  // `repeat(times:)`
      _ = maybe.skipNil().map { $0 + 1 }  // `compactMap { $0 }`
      _ = maybe.replaceNil(with: 0).map { $0 + 1 }  // `map { $0 ?? value }`
      _ = flags.negate().map { !$0 }  // `not()`
      _ = numbers.skipRepeats().map { $0 + 1 }  // `distinctUntilChanged()`
      _ = numbers.prefix(value: 3).map { $0 + 1 }  // `startWith(_:)`
      observer.sendCompleted()  // `complete()`
      _ = numbers.throttle(.seconds(1), on: .pool).map { $0 + 1 }  // `debounce(_:on:)`; the throttle of
      _ = numbers.throttle(.seconds(1), on: .pool) { $0 < 9 }  // is `rateLimit(to:on:edge:)`
    }
    func properties(_ count: MutableProperty<Int>, _ isOn: Property<Bool>) {
      count.subscribe { print($0) }  // `property.signal.subscribe { … }`
      count.subscribe(next: { print($0) }, completed: { print() })  // `property.signal.subscribe { … }`
      isOn.sink { print($0) }  // `property.signal.subscribe { … }`
      count.producer.subscribe { print($0) }  // `signal`
      _ = count.observe(on: .pool).map { $0 + 1 }  // `property.signal.observe(on:)`
      _ = count.filter { $0 > 1 }.map { $0 + 1 }  // `property.signal.filter { … }`
      count.bind(to: count)  // `property.signal.bind(to:)`
      _ = isOn.skipRepeats().map { !$0 }  // `distinctUntilChanged()`
      _ = count.combineLatest(with: isOn).map { $0 }  // `combined(with:)`
      _ = isOn.map { !$0 }.combineLatest(with: count)  // `combined(with:)`
    }
    func reactiveObjC(
      _ numbers: Subject<Int, Oops>, _ words: Subject<String, Oops>, _ ticks: Subject<Void, Never>,
      _ observer: Observer<Int, Oops>, _ bag: CompoundDisposable, _ command: Command<Int, Int, Oops>
    ) {
      numbers.subscribeNext { print($0) }  // `subscribe(next:failed:completed:)`
      numbers.map { $0 * 2 }.subscribeNext({ print($0) }, completed: {})  // `subscribe(next:failed:completed:)`
      numbers.subscribeNext { print($0) } error: { print($0) }  // `subscribe(next:failed:completed:)`
      numbers.subscribe(next: { print($0) }, error: { _ in })  // `subscribe(next:failed:completed:)`
      numbers.subscribeError { print($0) }  // `subscribe(failed:completed:)`
      numbers.subscribeCompleted { print() }  // `subscribe(completed:)`
      _ = numbers.flattenMap { .just($0 + 1) }.map { $0 + 1 }  // `flatMap(_:)`
      _ = numbers.combineLatestWith(words).map { $0 + $1.count }  // `combineLatest(with:)`
      _ = numbers.combineLatest(words).map { $0 + $1.count }  // `combineLatest(with:)`
      _ = numbers.zip(words).map { $0 + $1.count }  // `zip(with:)`
      _ = numbers.merge(numbers).map { $0 + 1 }  // `merge(with:)`
      _ = numbers.zipWith(words).map { $0 + $1.count }  // `zip(with:)`
      _ = numbers.scanWithStart(0, reduce: { $0 + $1 }).map { $0 + 1 }  // `scan(_:_:)`
      _ = numbers.aggregateWithStart(0) { $0 + $1 }.map { $0 + 1 }  // `reduce(_:_:)`
      _ = numbers.doError { print($0) }.map { $0 + 1 }  // `doFailed(_:)`
      _ = numbers.takeUntil(ticks).map { $0 + 1 }  // `take(until:)`
      _ = numbers.takeUntilBlock { $0 < 0 }.map { $0 + 1 }  // `take(until: { … })`
      _ = numbers.takeWhileBlock { $0 < 0 }.map { $0 + 1 }  // `take(while: { … })`
      _ = numbers.skipUntilBlock { $0 < 0 }.map { $0 + 1 }  // `skip(until: { … })`
      _ = numbers.skipWhileBlock { $0 < 0 }.map { $0 + 1 }  // `skip(while: { … })`
      _ = numbers.takeLast(3).map { $0 + 1 }  // `take(last:)`
      _ = numbers.deliverOn(.pool).map { $0 + 1 }  // `observe(on:)`
      _ = numbers.deliverOnMainThread().map { $0 + 1 }  // `observe(on: .main)`
      _ = numbers.subscribeOn(SerialScheduler()).map { $0 + 1 }  // `subscribing(on:)`
      _ = numbers.bufferWithTime(.seconds(5), onScheduler: .pool).map { $0.count }  // `collect(within:on:)`
      print(numbers.firstOrDefault(3), terminator: "")  // `firstValue()`
      print(numbers.waitUntilCompleted())  // `completion()`
      _ = Signal<Int, Oops>.createSignal { $0.send(1); return nil }  // `create(_:)`
      _ = Signal<Int, Oops>.return(1).map { $0 + 1 }  // `just(_:)`
      _ = Signal<Int, Oops>.error(Oops(code: 1)).map { $0 + 1 }  // `fail(_:)`
      observer.sendNext(3)  // `send(_:)`
      numbers.sendError(Oops(code: 1))  // `fail(_:)`
      let timer = numbers.subscribe { print($0) }.asScopedDisposable()  // `ScopedDisposable(_:)`
      bag.addDisposable(timer)  // `add(_:)`
      bag.removeDisposable(timer)  // `remove()`
      WorkerPool.shared.afterDelay(.seconds(1)) { print() }  // `schedule(after:_:)`
      WorkerPool.shared.scheduleRecursiveBlock { $0() }  // `scheduleRecursive(_:)`
      _ = command.executionSignals.switchToLatest().map { $0 + 1 }  // `executions`
    }
    func lists(_ numbers: Subject<Int, Oops>, _ values: [Int]) {
      _ = numbers.append(contentsOf: values).map { $0 + 1 }  // `concat(Signal(values))`
      _ = numbers.append(values).map { $0 + 1 }  // `concat(Signal(values))`
      _ = numbers.startWith(values).map { $0 + 1 }  // `prepend(Signal(values))`
    }
    func asArguments(_ numbers: Subject<Int, any Error>) {
      _ = numbers.concat(.deferred { .just(3) }).map { $0 + 1 }  // `Signal.deferred { … }`
      _ = numbers.concat(.task { 3 }).map { $0 + 1 }  // `Signal.task { … }`
      _ = numbers.concat(.task { throw CancellationError() }, numbers)  // `Signal.task { … }`
      _ = numbers.take(until: .task(priority: .low) { 3 })  // `Signal.task { … }`
      _ = numbers.concat(.create { $0.send(3); return nil }).map { $0 + 1 }  // `Signal.create { … }`
      _ = numbers.concat(.generate(1, while: { $0 < 9 }, next: { $0 + 1 }, result: { $0 }))  // >.generate(…)`
      _ = numbers.concat(.using(resource: { ActionDisposable {} }, signal: { _ in .just(3) }))  // >.using(
    }
    func besideOneThatCanFail(_ ticks: Subject<Int, Never>, _ numbers: Subject<Int, Oops>) {
      _ = ticks.combineLatest(with: numbers).map { $0 + $1 }  // `setFailureType(to:)`
      _ = ticks.map { $0 + 1 }.zip(with: numbers.map { $0 * 2 }).map { $0 + $1 }  // `setFailureType(to:)`
      _ = ticks.zip(with: numbers, waiting: .unbounded)  // `setFailureType(to:)`
      _ = ticks.merge(with: numbers).map { $0 + 1 }  // `setFailureType(to:)`
      _ = ticks.withLatest(from: numbers).map { $0 + $1 }  // `setFailureType(to:)`
      _ = ticks.sample(on: numbers).map { $0 + 1 }  // `setFailureType(to:)`
      _ = ticks.switchIfEmpty(numbers).map { $0 + 1 }  // `setFailureType(to:)`
      _ = ticks.race(with: numbers).map { $0 + 1 }  // `setFailureType(to:)`
      _ = ticks.map { $0 > 1 }.and(numbers.map { $0 > 1 }).map { !$0 }  // `setFailureType(to:)`
      _ = ticks.map { $0 > 1 }.or(numbers.map { $0 > 1 }).map { !$0 }  // `setFailureType(to:)`
      _ = numbers.setFailureType(to: (any Error).self).map { $0 + 1 }  // `mapError { $0 as any Error }`
    }
    func policiesWithoutACount(_ numbers: Subject<Int, Oops>) {
      _ = numbers.retry(.delayed(by: .seconds(1), on: .pool)).map { $0 + 1 }  // `.forever.delayed(…)`
      _ = numbers.retry(.backoff(from: .seconds(1), upTo: .seconds(9), on: .pool))  // `.upTo(3).backoff(…)`
    }
    func theUsualCalls(_ ticks: Subject<Int, Never>, _ numbers: Subject<Int, Oops>) {
      let _: Signal<Int, Never> = ticks.combineLatest(with: ticks.map { $0 + 1 }).map { $0 + $1 }
      let _: Signal<Int, Never> = ticks.zip(with: ticks, waiting: .unbounded).map { $0 + $1 }
      let _: Signal<Int, Never> = ticks.merge(with: Signal.empty()).map { $0 + 1 }
      let _: Signal<Int, Never> = ticks.merge(with: Signal.never(), ticks).map { $0 + 1 }
      let _: Signal<Int, Oops> = numbers.merge(with: Signal.empty()).map { $0 + 1 }
      let _: Signal<Int, Oops> = numbers.merge(with: Signal.fail(Oops(code: 1)), numbers).map { $0 + 1 }
      let _: Signal<Int, Oops> = numbers.combineLatest(with: Signal.just(3)).map { $0 + $1 }
      let _: Signal<Int, Oops> = numbers.retry(.upTo(3).delayed(by: .seconds(1), on: .pool)).map { $0 + 1 }
      let _: Signal<Int, Oops> = numbers.append(1, 2).startWith(3).prepend(Signal([4])).concat(.just(5))
      let _: Signal<Int, Oops> = numbers.race(with: ticks).switchIfEmpty(ticks).map { $0 + 1 }
      let _: Signal<Int, Never> = ticks.concat(.empty()).prepend(ticks).race(with: .never()).map { $0 + 1 }
      let _: Signal<Int, Oops> = numbers.concat(.range(0..<3)).concat(.range(1...3)).concat(.repeatElement(3))
      let _: Signal<Bool, Oops> = numbers.map { $0 > 1 }.and(ticks.map { $0 > 1 }).or(.just(true)).map { !$0 }
      let _: Signal<[Int], Oops> = numbers.collect().append([1, 2]).startWith([]).map { $0 + [3] }
    }
    """

  private let mistakes = """
    import Weir
    struct Oops: Error {}
    actor Table { func insert(_ number: Int) throws {} }
    func insideClosures(_ numbers: Subject<Int, Never>, _ table: Table) {
      numbers.subscribe { print($0.nothing) }  // has no member 'nothing'
      numbers.subscribe { number in
        let missing = number.nothing  // has no member 'nothing'
        print(missing)
      }
      numbers.filter { $0 > 1 }.map { $0 * 2 }.subscribe { print($0.nothing) }  // has no member 'nothing'
      numbers.flatMap { n in print(n); return .just(n) as Signal<Int, Never> }.subscribe { print($0) }  // 'Signal<Any
      numbers.subscribe { try? await table.insert($0) }  // async
      numbers.map { $0 * 2 }.subscribe { _ = await table }  // async
      numbers.subscribe { print() }  // expects 1 argument
      numbers.zip(with: numbers).subscribe { number, _ in print(number.nothing) }  // has no member 'nothing'
      _ = numbers.take { $0.nothing }  // has no member 'nothing'
      _ = numbers.concat(.just(numbers.nothing))  // has no member 'nothing'
      _ = numbers.concat(.fail(7))  // expected argument type 'Subject<Int, Never>.Failure' (aka 'Never')
      _ = numbers.race(with: numbers.map { $0.nothing })  // has no member 'nothing'
      _ = numbers.concat(.range(0..<numbers.nothing))  // has no member 'nothing'
      _ = numbers.concat(.repeatElement("a"))  // expected argument type 'Subject<Int, Never>.Value' (aka 'Int')
      _ = Signal<Int, Oops>.create { $0.nothing(); return nil }  // has no member 'nothing'
      _ = Signal<Int, Oops>.generate(1, while: { $0 < 9 }, next: { $0.nothing }, result: { $0 })  // 'nothing'
      _ = numbers.merge(with: .just("a"))  // expected argument type 'Subject<Int, Never>.Value' (aka 'Int')
      _ = numbers.group(by: { $0 }, lifetime: .until { $0.filter { $0.nothing } })  // has no member 'nothing'
      _ = numbers.group(by: { $0 }, lifetime: .until { $0.map { $0 + "a" } })  // binary operator '+' cannot be applied
      _ = numbers.skip { $0.nothing }  // has no member 'nothing'
      _ = numbers.debounce(.seconds(1), on: .pool) { $0.nothing }  // has no member 'nothing'
      _ = numbers.debounce(.seconds(1), on: .pool).map { $0.nothing }  // has no member 'nothing'
      MutableProperty(1).signal.subscribe { print($0.nothing) }  // has no member 'nothing'
      numbers.setFailureType(to: (any Error).self).subscribe { print($0.nothing) }  // has no member 'nothing'
    }
    """

  private let ownNames = """
    import Weir
    extension SignalConvertible {
      func sink(receiveValue: @escaping @Sendable (Value) -> Void) -> Subscription { subscribe(next: receiveValue) }
      func removeDuplicates() -> Signal<Value, Failure> { signal }
      func prefix(_ count: Int) -> Signal<Value, Failure> { take(first: count) }
      func throttle(_ quiet: Duration, on scheduler: some TimedScheduler) -> Signal<Value, Failure> { signal }
    }
    extension ObserverProtocol {
      func send(completion: Completion<Failure>) { terminate(completion) }
    }
    extension Subscription {
      func store(in bag: inout [Subscription]) { bag.append(self) }
      func cancel() { dispose() }
    }
    struct Countdown: Sequence, SignalConvertible {
      func makeIterator() -> AnyIterator<Int> { AnyIterator { nil } }
      var signal: Signal<Int, Never> { .empty() }
    }
    func calls(_ numbers: Subject<Int, Never>) {
      var bag: [Subscription] = []
      numbers.removeDuplicates().prefix(3).throttle(.seconds(1), on: .pool).sink { print($0) }.store(in: &bag)
      for subscription in bag { subscription.cancel() }
      numbers.send(completion: .completed)
      print(Array(Countdown().prefix(3)), Array(Countdown().dropFirst()), Countdown().first { $0 > 1 } ?? 0)
      print(Array(Countdown().drop { $0 > 1 }), Countdown().allSatisfy { $0 > 1 }, Countdown().contains { $0 > 1 })
    }
    """
}

extension TypeChecker {
  /// The compiler's errors about a source, and their lines.
  fileprivate static func errors(in source: String) throws -> [(line: Int, text: String)] {
    let file = FileManager.default.temporaryDirectory.appending(path: "weir-\(UUID().uuidString).swift")
    try source.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    return try typeCheck([file]).split(separator: "\n").compactMap { line in
      guard let match = line.firstMatch(of: /^\/.*\.swift:([0-9]+):[0-9]+: error: (.*)$/),
        let number = Int(match.1)
      else { return nil }
      return (number, String(match.2))
    }
  }
}
