// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir

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
