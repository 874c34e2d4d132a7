// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

struct BindTests {
  /// The two ways to stop a source.
  private static let stops: [@Sendable (Signal<Int, Oops>) -> Binding<Int, Oops>] = [
    { .last($0) }, { _ in .stop },
  ]

  @Test(
    "B1: bind completes when the source and all inner signals have completed, whichever is last",
    arguments: [0, 1, 2])
  func completion(last: Int) {
    let source = Subject<Int, Oops>()
    let inner = [Subject<Int, Oops>(), Subject<Int, Oops>()]
    let recorder = Recorder(source.bind { { .next(inner[$0].signal) } })
    source.send(0)
    source.send(1)
    let ends: [@Sendable () -> Void] = [
      { source.complete() }, { inner[0].complete() }, { inner[1].complete() },
    ]
    for index in 0..<3 where index != last { ends[index]() }
    #expect(recorder.completion == nil)
    ends[last]()
    #expect(recorder.events == [.completed])
    #expect(recorder.subscription.isDisposed)
  }

  @Test(
    "B2: a failure of the source or of an inner signal disposes all of them, then is sent",
    arguments: [false, true])
  func failure(ofSource: Bool) throws {
    let log = Box<[String]>([])
    func open(_ name: String, _ held: Held<Oops>) -> Signal<Int, Oops> {
      .create { observer in
        held.value = observer
        return ActionDisposable { log.value.append("\(name) cleaned") }
      }
    }
    let (source, first, second) = (Held<Oops>(nil), Held<Oops>(nil), Held<Oops>(nil))
    let (one, two) = (open("first", first), open("second", second))
    open("source", source).bind { { .next($0 == 1 ? one : two) } }.subscribe(
      next: { log.value.append("\($0)") }, failed: { log.value.append("failed \($0.code)") })
    source.value?.send(1)
    source.value?.send(2)
    second.value?.send(7)
    if ofSource { source.value?.fail(Oops(code: 9)) } else { first.value?.fail(Oops(code: 9)) }
    second.value?.send(8)
    try #require(log.value.count == 5)
    #expect(Set(log.value[1..<4]) == ["source cleaned", "first cleaned", "second cleaned"])
    #expect([log.value[0], log.value[4]] == ["7", "failed 9"])
  }

  @Test("B2 AC15: a synchronous source starts no further inner signal after one has failed synchronously")
  func synchronousFailure() {
    let bound = Box<[Int]>([])
    let recorder = Recorder(
      Signal<Int, Oops>([0, 1]).bind {
        { value in
          .next(
            .deferred {
              bound.value.append(value)
              return value == 0 ? Signal.fail(Oops()) : .just(value)
            })
        }
      })
    #expect(bound.value == [0])
    #expect(recorder.events == [.failed(Oops())])
  }

  @Test("B3 AC13: stop disposes the source; running inner signals continue")
  func stop() {
    let cleanup = Counter()
    let held = Held<Oops>(nil)
    let source = Signal<Int, Oops>.create { observer in
      held.value = observer
      return ActionDisposable { cleanup.add() }
    }
    let open = Subject<Int, Oops>()
    let calls = Counter()
    let recorder = Recorder(
      source.bind {
        { value in
          calls.add()
          return value == 1 ? .next(open.signal) : .stop
        }
      })
    held.value?.send(1)
    #expect(cleanup.value == 0)
    held.value?.send(2)
    #expect(cleanup.value == 1)
    held.value?.send(1)
    #expect(calls.value == 2)
    open.send(10)
    #expect(recorder.events == [.next(10)])
    open.complete()
    #expect(recorder.events == [.next(10), .completed])
  }

  @Test("B4 AC14: last runs its signal, then disposes the source; running inner signals continue")
  func last() {
    let log = Box<[String]>([])
    let held = Held<Oops>(nil)
    let source = Signal<Int, Oops>.create { observer in
      held.value = observer
      return ActionDisposable { log.value.append("source cleaned") }
    }
    let open = Subject<Int, Oops>()
    let recorder = Recorder(
      source.bind {
        { value in
          if value == 1 { return .next(open.signal) }
          return .last(
            .create { observer in
              log.value.append("last runs")
              observer.send(2)
              observer.complete()
              return nil
            })
        }
      })
    held.value?.send(1)
    held.value?.send(2)
    #expect(log.value == ["last runs", "source cleaned"])
    held.value?.send(1)
    open.send(10)
    open.complete()
    #expect(recorder.events == [.next(2), .next(10), .completed])
  }

  @Test("B5: stop ends an infinite source, also at its first value", arguments: [0, 3])
  func stopOnInfiniteSource(at end: Int) {
    let calls = Counter()
    let recorder = Recorder(
      Signal<Int, Never>(0...).bind {
        { value in
          calls.add()
          return value == end ? .stop : .next(.just(value))
        }
      })
    #expect(recorder.events == (0..<end).map { .next($0) } + [.completed])
    #expect(calls.value == end + 1)
  }

  @Test("B6 AC16: with a synchronous source, bind completes only after the asynchronous signal of last")
  func synchronousSourceAsynchronousLast() {
    let inner = Subject<Int, Never>()
    let calls = Counter()
    let recorder = Recorder(
      Signal<Int, Never>.just(1).bind {
        { _ in
          calls.add()
          return .last(inner.signal)
        }
      })
    #expect(recorder.events.isEmpty)
    inner.send(5)
    #expect(recorder.events == [.next(5)])
    inner.complete()
    #expect(recorder.events == [.next(5), .completed])
    #expect(calls.value == 1)
  }

  @Test(
    "B6: the closure is not called again for a synchronous source after stop or last",
    arguments: stops.indices)
  func synchronousSourceIsNotBoundAgain(stop: Int) {
    let calls = Counter()
    let inner = Subject<Int, Oops>()
    let source = Signal<Int, Oops>.create { observer in
      for value in 0..<5 { observer.send(value) }
      observer.complete()
      return nil
    }
    let recorder = Recorder(
      source.bind {
        { value in
          calls.add()
          return value == 0 ? .next(inner.signal) : Self.stops[stop](.empty())
        }
      })
    #expect(calls.value == 2)
    #expect(recorder.events.isEmpty)
    inner.complete()
    #expect(recorder.events == [.completed])
  }

  @Test(
    "B6: a source that sends and completes after last, without checking for disposal, is not counted twice")
  func carelessSource() {
    let inner = Subject<Int, Never>()
    let calls = Counter()
    let careless = Signal<Int, Never>.attaching { sink in
      sink.next(1)
      sink.next(2)
      sink.terminate(.completed)
    }
    let recorder = Recorder(
      careless.bind {
        { _ in
          calls.add()
          return .last(inner.signal)
        }
      })
    inner.send(5)
    inner.complete()
    #expect(recorder.events == [.next(5), .completed])
    #expect(calls.value == 1)
  }

  @Test("B7 AC17: state created in the outer closure is new for each subscription")
  func freshState() {
    let counting = Signal<Int, Never>([9, 9, 9]).bind {
      let count = Box(0)
      return { _ in
        defer { count.value += 1 }
        return .next(.just(count.value))
      }
    }
    #expect(Recorder(counting).values == [0, 1, 2])
    #expect(Recorder(counting).values == [0, 1, 2])
    #expect(Recorder(counting.zip(with: counting).map { $0.0 + $0.1 }).values == [0, 2, 4])
  }

  @Test("B7: overlapping subscriptions have separate state")
  func interleavedState() {
    let subject = Subject<Int, Never>()
    let counting = subject.bind {
      let count = Box(0)
      return { _ in
        defer { count.value += 1 }
        return .next(.just(count.value))
      }
    }
    let first = Recorder(counting)
    subject.send(0)
    let second = Recorder(counting)
    subject.send(0)
    #expect(first.values == [0, 1])
    #expect(second.values == [0])
  }

  @Test("the outer closure runs once for each subscription, not before")
  func lazy() {
    let starts = Counter()
    let signal = Signal<Int, Never>.just(1).bind {
      starts.add()
      return { .next(.just($0)) }
    }
    #expect(starts.value == 0)
    signal.subscribe()
    signal.subscribe()
    #expect(starts.value == 2)
  }
}
