// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Migration.md gives in place of functions of ReactiveSwift, RxSwift, Combine and their extensions.
struct MigrationSwiftPeersTests {
  @Test("properties: a signal begins with the value, and after the release only completes")
  func propertySignals() {
    let property = Box<MutableProperty<Int>?>(MutableProperty(0))
    guard let signal = property.value?.signal else { return #expect(Bool(false)) }
    let (values, changes) = (Recorder(signal), Recorder(signal.skip(first: 1)))
    property.value?.value = 1
    #expect(values.values == [0, 1] && changes.values == [1])
    property.value = nil
    let late = Recorder(signal)
    #expect(late.values.isEmpty && late.completion == .completed)
  }

  @Test("Property(initial:then:): its signal needs the property; startWith needs none")
  func followingProperty() {
    let source = Subject<Int, Never>()
    let unstored = Recorder(Property(initial: 0, then: source).signal)
    #expect(unstored.values.isEmpty && unstored.completion == .completed)
    #expect(source.subscriberCount == 0)
    let property = Property(initial: 0, then: source)
    let (stored, withoutProperty) = (Recorder(property.signal), Recorder(source.startWith(0)))
    source.send(1)
    source.complete()
    #expect(stored.values == [0, 1] && stored.completion == nil)
    #expect(withoutProperty.values == [0, 1] && withoutProperty.completion == .completed)
    #expect(property.value == 1)
  }

  @Test("two signals bound to one property: as one, or one after the other")
  func twoBindings() {
    let (a, b, property) = (Subject<Int, Never>(), Subject<Int, Never>(), MutableProperty(0))
    let binding = property <~ Signal.merge(a, b)
    a.send(1)
    #expect(property.value == 1)
    b.send(2)
    #expect(property.value == 2)
    binding.dispose()
    property <~ a
    a.send(3)
    #expect(property.value == 3)
  }
}
