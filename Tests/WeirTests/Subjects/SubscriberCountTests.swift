// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// The number of subscribers that a source reports.
struct SubscriberCountTests {
  private func check<Source: ObserverProtocol & SignalConvertible>(
    _ source: Source, _ count: @escaping @Sendable (Source) -> Int
  ) where Source.Value == Int, Source.Failure == Oops {
    let name = Comment(rawValue: "\(Source.self)")
    #expect(count(source) == 0, name)
    let subscriptions = (0..<40).map { _ in source.subscribe(failed: { _ in }) }
    #expect(count(source) == 40, name)
    for subscription in subscriptions.dropFirst(3) { subscription.dispose() }
    #expect(count(source) == 3, name)
    let inside = Box(-1)
    source.subscribe(
      next: { value in
        guard value == 7 else { return }
        subscriptions[0].dispose()
        inside.value = count(source)
        source.subscribe(failed: { _ in })
      }, failed: { _ in })
    #expect(count(source) == 4, name)
    source.send(7)
    #expect(inside.value == 3 && count(source) == 4, name)
    source.fail(Oops(code: 1))
    #expect(count(source) == 0, name)
    source.subscribe(failed: { _ in })
    #expect(count(source) == 0, name)
  }

  @Test("subscriberCount of a subject counts current subscribers, also in a delivery; it is 0 after the end")
  func subjects() {
    check(Subject<Int, Oops>()) { $0.subscriberCount }
    check(UnserializedSubject<Int, Oops>()) { $0.subscriberCount }
    check(ReplaySubject<Int, Oops>(capacity: 0)) { $0.subscriberCount }
    check(ReplaySubject<Int, Oops>(capacity: 2)) { $0.subscriberCount }
    check(CurrentValue<Int, Oops>(0)) { $0.subscriberCount }
  }

  @Test("subscriberCount of a property includes a subscriber added during a delivery only after that")
  func property() {
    let property = MutableProperty(0)
    let inside = Box(-1)
    let first = property.signal.subscribe { [unowned property] value in
      guard value == 1 else { return }
      property.signal.subscribe()
      inside.value = property.subscriberCount
    }
    property.signal.take(first: 2).subscribe()
    #expect(property.subscriberCount == 2)
    property.value = 1
    #expect(inside.value == 2 && property.subscriberCount == 2)
    first.dispose()
    #expect(property.subscriberCount == 1)
  }

  @Test("subscriberCount stays exact while a subscriber comes and goes on another thread")
  func threads() {
    let subject = Subject<Int, Never>()
    for _ in 0..<20 { subject.subscribe() }
    let counts = Box<Set<Int>>([])
    withThreads(2) { index in
      for _ in 0..<1_000 {
        if index == 0 {
          subject.subscribe().dispose()
        } else {
          counts.value.insert(subject.subscriberCount)
        }
      }
    }
    #expect(counts.value.isSubset(of: [20, 21]))
  }
}
