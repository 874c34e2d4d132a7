// Part of Weir. SPDX-License-Identifier: Apache-2.0
import MutexBaseline
import Weir

/// One of ten thousand subscribers of one source, and the only subscriber of one of a thousand sources,
/// without the source. Each has a closure that refers to a counter, and its subscription is retained.
enum Subscribers {
  static var items: [Item] {
    // Only one thread does all of this, and nothing is sent.
    nonisolated(unsafe) let counter = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    counter.initialize(to: 0)
    return
      items("subject") {
        Subject<Int, Never>()
      } subscribe: {
        $0.subscribe { counter.pointee += $0 }
      }
      + items("subject", "mutex") {
        MutexCopySubject<Int>()
      } subscribe: { subject in
        subject.subscribe { counter.pointee += $0 }
      }
      + items("replay-subject") {
        ReplaySubject<Int, Never>(capacity: 16)
      } subscribe: {
        $0.subscribe { counter.pointee += $0 }
      }
      + items("replay-subject", "mutex") {
        MutexReplaySubject<Int>(capacity: 16)
      } subscribe: {
        $0.subscribe { counter.pointee += $0 }
      }
      + items("current-value") {
        CurrentValue<Int, Never>(0)
      } subscribe: {
        $0.subscribe { counter.pointee += $0 }
      }
      + items("current-value", "mutex") {
        MutexCurrentValue(0)
      } subscribe: {
        $0.subscribe { counter.pointee += $0 }
      }
      + items("share") {
        Subject<Int, Never>().share()
      } subscribe: {
        $0.subscribe { counter.pointee += $0 }
      }
      + items("property") {
        MutableProperty(0)
      } subscribe: {
        $0.signal.subscribe { counter.pointee += $0 }
      }
  }

  private static func items<Source, Token: Disposing>(
    _ source: String, _ implementation: String = "weir", _ make: @escaping () -> Source,
    subscribe: @escaping (Source) -> Token
  ) -> [Item] {
    [
      Item(piece: "only-subscriber", source: source, implementation: implementation) {
        let pairs = Footprint.ofEach(1000) {
          let source = make()
          return (source: source, token: subscribe(source))
        } end: {
          $0.token.dispose()
        }
        return pairs - .ofEach(1000, make)
      },
      Item(piece: "subscriber", source: source, implementation: implementation) {
        .ofEach(10_000, on: make, subscribe) { $0.dispose() }
      },
    ]
  }
}

private protocol Disposing {
  func dispose()
}

extension Subscription: Disposing {}

extension MutexSubscription: Disposing {}
