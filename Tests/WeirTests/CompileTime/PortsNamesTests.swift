// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing

extension NamesElsewhereTests {
  @Test(
    "a line ported from ReactiveSwift, RxSwift, Combine or RxJava gives one error, which says what to write")
  func ports() throws {
    try expectErrors(in: calls, count: 80) { $0.contains("unavailable: ") && $0.contains($1) }
  }

  @Test("where there are hints for ports, a mistake in a call of Weir's gives one error about that mistake")
  func besidePorts() throws {
    try expectErrors(in: otherMistakes, count: 27) { $0.contains($1) }
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
    _ observer: Observer<Int, Oops>
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
    slot.inner = signal.subscribe { input.send($0 + 1) }  // `swap(_:)`
    slot.disposable = ticks.subscribe { print($0) }  // `swap(_:)`
    _ = numbers.flatMapError { _ in .empty() }.map { $0 + 1 }  // `catch(_:)`
    let _: Signal<Int, Never> = numbers.flatMapError { print($0); return .just(3) }.map { $0 + 1 }  // `catch(_:)`
    state <~ numbers.flatMapError { _ in .empty() }  // `catch(_:)`
    numbers.flatMapError { _ in Signal<Int, Never>.just(3) }.subscribe { print($0) }  // `catch(_:)`
  }
  func rxSwift(
    _ numbers: Subject<Int, Oops>, _ ticks: Subject<Int, Never>, _ users: Subject<User, Oops>,
    _ state: MutableProperty<Int>, _ current: CurrentValue<Int, Oops>, _ observer: Observer<Int, Oops>,
    _ queue: Elsewhere
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
    ticks.bind(onNext: { print($0) })  // `subscribe(next:)`
    numbers.on(.next(3))  // `send(_:)`, which takes an event, too
    numbers.on(.error(Oops(code: 3)))  // `fail(_:)`
    observer.on(.completed)  // `send(_:)`, which takes an event, too
    current.accept(3)  // `send(_:)`
    state.accept(3)  // assign to `value`
    current.value = 3  // `send(_:)`
    current.value += 3  // `modify(_:)`
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
    current.modify { $0.nothing() }  // has no member 'nothing'
    print(current.value.nothing)  // has no member 'nothing'
    let text: String = current.value  // cannot convert value of type 'Int'
    slot.disposable?.nothing()  // has no member 'nothing'
    print(text)
  }
  """
