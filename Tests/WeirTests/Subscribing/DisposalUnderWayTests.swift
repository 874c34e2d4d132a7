// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What happens while a run is being disposed, and the clean-up that comes first has not returned yet.
struct DisposalUnderWayTests {
  /// A source whose run is disposed while another thread is delivering a value: what `before` sends comes
  /// before the disposal, and what `inside` sends comes inside of it. Returns the codes that were reported.
  private static func reports(
    before: @escaping @Sendable (Observer<Int, Oops>) -> Void = { _ in },
    inside: @escaping @Sendable (Observer<Int, Oops>) -> Void = { _ in }, endsInside: Bool
  ) -> [Int?] {
    let reported = Box<[Int?]>([])
    UnhandledErrors.setHandler { reported.value.append(($0.error as? Oops)?.code) }
    let (held, isDelivering, mayReturn, hasReturned) = (Held<Oops>(nil), Door(), Door(), Door())
    let run = Signal<Int, Oops>.create { observer in
      held.value = observer
      return nil
    }.on(disposed: {
      if let observer = held.value { inside(observer) }
      guard endsInside else { return }
      mayReturn.open()
      hasReturned.pass()
    }).subscribe(
      next: { _ in
        isDelivering.open()
        mayReturn.pass()
      }, failed: { _ in })
    withThreads(2) { index in
      if index == 0 {
        held.value?.send(1)
        hasReturned.open()
      } else {
        isDelivering.pass()
        if let observer = held.value { before(observer) }
        run.dispose()
        if !endsInside { mayReturn.open() }
      }
    }
    return reported.value
  }

  @Test("a failure that is sent in a clean-up, while another thread delivers, is dropped")
  func failureInCleanUp() async {
    await #expect(processExitsWith: .success) {
      #expect(Self.reports(inside: { $0.fail(Oops(code: 1)) }, endsInside: false) == [])
      #expect(Self.reports(inside: { $0.fail(Oops(code: 1)) }, endsInside: true) == [])
    }
  }

  @Test("a failure that waits for its turn while the run is disposed is reported, whenever its turn comes")
  func failureBefore() async {
    await #expect(processExitsWith: .success) {
      #expect(Self.reports(before: { $0.fail(Oops(code: 7)) }, endsInside: false) == [7])
      #expect(Self.reports(before: { $0.fail(Oops(code: 7)) }, endsInside: true) == [7])
    }
  }

  @Test("an observer has ended as soon as its run is being disposed")
  func isEnded() {
    let (held, seen) = (Held<Never>(nil), Box<[Bool?]>([]))
    Signal<Int, Never>.create { observer in
      held.value = observer
      return nil
    }.on(disposed: { seen.value.append(held.value?.isEnded) }).subscribe().dispose()
    #expect(seen.value == [true])
  }

  /// An endless sequence that counts how often it was asked for an element.
  private struct Asked: Sequence, IteratorProtocol {
    let count: Counter
    func next() -> Int? { count.add() }
  }

  @Test("what a scheduler would start is not started any more")
  func starting() {
    let (scheduler, started) = (QueuedScheduler(), Counter())
    let source = Signal<Int, Never>.create { _ in
      started.add()
      return nil
    }
    source.subscribing(on: scheduler).on(disposed: { scheduler.runAll() }).subscribe().dispose()
    #expect(started.value == 0)
    let elements = Signal<Int, Never>(Asked(count: started), on: scheduler)
    let run = elements.on(disposed: { scheduler.runAll() }).subscribe()
    scheduler.runOne()
    run.dispose()
    #expect(started.value == 1)
  }
}
