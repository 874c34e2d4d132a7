// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What is done, and in which order, when a signal ends.
struct TerminationTests {
  @Test(
    "A4 AC11: clean-up runs before the terminal event is delivered, and the subscription is disposed by then",
    arguments: [false, true])
  func cleanupFirst(fails: Bool) {
    let log = Box<[String]>([])
    let held = Held<Oops>(nil)
    let subscription = Box<Subscription?>(nil)
    let note: @Sendable () -> Void = {
      log.value.append("told, disposed: \(subscription.value?.isDisposed == true)")
    }
    subscription.value = Signal<Int, Oops>.create { observer in
      held.value = observer
      return ActionDisposable { log.value.append("cleaned") }
    }.subscribe(failed: { _ in note() }, completed: { note() })
    if fails { held.value?.fail(Oops()) } else { held.value?.complete() }
    #expect(log.value == ["cleaned", "told, disposed: true"])
    #expect(subscription.value?.isDisposed == true)
  }

  @Test("A4: clean-up runs before the completion of a hot source is delivered, too")
  func hotCleanupFirst() {
    let log = Box<[String]>([])
    let subject = Subject<Int, Never>()
    let subscription = subject.subscribe(completed: { log.value.append("told") })
    subscription.add(ActionDisposable { log.value.append("cleaned") })
    subject.complete()
    #expect(log.value == ["cleaned", "told"])
    #expect(subscription.isDisposed)
  }

  @Test("A4: the failure that is delivered is the one that was sent")
  func failure() {
    let error = Box<Oops?>(nil)
    Signal<Int, Oops>.fail(Oops(code: 7)).subscribe(
      failed: { error.value = $0 }, completed: { error.value = nil })
    #expect(error.value == Oops(code: 7))
  }

  @Test("A4: a disposable that is added to an ended subscription is disposed at once")
  func addedAfterEnd() {
    let subscription = Signal<Int, Never>.empty().subscribe()
    let resource = ActionDisposable {}
    subscription.add(resource)
    #expect(resource.isDisposed)
  }

  @Test("A4: of concurrent calls of end() exactly one ends the subscription")
  func endsOnce() {
    let subscriptions = (0..<10_000).map { _ in Subscription() }
    let winners = Counter()
    withThreads(3) { _ in for subscription in subscriptions where subscription.end() { winners.add() } }
    #expect(winners.value == 10_000)
    #expect(subscriptions.allSatisfy { $0.isDisposed && !$0.end() })
  }
}
