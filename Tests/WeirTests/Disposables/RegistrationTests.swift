// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

/// How a run leaves its hot sources.
struct RegistrationTests {
  /// Tells when it is released.
  private final class Token: Sendable {
    private let released: @Sendable () -> Void
    init(_ released: @escaping @Sendable () -> Void) { self.released = released }
    deinit { released() }
  }

  @Test("a run that listens to two hot sources leaves both")
  func twoSources() {
    let (first, second) = (Subject<Int, Never>(), Subject<Int, Never>())
    let values = Box<[Int]>([])
    let both = Signal<Int, Never> { sink in
      first.signal.attach(sink)
      second.signal.attach(sink)
    }
    let subscription = both.subscribe { values.value.append($0) }
    first.send(1)
    second.send(2)
    subscription.dispose()
    first.send(3)
    second.send(4)
    #expect(values.value == [1, 2])
  }

  @Test("DD-2: when a second dispose returns while the first goes on, none of a run's hot sources is heard")
  func secondDispose() {
    let (first, second) = (Subject<Int, Never>(), Subject<Int, Never>())
    let (values, seen, run) = (Box<[Int]>([]), Box<[Int]>([]), Box<Subscription?>(nil))
    let both = Signal<Int, Never> { sink in
      first.signal.attach(sink)
      sink.subscription.add(
        ActionDisposable {
          // The turn of the other source's subscriber has not come.
          run.value?.dispose()
          first.send(2)
          second.send(3)
        })
      second.signal.attach(sink)
    }
    run.value = both.subscribe { values.value.append($0) }
    first.send(0)
    second.send(1)
    run.value?.dispose()
    #expect(values.value == [0, 1])
    // Where an operator is told, and not a closure.
    run.value = both.doNext { seen.value.append($0) }.subscribe()
    first.send(4)
    second.send(5)
    run.value?.dispose()
    #expect(seen.value == [4, 5])
    run.value = nil
  }

  @Test("DD-2: a sweep leaves a run that another thread is just ending: its subscriber may still be alive")
  func sweptWhileEnding() {
    let (source, parent, values) = (Subject<Int, Never>(), Subscription(), Counter())
    let child = source.subscribe { values.add($0) }
    parent.adopt(child)
    // As another thread does it, which stops half-way.
    #expect(child.list.close() == 0)
    for _ in 0..<40 {
      let other = Subscription()
      parent.adopt(other)
      other.dispose()
    }
    #expect(parent.list.shells.load() < 40)
    parent.dispose()
    source.send(1)
    #expect(values.value == 0)
    child.registration.end()
  }

  @Test("O3: a run leaves its source first, and then disposes what was added, in that order")
  func order() {
    let source = Subject<Int, Never>()
    let log = Box<[String]>([])
    let signal = Signal<Int, Never> { sink in
      sink.subscription.add(ActionDisposable { log.value.append("before") })
      source.signal.attach(sink)
      sink.subscription.add(ActionDisposable { log.value.append("after") })
    }
    let subscription = signal.subscribe { [token = Token { log.value.append("left") }] _ in _ = token }
    subscription.dispose()
    #expect(log.value == ["left", "before", "after"])
  }
}
