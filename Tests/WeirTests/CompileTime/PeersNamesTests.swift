// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing

extension NamesElsewhereTests {
  @Test("a name of Reactor, Kotlin, RxJS or Rx.NET gives one error, which says what to write instead")
  func peers() throws {
    try expectErrors(in: calls, count: 36) { text, replacement in
      text.contains("' is unavailable: ") && text.contains(replacement)
    }
  }

  @Test("where there are names of peers, a mistake in a call of Weir's gives one error about that mistake")
  func besidePeers() throws {
    try expectErrors(in: otherMistakes, count: 7) { $0.contains($1) }
  }
}

private let calls = """
  import Weir
  struct Oops: Error { var code = 0 }
  struct Elsewhere {}
  func observers(_ observer: Observer<Int, Oops>, _ operation: ActionDisposable) {
    print(observer.isDisposed)  // `isEnded`
    while !observer.isCancelled { observer.send(1) }  // `isEnded`
    guard !observer.isStopped else { return }  // `isEnded`
    observer.onTermination = { _ in print("gone") }  // `return ActionDisposable { … }`
    observer.onDispose { print("gone") }  // `return ActionDisposable { … }`
    observer.setDisposable(operation)  // `adopt(_:)`
    _ = Signal<Int, Oops>.create { observer in
      observer.onTermination = { _ in print("gone") }  // `return ActionDisposable { … }`
      return nil
    }
  }
  func operators(_ numbers: Subject<Int, Oops>) {
    _ = numbers.combinePrevious().map { $0 + $1 }  // `pairwise()`
    _ = numbers.mergeMap { .just($0 + 1) }.map { $0 + 1 }  // `flatMap(_:)`
    _ = numbers.takeWhile { $0 < 9 }.map { $0 + 1 }  // `take(while:)`
    _ = numbers.skipWhile { $0 < 9 }.map { $0 + 1 }  // `skip(while:)`
    _ = numbers.bufferTimeout(3, .seconds(1)).map { $0.count }  // `collect(count:within:on:)`
    _ = numbers.conflate().map { $0 + 1 }  // `.bounded(1, onOverflow: .dropOldest)`
    _ = numbers.publishOn(.pool).map { $0 + 1 }  // `observe(on:)`
    _ = numbers.tap { print($0) }.map { $0 + 1 }  // `doNext(_:)`
    _ = numbers.onEach { print($0) }.map { $0 + 1 }  // `doNext(_:)`
    _ = numbers.doOnNext { print($0) }.map { $0 + 1 }  // `doNext(_:)`
    _ = numbers.doOnError { print($0) }.map { $0 + 1 }  // `doFailed(_:)`
    _ = numbers.onNext { print($0) }.map { $0 + 1 }  // `doNext(_:)`
    _ = numbers.onError { print($0) }.map { $0 + 1 }  // `doFailed(_:)`
    _ = numbers.map { $0 + 1 }.onCompleted { print() }.map { $0 + 1 }  // `doCompleted(_:)`
  }
  func schedulers(_ numbers: Subject<Int, Oops>) {
    _ = numbers.receive(on: .pool, options: nil).map { $0 + 1 }  // `observe(on:)`
    _ = numbers.delay(for: .seconds(1), scheduler: .pool).map { $0 + 1 }  // `delay(_:on:)`
    _ = numbers.buffer(timeSpan: .seconds(1), count: 3, scheduler: .pool)  // `collect(count:within:on:)`
    _ = numbers.debounce(for: .seconds(1), scheduler: .pool).map { $0 + 1 }  // `debounce(_:on:)`
    _ = numbers.debounce(.seconds(1), scheduler: .pool).map { $0 + 1 }  // `debounce(_:on:)`
    _ = numbers.throttle(for: .seconds(1), scheduler: .pool, latest: true)  // `rateLimit(to:on:edge:)`
    _ = numbers.throttle(.seconds(1), scheduler: .pool).map { $0 + 1 }  // `rateLimit(to:on:edge:)`
  }
  func state(_ count: MutableProperty<Int>, _ dropped: DropCounter, _ command: Command<Int, Int, Oops>) {
    count.set(3)  // `value`
    count.update { $0 + 1 }  // `modify(_:)`
    count.mutate { $0 += 1 }  // `modify(_:)`
    count.withLock { $0 += 1 }  // `modify(_:)`
    print(count.withLock { $0 })  // `modify(_:)`
    print(dropped.value)  // `count`
    _ = command.values.map { $0 + 1 }  // `executions.flatten()`
    command.results.subscribe { print($0) }  // `executions.flatten()`
  }
  """

private let otherMistakes = """
  import Weir
  struct Oops: Error { var code = 0 }
  func mistakes(
    _ numbers: Subject<Int, Oops>, _ count: MutableProperty<Int>, _ dropped: DropCounter,
    _ command: Command<Int, Int, Oops>
  ) {
    _ = numbers.combinePrevious(0).map { $1.nothing }  // has no member 'nothing'
    _ = numbers.debounce(.seconds(1), on: .nothing)  // 'nothing'
    count.modify { $0.nothing() }  // has no member 'nothing'
    count.value = "a"  // cannot assign value of type 'String'
    print(dropped.nothing)  // has no member 'nothing'
    _ = command.executions.flatten().map { $0.nothing }  // has no member 'nothing'
    _ = Signal<Int, Oops>.create { observer in observer.isEnded ? nil : observer.nothing }  // 'nothing'
  }
  """
