// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing
import Weir
import WeirTesting

/// Where things run: on the thread that subscribes, sends or disposes, and on no other.
struct ThreadTests {
  @Test("A15 AC12: subscribing never changes threads; the closure of create runs where subscribe was called")
  func createRunsOnTheSubscribingThread() throws {
    let threads = Box<[pthread_t]>([])
    let signal = Signal<Int, Never>.create { observer in
      threads.value.append(pthread_self())
      observer.send(1)
      return nil
    }
    withThreads(1) { _ in
      threads.value.append(pthread_self())
      signal.subscribe(next: { _ in threads.value.append(pthread_self()) })
    }
    try #require(threads.value.count == 3)
    #expect(threads.value.allSatisfy { $0 == threads.value[0] })
    #expect(threads.value[0] != pthread_self())
  }

  @Test("A16: a subscription made on another thread can be disposed here, and its block has run by then")
  func disposingFromHere() {
    let log = Box<[String]>([])
    let held = Held<Never>(nil)
    let subscription = Box<Subscription?>(nil)
    let signal = Signal<Int, Never>.create { observer in
      held.value = observer
      log.value.append("block")
      return ActionDisposable { log.value.append("cleaned") }
    }
    withThreads(1) { _ in
      subscription.value = signal.subscribe(next: { log.value.append("got \($0)") })
      log.value.append("subscribed")
    }
    held.value?.send(1)
    subscription.value?.dispose()
    held.value?.send(2)
    #expect(log.value == ["block", "subscribed", "got 1", "cleaned"])
  }
}
