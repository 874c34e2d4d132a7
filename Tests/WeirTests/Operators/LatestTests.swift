// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Operators that store the latest value of one signal until another one sends.
struct LatestTests {
  private let left = Subject<Int, Oops>()
  private let right = Subject<String, Oops>()

  @Test(
    "withLatest pairs each value with the latest of the other, drops earlier ones, and completes with the source"
  )
  func withLatest() {
    let recorder = Recorder(left.withLatest(from: right).map { "\($0.0)\($0.1)" })
    left.send(1)
    right.send("a")
    left.send(2)
    left.send(3)
    right.send("b")
    right.complete()
    left.send(4)
    #expect(recorder.events == [.next("2a"), .next("3a"), .next("4b")])
    left.complete()
    #expect(recorder.events.last == .completed)
  }

  @Test("withLatest fails when either signal fails, and disposes the other", arguments: [false, true])
  func withLatestFails(isLeft: Bool) {
    let gone = Counter()
    let source = left.on(disposed: { gone.add() })
    let recorder = Recorder(
      source.withLatest(from: right.on(disposed: { gone.add() })).map { "\($0.0)\($0.1)" })
    right.send("x")
    left.send(1)
    if isLeft { left.fail(Oops(code: 2)) } else { right.fail(Oops(code: 2)) }
    #expect(gone.value == 2)
    left.send(2)
    #expect(recorder.events == [.next("1x"), .failed(Oops(code: 2))])
    #expect(recorder.subscription.isDisposed)
  }

  @Test(
    "withLatest retains the latest values only, and releases them when the run ends", arguments: 0..<4)
  func withLatestReleases(end: Int) {
    let resources = Resources()
    let (source, other) = (Subject<Payload, Oops>(), Subject<Payload, Oops>())
    let subscription = source.withLatest(from: other).subscribe(failed: { _ in })
    for _ in 0..<3 {
      other.send(resources.make())
      source.send(resources.make())
    }
    #expect(resources.alive == 2)
    switch end {
    case 0: subscription.dispose()
    case 1: source.complete()
    case 2: source.fail(Oops())
    default: other.fail(Oops())
    }
    #expect(resources.alive == 0)
  }

  @Test("DD-25: withLatest ends without an event and disposes the others when the source releases its sink")
  func withLatestLetsGo() {
    let (held, gone) = (Held<Oops>(nil), Counter())
    let source = Signal<Int, Oops>.create { observer in
      held.value = observer
      return nil
    }
    let other = right.on(disposed: { gone.add() })
    let forms = [
      source.withLatest(from: other).map { "\($0.0)\($0.1)" },
      source.withLatest(from: left, other).map { value, _, text in "\(value)\(text)" },
    ]
    for (index, form) in forms.enumerated() {
      let recorder = Recorder(form)
      right.send("a")
      left.send(0)
      held.value?.send(1)
      held.value = nil
      #expect(recorder.events == [.next("1a")])
      #expect(recorder.subscription.isDisposed)
      #expect(gone.value == index + 1)
    }
    // never() releases its sink without a terminal event.
    let never = Recorder(Signal<Int, Oops>.never().withLatest(from: other).map { $0.1 })
    #expect(never.events == [] && never.subscription.isDisposed)
    #expect(gone.value == 3)
  }

  @Test("withLatest sends the queued values, then ends, when the source releases its sink during a delivery")
  func withLatestLetsGoInside() {
    let (feed, gone) = (LettingGoTests.Feed(), Counter())
    let other = CurrentValue<Int, Never>(0)
    let values = Box<[Int]>([])
    let subscription = feed.signal.withLatest(from: other.on(disposed: { gone.add() })).subscribe { pair in
      values.value.append(pair.0)
      guard pair.0 == 0 else { return }
      feed.send(1, 2)
      feed.letGo()
    }
    feed.send(0)
    #expect(values.value == [0, 1, 2])
    #expect(subscription.isDisposed)
    #expect(gone.value == 1)
  }

  @Test(
    "withLatest still sends its terminal event when the other signal fails or completes during a delivery")
  func withLatestEndsInside() {
    for failing in [false, true] {
      let (source, other) = (Subject<Int, Oops>(), CurrentValue<Int, Oops>(0))
      let events = EventLog()
      events.listen(to: source.withLatest(from: other).map { $0.0 }, as: "") { _ in
        if failing { other.fail(Oops(code: 5)) } else { other.complete() }
      }
      source.send(1)
      source.complete()
      #expect(events.value == ["1", failing ? " failed 5" : " completed"])
    }
  }

  @Test("withLatest and sample combine a signal with one that cannot fail, or with one of equal failure type")
  func cannotFail() {
    let settings = MutableProperty("a")
    let ticks = Subject<Int, Never>()
    let requests: Signal<Int, any Error> = left.mapError { $0 }
    let latest = Recorder(left.withLatest(from: settings.signal).map { "\($0)\($1)" })
    let erased = Recorder(
      requests.withLatest(from: settings.signal.map { $0 + "!" }).map { $0.1 }.mapError { _ in Oops() })
    let sampled = Recorder(left.sample(on: ticks))
    // Both overloads fit.
    let neither = Recorder(ticks.withLatest(from: settings.signal).map { "\($0)\($1)" })
    let sampledNeither = Recorder(ticks.sample(on: settings.signal))
    left.send(1)
    settings.value = "b"
    ticks.send(0)
    left.send(2)
    #expect(latest.events == [.next("1a"), .next("2b")])
    #expect(erased.events == [.next("a!"), .next("b!")])
    #expect(sampled.events == [.next(1)])
    #expect(neither.events == [.next("0b")])
    settings.value = "c"
    #expect(sampledNeither.values == [0])
    left.fail(Oops(code: 3))
    #expect(latest.events.last == .failed(Oops(code: 3)))
    #expect(erased.completion == .failed(Oops()))
    #expect(sampled.events.last == .failed(Oops(code: 3)))
  }

  @Test(
    "C14 AC30: sample sends the latest value at each tick, if there is one, and completes with either signal")
  func sample() {
    let recorder = Recorder(left.sample(on: right))
    right.send("tick")
    left.send(1)
    left.send(2)
    right.send("tick")
    right.send("tick")
    left.send(3)
    #expect(recorder.events == [.next(2), .next(2)])
    right.complete()
    #expect(recorder.events == [.next(2), .next(2), .completed])
    #expect(recorder.subscription.isDisposed)

    let other = Subject<String, Oops>()
    let second = Recorder(left.sample(on: other))
    left.send(9)
    other.send("tick")
    left.complete()
    #expect(second.events == [.next(9), .completed])
  }
}
