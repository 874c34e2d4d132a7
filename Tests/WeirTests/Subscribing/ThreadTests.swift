// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing
import Weir
import WeirTesting

/// Where code runs: on the thread that subscribes, sends or disposes, and on no other.
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

  @Test(
    "I1 I3: subscribing runs the source at once on the calling thread, with or without a current scheduler"
  )
  func runsAtOnce() {
    let scheduler = VirtualScheduler()
    let created = Signal<Int, Never>.create { observer in
      observer.send(1)
      observer.complete()
      return nil
    }
    let outcomes = Box<[Bool]>([])
    let subscribe = { @Sendable in
      let (thread, surrounding) = (pthread_self(), Schedulers.current)
      for source in [created, .just(1), Signal([1]), .deferred { created }] {
        let ended = Box(false)
        source.subscribe(
          next: { _ in #expect(pthread_self() == thread && Schedulers.current === surrounding) },
          completed: { ended.value = true })
        outcomes.value.append(ended.value)
      }
    }
    subscribe()
    withThreads(1) { _ in
      #expect(Schedulers.current == nil)
      subscribe()
    }
    scheduler.schedule(subscribe)
    scheduler.run()
    #expect(outcomes.value == [Bool](repeating: true, count: 12))
  }

  @Test(
    "I2: a new subscriber, on any thread, receives every value that is sent after subscribe has returned"
  )
  func liveWhenSubscribed() {
    let subject = ReplaySubject<Int, Never>(capacity: 0)
    let recorder = Box<Recorder<Int, Never>?>(nil)
    withThreads(1) { _ in recorder.value = Recorder(subject) }
    subject.send(1)
    withThreads(1) { _ in subject.send(2) }
    #expect(recorder.value?.values == [1, 2])
  }

  @Test("I4: subjects never hop: they deliver on the thread that sends, inside send", arguments: [0, 1, 2])
  func subjectsNeverHop(kind: Int) {
    let scheduler = VirtualScheduler()
    let subject = Subject<Int, Never>()
    let replaying = ReplaySubject<Int, Never>(capacity: 0)
    let current = CurrentValue<Int, Never>(0)
    let source = [subject.signal, replaying.signal, current.signal.skip(first: 1)][kind]
    let threads = Box<[pthread_t]>([])
    source.subscribe { _ in threads.value.append(pthread_self()) }
    let send = { @Sendable in
      let count = threads.value.count
      switch kind {
      case 0: subject.send(1)
      case 1: replaying.send(1)
      default: current.send(1)
      }
      #expect(threads.value.count == count + 1)
      #expect(threads.value.last == pthread_self())
    }
    send()
    withThreads(1) { _ in send() }
    scheduler.schedule(send)
    scheduler.run()
    #expect(threads.value.count == 3)
  }
}
