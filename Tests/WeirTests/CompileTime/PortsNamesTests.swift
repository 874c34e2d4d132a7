// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing

extension NamesElsewhereTests {
  @Test(
    "a line ported from ReactiveSwift, RxSwift, Combine or RxJava gives one error, which says what to write")
  func ports() throws {
    try expectErrors(in: calls, count: 93) { $0.contains("unavailable: ") && $0.contains($1) }
  }

  @Test("a flatMap to a signal that can fail, of one that cannot, gives one error, which says so")
  func flatMapThatCanFail() throws {
    try expectErrors(in: flatMaps, count: 11) { $0.contains("'flatMap' is unavailable: ") && $0.contains($1) }
  }

  @Test(
    "where flatMap has a hint, a mistake in its closure still gives one error, which is about that mistake")
  func insideFlatMap() throws {
    try expectErrors(in: mistakesInFlatMap, count: 33) { $0.contains($1) }
  }

  @Test("where there are hints for ports, a mistake in a call of Weir's gives one error about that mistake")
  func besidePorts() throws {
    try expectErrors(in: otherMistakes, count: 33) { $0.contains($1) }
  }
}

private let calls = """
  import Weir
  import WeirFoundation
  struct Oops: Error { var code = 0 }
  struct User: Sendable { var id = 0 }
  struct Elsewhere {}
  func reactiveSwift(
    _ numbers: Subject<Int, Oops>, _ ticks: Subject<Int, Never>, _ state: MutableProperty<Int>, _ slot: SerialDisposable,
    _ observer: Observer<Int, Oops>, _ command: Command<Int, Int, Oops>
  ) {
    _ = ticks.on(started: { print() }, terminated: { print() }).map { $0 + 1 }  // `on(disposed:)`, since `finally(_:)`
    _ = numbers.on(starting: { print() }, failed: { print($0) }, terminated: { print() })  // `started` is `initially(_:)`
    _ = numbers.on(starting: { print() }, completed: { print() }).map { $0 + 1 }  // `initially(_:)`, `doNext(_:)`
    _ = ticks.prefix(ticks).map { $0 + 1 }  // `prepend(_:)`
    numbers.start()  // `subscribe(next:failed:completed:)`
    numbers.start { print($0) }  // `subscribe(next:failed:completed:)`
    numbers.start(observer)  // `forward(to:)`
    numbers.startWithResult { print($0) }  // `subscribe(next:failed:completed:)`
    numbers.startWithFailed { print($0.code) }  // `subscribe(failed:)`
    numbers.startWithCompleted { print() }  // `subscribe(completed:)`
    numbers.observe { event in print(event) }  // `subscribe(next:failed:completed:)`
    numbers.observe { if case .next(let number) = $0 { print(number + 1) } }  // `subscribe(next:failed:completed:)`
    numbers.observeResult { print($0) }  // `subscribe(next:failed:completed:)`
    numbers.observeFailed { print($0.code) }  // `subscribe(failed:)`
    numbers.observeCompleted { print() }  // `subscribe(completed:)`
    _ = numbers.observe(.pool).map { $0 + 1 }  // `observe(on:)`
    _ = numbers.concat(value: 3).map { $0 + 1 }  // `append(_:)`
    _ = numbers.collect(every: .seconds(1), on: .pool).map { $0.count }  // `collect(within:on:)`
    _ = numbers.sample(with: ticks).map { $0 + $1 }  // `sampler.withLatest(from: signal)
    _ = numbers.replayLazily(upTo: 1).map { $0 + 1 }  // `share(replay: .last(n), lifetime: .forever, disconnecting:
    _ = Signal<Int, Oops>(value: 3).map { $0 + 1 }  // `.just(value)`
    _ = Signal<Int, Oops>(error: Oops(code: 3)).map { $0 + 1 }  // `.fail(error)`
    let (signal, input) = Signal<Int, Never>.pipe()  // a `Subject`
    numbers.send(error: Oops())  // `fail(_:)`
    observer.send(error: Oops(code: 3))  // `fail(_:)`
    command.apply(3).subscribe { print($0) }  // `execute(_:)`, which executes at once
    slot.inner = signal.subscribe { input.send($0 + 1) }  // `swap(_:)`
    _ = numbers.flatMapError { _ in .empty() }.map { $0 + 1 }  // `catch(_:)`
    let _: Signal<Int, Never> = numbers.flatMapError { print($0); return .just(3) }.map { $0 + 1 }  // `catch(_:)`
    state <~ numbers.flatMapError { _ in .empty() }  // `catch(_:)`
    numbers.flatMapError { _ in Signal<Int, Never>.just(3) }.subscribe { print($0) }  // `catch(_:)`
  }
  func rxSwift(
    _ numbers: Subject<Int, Oops>, _ ticks: Subject<Int, Never>, _ users: Subject<User, Oops>,
    _ state: MutableProperty<Int>, _ current: CurrentValue<Int, Oops>, _ observer: Observer<Int, Oops>,
    _ queue: Elsewhere, _ lifetime: Lifetime, _ command: Command<Int, Int, Oops>
  ) {
    let _: Signal<Int, Never> = numbers.catchError { _ in .empty() }  // `catch(_:)`
    _ = ticks.replay(1).autoconnect().map { $0 + 1 }  // `multicast(ReplaySubject(capacity: .last(n)))`
    let _: MulticastConnection<Int, Never> = ticks.replay(3)  // with `refCount()` it is `share(replay: .last(n))`
    _ = numbers.do(onNext: { print($0) }, onSubscribed: { print() }).map { $0 + 1 }  // `doNext(_:)`
    _ = numbers.do(afterNext: { print($0) }).map { $0 + 1 }  // `doNext(_:)`
    _ = users.distinctUntilChanged(\\.id).map { $0.id }  // `distinctUntilKeyChanged(_:)`
    _ = users.distinctUntilChanged(at: \\.id).map { $0.id }  // `distinctUntilKeyChanged(_:)`
    _ = numbers.asDriver(onErrorJustReturn: 3).map { $0 + 1 }  // `share(replay: 1)`
    _ = ticks.asDriver().map { $0 + 1 }  // `observe(on: .main)`
    ticks.drive(onNext: { print($0) })  // `subscribe(next:failed:completed:)`
    ticks.drive(state)  // `bind(to:)`
    numbers.on(.next(3))  // `send(_:)`, which takes an event, too
    numbers.on(.error(Oops(code: 3)))  // `fail(_:)`
    observer.on(.completed)  // `send(_:)`, which takes an event, too
    current.accept(3)  // `send(_:)`
    state.accept(3)  // assign to `value`
    _ = state.asObservable().map { $0 + 1 }  // `signal`
    _ = state.asDriver().map { $0 + 1 }  // `signal.observe(on: .main)`
    _ = Signal<Int, Oops>.of(1, 2).map { $0 + 1 }  // `Signal(values)`, of an array
    _ = Signal<Int, Oops>.from([1, 2]).map { $0 + 1 }  // `Signal(values)`
    _ = Signal<Int, Never>.interval(.seconds(1), on: .pool).map { $0 + 1 }  // `Signal.ticks(every:on:).enumerated()
    let _: Signal<Int, Never> = .interval(.seconds(1), on: .pool)  // `interval` sends the time
    let _: Signal<Int, Never> = Signal.interval(.seconds(1), on: .pool)  // `interval` sends the time
    Signal.interval(.seconds(1), on: .pool).subscribe { print($0 + 1) }  // `interval` sends the time
    _ = ticks.merge(with: Signal.interval(.seconds(1), on: .pool))  // `interval` sends the time
    print(numbers.hasObservers)  // `subscriberCount > 0`
    lifetime.insert(numbers.subscribe { print($0) })  // `adopt(_:)`
    _ = command.elements.map { $0 + 1 }  // `executions.flatten()`
    numbers.subscribe { print($0) } onError: { print($0) }  // `subscribe(next:failed:completed:)`
    _ = ReplaySubject<Int, Oops>.create(bufferSize: 3)  // `ReplaySubject(capacity: .last(size))`
    _ = ReplaySubject<Int, Oops>.createUnbounded()  // `ReplaySubject(capacity: .unbounded)`
    _ = numbers.observe(on: MainScheduler.instance).map { $0 + 1 }  // `.main`
    _ = numbers.subscribing(on: MainScheduler.asyncInstance).map { $0 + 1 }  // `.main`
    _ = numbers.delay(.seconds(1), scheduler: .pool).map { $0 + 1 }  // `delay(_:on:)`
    _ = numbers.delay(.seconds(1), scheduler: queue).map { $0 + 1 }  // `delay(_:on:)`
    _ = numbers.timeout(.seconds(1), scheduler: .pool).map { $0 + 1 }  // with `.idle(time)`; to complete
    _ = ticks.timeout(.seconds(1), scheduler: queue).map { $0 + 1 }  // `switchingTo: .empty()`
    _ = numbers.timeout(.seconds(1), other: ticks, scheduler: queue).map { $0 + 1 }  // `timeout(_:on:switchingTo:)`
    _ = numbers.timeout(.seconds(1), scheduler: .pool, customError: { Oops() })  // `timeout(_:on:failing:)` with `.idle
    _ = numbers.timeout(.seconds(1), scheduler: queue) { Oops(code: 3) }.map { $0 + 1 }  // with `.idle(time)`
    _ = numbers.timeout(.seconds(1)).map { $0 + 1 }  // `timeout(.idle(time), on: .pool, failing: error)`
    _ = numbers.timeout(.idle(.seconds(1))).map { $0 + 1 }  // as in `on: .pool`
    _ = numbers.delay(.seconds(1)).map { $0 + 1 }  // as in `on: .pool`
  }
  func rxJava(_ numbers: Subject<Int, Oops>, _ ticks: Subject<Int, Never>) {
    _ = numbers.mergeWith(ticks).map { $0 + 1 }  // `merge(with:)`
    _ = numbers.concatWith(ticks).map { $0 + 1 }  // `concat(_:)`
    _ = numbers.doOnComplete { print() }.map { $0 + 1 }  // `doCompleted(_:)`
    _ = numbers.doOnSubscribe { _ in print() }.map { $0 + 1 }  // `initially(_:)`
    _ = numbers.doOnTerminate { print() }.map { $0 + 1 }  // `finally(_:)`
    _ = numbers.onErrorComplete().map { $0 + 1 }  // `catch { _ in .empty() }`
    _ = numbers.doOnSubscribe { print() }.map { $0 + 1 }  // `initially(_:)`
    _ = numbers.doFinally { print() }.map { $0 + 1 }  // `on(disposed:)`
    _ = numbers.doFinally { _ in print() }.map { $0 + 1 }  // `on(disposed:)`
    _ = numbers.onErrorReturn(3).map { $0 + 1 }  // `catchAndReturn(_:)`
    _ = numbers.onErrorReturn { $0.code }.map { $0 + 1 }  // `catch { error in .just(…) }`
    _ = numbers.onErrorResume { .fail($0) }.map { $0 + 1 }  // `catch(_:)`
    let _: Signal<Int, Never> = numbers.onErrorResume { _ in .just(3) }.map { $0 + 1 }  // `catch(_:)`
    _ = numbers.onErrorMap { $0 as any Error }.map { $0 + 1 }  // `mapError(_:)`
    _ = numbers.flatMapSequential { .just($0 + 1) }.map { $0 + 1 }  // `flatMap(.ordered(limit:))`
    _ = numbers.flatMapIterable { [$0, $0] }.map { $0 + 1 }  // `map(_:)` and `joined()`
    _ = numbers.collectList().map { $0.count }  // `collect()`
    _ = numbers.toList().map { $0.count }  // `collect()`
    _ = numbers.shareReplay(3).map { $0 + 1 }  // `share(replay: .last(n))`
  }
  """

private let flatMaps = """
  import Weir
  struct Oops: Error {}
  func read(_ number: Int) throws -> String { "" }
  func load(_ number: Int) -> Signal<String, any Error> { .just("") }
  func flatMaps(_ numbers: Subject<Int, Never>) {
    numbers.flatMap { load($0) }.subscribe(next: { print($0) }, failed: { print($0) })  // `setFailureType(to:)` before
    numbers.flatMap(.latest) { load($0) }.subscribe(next: { print($0) }, failed: { print($0) })  // `setFailureType(to:)`
    _ = numbers.flatMap(load).map { $0.count }  // `setFailureType(to:)`
    _ = numbers.flatMap(.concat) { number -> Signal<String, any Error> in load(number) }  // `setFailureType(to:)`
    let _: Signal<String, any Error> = numbers.flatMap(.latest) { number in load(number) }  // `setFailureType(to:)`
    let _: Signal<String, any Error> = numbers.flatMap(.latest) { number in  // or `catch` in its closure
      guard number > 0 else { return .empty() }
      return load(number)
    }
    let _: Signal<String, any Error> = numbers.map { $0 + 1 }.filter { $0 > 0 }.flatMap { _ in .task { "" } }  // cannot fail
    let _: Signal<String, any Error> = numbers.flatMap(.merge(limit: 3)) { n in .task { try read(n) } }  // cannot fail
    let _: Signal<String, any Error> = numbers.flatMap { n in Signal.task { try read(n) } }  // cannot fail
    let _: Signal<Int, any Error> = numbers.flatMap { Signal.just($0) }  // cannot fail
    numbers.flatMap { _ in .fail(Oops()) }.subscribe { (number: Int) in print(number) }  // cannot fail
    let _: Signal<String, any Error> = numbers.setFailureType(to: (any Error).self).flatMap { load($0) }
    let _: Signal<String, Never> = numbers.flatMap(.latest) { load($0).catch { _ in .empty() } }
  }
  """

private let mistakesInFlatMap = """
  import Weir
  struct User: Sendable { var name = "" }
  func load(_ number: Int) -> Signal<String, Never> { .just("") }
  func pair(_ number: Int, _ text: String) -> Signal<String, Never> { .just(text) }
  func awaited(_ number: Int) async -> String { "" }
  func read(_ number: Int) async throws -> String { "" }
  func mistakes(
    _ s: Subject<Int, Never>, _ words: Subject<String, Never>, _ users: Subject<User, Never>, _ state: MutableProperty<Int>
  ) {
    s.flatMap { n in load(n.nothing) }.subscribe { print($0) }  // has no member 'nothing'
    s.flatMap { n in load("a") }.subscribe { print($0) }  // cannot convert value of type 'String'
    s.flatMap { load($0).nothing }.subscribe { print($0) }  // has no member 'nothing'
    s.flatMap { load($0).map { $0.nothing } }.subscribe { print($0) }  // has no member 'nothing'
    s.flatMap { n in pair(n) }.subscribe { print($0) }  // missing argument for parameter #2
    s.flatMap { n, m in load(n) }.subscribe { print($0) }  // expects 1 argument, but 2 were used
    s.flatMap { load(7) }.subscribe { print($0) }  // expects 1 argument, which cannot be implicitly ignored
    s.flatMap { n in words }.subscribe { print($0) }  // cannot convert value of type 'Subject<String, Never>'
    s.flatMap { n in n + 1 }.subscribe { print($0) }  // cannot convert value of type 'Int'
    s.flatMap { n in state }.subscribe { print($0) }  // cannot convert value of type 'MutableProperty<Int>'
    s.flatMap { n in await awaited(n) }.subscribe { print($0) }  // parameter expecting synchronous function type
    s.flatMap { n in .task { await awaited(n.nothing) } }.subscribe { (text: String) in print(text) }  // 'nothing'
    s.flatMap { n in load(missing) }.subscribe { print($0) }  // cannot find 'missing' in scope
    s.flatMap { n in guard n > 0 else { return .empty() }; return load(n.nothing) }.subscribe { (text: String) in print(text) }  // 'nothing'
    s.flatMap { n -> Signal<String, Never> in print(); return load(n.nothing) }.subscribe { print($0) }  // 'nothing'
    s.flatMap { n in .just(n.nothing) }.subscribe { (number: Int) in print(number) }  // has no member 'nothing'
    s.flatMap { n in .just(n) }.map { $0.nothing }.subscribe { print($0) }  // has no member 'nothing'
    s.map { $0.nothing }.flatMap { load($0) }.subscribe { print($0) }  // has no member 'nothing'
    users.flatMap { user in load(user.name) }.subscribe { print($0) }  // cannot convert value of type 'String'
    s.flatMap(.latst) { load($0) }.subscribe { print($0) }  // has no member 'latst'
    s.flatMap(.latest) { load($0.nothing) }.subscribe { print($0) }  // has no member 'nothing'
    s.flatMap(.latest) { n in load("a") }.subscribe { print($0) }  // cannot convert value of type 'String'
    s.flatMap(.latest) { n in words }.subscribe { print($0) }  // cannot convert value of type 'Subject<String, Never>'
    s.flatMap(.merge(limit: "3")) { load($0) }.subscribe { print($0) }  // cannot convert value of type 'String'
    s.flatMap(.latest) { load(7) }.subscribe { print($0) }  // expects 1 argument, which cannot be implicitly ignored
    let _: Signal<Int, Never> = s.flatMap { load($0) }  // '@Sendable (Int) -> Signal<String, Never>'
    let _: Signal<Int, Never> = s.flatMap(.latest) { n in load(n).map { $0.nothing } }  // has no member 'nothing'
    let _: Signal<Int, Never> = s.flatMap { n in if n > 3 { return .empty() }; return .just("a") }  // of type 'String'
    s.flatMap(.latest) { n in let m = n + "a"; return .just(m) }.subscribe { (m: Int) in print(m) }  // binary operator '+'
    s.map { $0 + 1 }.flatMap { load($0).filter { $0.nothing } }.subscribe { print($0) }  // has no member 'nothing'
    s.flatMap { n in Signal.deferred { load(n.nothing) } }.subscribe { print($0) }  // has no member 'nothing'
    s.flatMap(load).subscribe { print($0.nothing) }  // has no member 'nothing'
    s.flatMap { n in Signal.task { try await read(n.nothing) }.catch { _ in .empty() } }.subscribe { print($0) }  // 'nothing'
  }
  """

private let otherMistakes = """
  import Weir
  struct Oops: Error { var code = 0 }
  struct User: Sendable, Equatable { var id = 0 }
  func mistakes(
    _ numbers: Subject<Int, Never>, _ words: Subject<String, Never>, _ users: Subject<User, Never>,
    _ failing: Subject<Int, any Error>, _ typed: Subject<Int, Oops>, _ current: CurrentValue<Int, Never>,
    _ slot: SerialDisposable
  ) {
    _ = failing.timeout(.idle(.seconds(1)), on: .nothing)  // 'nothing'
    _ = typed.timeout(.idle(.seconds(1)), on: .pool, failing: "a")  // of type 'String'
    _ = numbers.delay(1, on: .pool)  // cannot convert value of type 'Int' to expected argument type 'Duration'
    _ = numbers.delay(.seconds(1), on: .pool).map { $0.nothing }  // has no member 'nothing'
    _ = numbers.replay().nothing  // has no member 'nothing'
    numbers.replay().subscribe { print($0.nothing) }  // has no member 'nothing'
    _ = numbers.replayLazily().map { $0.nothing }  // has no member 'nothing'
    numbers.observe(on: .pool).map { $0.nothing }.subscribe { print($0) }  // has no member 'nothing'
    numbers.concat(.just("a")).subscribe { print($0) }  // cannot convert value of type 'String'
    numbers.collect(within: .seconds(1)).subscribe { print($0) }  // missing argument for parameter 'on'
    numbers.collect(count: "a").subscribe { print($0) }  // cannot convert value of type 'String'
    numbers.collect().map { $0.nothing }.subscribe { print($0) }  // has no member 'nothing'
    numbers.sample(on: words.map { $0.nothing }).subscribe { print($0) }  // has no member 'nothing'
    users.distinctUntilChanged { $0.nothing == $1.id }.subscribe { print($0) }  // has no member 'nothing'
    users.distinctUntilChanged(comparing: { $0.id == $1.nothing }).subscribe { print($0) }  // has no member 'nothing'
    users.distinctUntilKeyChanged { $0.nothing }.subscribe { print($0) }  // has no member 'nothing'
    numbers.send(numbers.nothing)  // has no member 'nothing'
    typed.send(.failed(3))  // cannot convert value of type 'Int'
    _ = numbers.on(disposed: { numbers.nothing })  // has no member 'nothing'
    _ = numbers.on(subscribed: 3)  // cannot convert value of type 'Int'
    _ = Signal<Int, Never>(catching: { 3.nothing })  // has no member 'nothing'
    _ = Signal(words.nothing)  // has no member 'nothing'
    _ = Signal<Int, Oops>.create { observer in observer.nothing(); return nil }  // has no member 'nothing'
    _ = Signal.interval(.seconds(1))  // missing argument for parameter 'on'
    _ = Signal.interval(.seconds(1), on: .pool).map { $0.nothing }  // has no member 'nothing'
    numbers.take(until: .interval(.seconds(1), on: .pool)).subscribe { print($0.nothing) }  // has no member 'nothing'
    numbers.subscribe(onNext: { print($0) })  // have 'onNext:', expected 'next:'
    let _: Signal<String, Never> = numbers.bind { { n in n > 3 ? .stop : .nothing } }  // 'nothing'
    let _: Signal<String, Never> = words.bind { let n = nothing(); return { word in .stop } }  // 'nothing' in scope
    current.modify { $0.nothing() }  // has no member 'nothing'
    print(current.value.nothing)  // has no member 'nothing'
    let text: String = current.value  // cannot convert value of type 'Int'
    slot.disposable?.nothing()  // has no member 'nothing'
    print(text)
  }
  """
