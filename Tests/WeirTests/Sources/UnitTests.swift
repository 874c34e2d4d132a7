// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// just, empty, never and fail.
struct UnitTests {
  @Test("just sends its value and completes, to each subscriber")
  func just() {
    let signal = Signal<Int, Never>.just(1)
    for _ in 0..<2 {
      let recorder = Recorder(signal)
      #expect(recorder.events == [.next(1), .completed])
      #expect(recorder.subscription?.isDisposed == true)
    }
  }

  @Test("just of nil sends nil")
  func justNil() {
    #expect(Recorder(Signal<Int?, Never>.just(nil)).events == [.next(nil), .completed])
  }

  @Test("empty completes at once")
  func empty() { #expect(Recorder(Signal<Int, Never>.empty()).events == [.completed]) }

  @Test("fail fails at once")
  func fail() { #expect(Recorder(Signal<Int, Oops>.fail(Oops(code: 3))).events == [.failed(Oops(code: 3))]) }

  @Test("never sends nothing, and stays open until it is disposed")
  func never() {
    let recorder = Recorder(Signal<Int, Oops>.never())
    #expect(recorder.events.isEmpty)
    #expect(recorder.subscription?.isDisposed == false)
    recorder.dispose()
    #expect(recorder.subscription?.isDisposed == true)
    #expect(recorder.events.isEmpty)
  }

  @Test("just releases its value with the signal")
  func justReleases() {
    let resources = Resources()
    do {
      let signal = Signal<Resources.Resource, Never>.just(resources.make())
      signal.subscribe()
      #expect(resources.alive == 1)
    }
    #expect(resources.alive == 0)
  }

  @Test("an event and a completion name each other")
  func events() {
    #expect(Event<Int, Oops>(.finished) == .completed)
    #expect(Event<Int, Oops>(.failed(Oops(code: 1))) == .failed(Oops(code: 1)))
    #expect(Event<Int, Oops>.completed.completion == .finished)
    #expect(Event<Int, Oops>.failed(Oops(code: 1)).completion == .failed(Oops(code: 1)))
    #expect(Event<Int, Oops>.next(1).completion == nil)
    #expect(Set<Event<Int, Oops>>([.next(1), .next(1), .completed]).count == 2)
  }
}
