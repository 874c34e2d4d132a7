// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Resources that live as long as a run.
struct UsingTests {
  private let log = Box<[String]>([])

  private func open() -> ActionDisposable {
    log.value.append("open")
    return ActionDisposable { [log] in log.value.append("close") }
  }

  @Test(
    "the resource is made first, and disposed after the signal's cleanup and before completion is delivered")
  func order() {
    let held = Held<Oops>(nil)
    let signal = Signal<Int, Oops>.using(
      resource: { open() },
      signal: { [log] resource in
        log.value.append("signal \(resource.isDisposed)")
        return .create { observer in
          held.value = observer
          return ActionDisposable { log.value.append("cleaned") }
        }
      })
    #expect(log.value == [])
    signal.finally { [log] in log.value.append("finally") }.subscribe(
      next: { [log] in log.value.append("next \($0)") }, completed: { [log] in log.value.append("completed") }
    )
    held.value?.send(1)
    held.value?.complete()
    #expect(
      log.value == ["open", "signal false", "next 1", "cleaned", "finally", "close", "completed"])
    log.value = []
    let subscription = signal.subscribe()
    subscription.dispose()
    subscription.dispose()
    #expect(log.value == ["open", "signal false", "cleaned", "close"])
  }

  @Test("each subscription has a resource of its own, even if the signal is synchronous")
  func perSubscription() {
    let signal = Signal<Int, Never>.using(resource: { open() }, signal: { _ in Signal([1, 2]) })
    #expect(Recorder(signal).events == [.next(1), .next(2), .completed])
    #expect(Recorder(signal.take(first: 1)).events == [.next(1), .completed])
    #expect(log.value == ["open", "close", "open", "close"])
  }

  @Test("in a concat the resource is disposed before the next signal starts")
  func beforeTheNext() {
    let second = Signal<Int, Never>.deferred { [log] in
      log.value.append("second")
      return .empty()
    }
    Signal<Int, Never>.using(resource: { open() }, signal: { _ in .just(1) }).concat(second).subscribe()
    #expect(log.value == ["open", "close", "second"])
  }

  @Test(
    "an error in making the resource fails the signal; one in making the signal disposes the resource first")
  func throwing() {
    let unopened = Signal<Int, Oops>.using(
      resource: { () throws(Oops) -> ActionDisposable in throw Oops(code: 1) }, signal: { _ in .just(1) })
    #expect(Recorder(unopened).events == [.failed(Oops(code: 1))])
    let unused = Signal<Int, Oops>.using(
      resource: { open() },
      signal: { _ throws(Oops) -> Signal<Int, Oops> in throw Oops(code: 2) })
    unused.subscribe(failed: { [log] in log.value.append("failed \($0.code)") })
    #expect(log.value == ["open", "close", "failed 2"])
  }

  @Test("A11: a signal that releases its sink ends the run and disposes the resource")
  func dropped() {
    let subscription = Signal<Int, Never>.using(resource: { open() }, signal: { _ in .never() }).subscribe()
    #expect(subscription.isDisposed)
    #expect(log.value == ["open", "close"])
  }

  @Test("A17: a run whose sink is released disposes the resource")
  func unheld() {
    let held = Box<(any Sendable)?>(nil)
    let source = Signal<Int, Never>.attaching { held.value = $0 }
    Signal<Int, Never>.using(resource: { open() }, signal: { _ in source }).subscribe()
    #expect(log.value == ["open"])
    held.value = nil
    #expect(log.value == ["open", "close"])
  }

  @Test("a subscription that is disposed while the resource is made disposes it, and makes no signal")
  func disposedInside() {
    let slot = SerialDisposable()
    let start = Subject<Int, Never>()
    slot.swap(
      start.flatMap { [log] _ in
        Signal<Int, Never>.using(
          resource: {
            slot.dispose()
            return open()
          },
          signal: { _ in
            log.value.append("signal")
            return .empty()
          })
      }.subscribe())
    start.send(1)
    #expect(log.value == ["open", "close"])
  }
}
