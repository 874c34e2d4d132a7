// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

struct MutablePropertyTests {
  @Test(
    "P3: a subscriber receives the current value inside subscribe, then one value per set, equal ones included"
  )
  func observing() {
    let property = MutableProperty(1)
    let first = Recorder(property.signal)
    #expect(first.values == [1])
    property.value = 2
    property.value = 2
    let second = Recorder(property.signal)
    property.value = 3
    #expect(first.values == [1, 2, 2, 3])
    #expect(second.values == [2, 3])
  }

  @Test(
    "P3 AC68: a disposed subscriber receives no more values, and everything it captured is released at once")
  func disposing() {
    let property = MutableProperty(1)
    let resources = Resources()
    let values = Box<[Int]>([])
    let subscription = property.signal.subscribe { [token = resources.make()] in
      _ = token
      values.value.append($0)
    }
    property.value = 2
    subscription.dispose()
    #expect(resources.alive == 0)
    property.value = 3
    #expect(values.value == [1, 2])
  }

  @Test(
    "P3 AC68: subscribers do not retain a property; its deallocation completes them and releases everything")
  func releasing() {
    let resources = Resources()
    var property: MutableProperty<Resources.Resource>? = MutableProperty(resources.make())
    weak let object = property
    let recorder = property.map { Recorder($0.signal.map { [token = resources.make()] _ in _ = token }) }
    #expect(resources.alive == 2)
    property = nil
    #expect(object == nil)
    #expect(recorder?.completion == .completed)
    #expect(resources.alive == 0)
  }

  @Test("P4 DD-14: a subscriber added after the property was deallocated receives only completion, at once")
  func late() {
    var property: MutableProperty<Int>? = MutableProperty(1)
    let signal = property?.signal
    property = nil
    #expect(signal.map { Recorder($0).events } == [.completed])
  }

  @Test(
    "P4: a deallocated property releases its value, even if its signal and its binding target are retained")
  func lettingGo() {
    let resources = Resources()
    var property: MutableProperty<Resources.Resource>? = MutableProperty(resources.make())
    property?.value = resources.make()
    let (signal, target) = (property?.signal, property?.bindingTarget)
    property = nil
    #expect(resources.alive == 0)
    let late = signal.map { Recorder($0) }
    #expect(late?.completion == .completed && late?.values.isEmpty == true)
    let isTaken = target?.set(resources.make())
    #expect(isTaken == false && resources.alive == 0)
  }

  private final class Session: Sendable {
    let all: Signal<[Session], Never>
    let resource: Resources.Resource
    init(among all: Signal<[Session], Never>, _ resources: Resources) {
      self.all = all
      resource = resources.make()
    }
  }

  @Test("contract 7: a property whose value retains its signal is deallocated, and the value with it")
  func cycle() {
    let resources = Resources()
    do {
      let sessions = MutableProperty<[Session]>([])
      for _ in 0..<3 { sessions.modify { $0.append(Session(among: sessions.signal, resources)) } }
      #expect(resources.alive == 3 && sessions.value.count == 3)
    }
    #expect(resources.alive == 0)
  }

  @Test("P3: a change not yet delivered when the property is deallocated is delivered before completion")
  func unannounced() {
    var property: MutableProperty<Int>? = MutableProperty(1)
    let recorder = property.map { Recorder($0.signal) }
    // As far as a thread gets that sets it through a binding target, and stalls.
    _ = property?.core.cell.exchange(2)
    _ = property?.core.isAsked.exchange(1)
    property = nil
    #expect(recorder?.events == [.next(1), .next(2), .completed])
  }

  @Test(
    "P3: a value set inside a subscriber is readable at once; afterwards subscribers receive the newest value"
  )
  func nested() {
    let property = MutableProperty(0)
    let read = Box<[Int]>([])
    property.signal.subscribe { [unowned property] value in
      guard value == 1 else { return }
      for next in 2...5 {
        property.value = next
        read.value.append(property.value)
      }
    }
    let other = Recorder(property.signal)
    property.value = 1
    #expect(read.value == [2, 3, 4, 5])
    #expect(other.values == [0, 1, 5])
  }

  @Test(
    "P3: an observation outlives the object that made it, unless `take(during:)` ends it with that object"
  )
  func observerDies() {
    final class Observer: HasLifetime {
      let lifetime = Lifetime()
      init(_ property: MutableProperty<Int>, _ forGood: Counter, _ during: Counter) {
        property.signal.subscribe { _ in forGood.add() }
        property.signal.take(during: lifetime).subscribe { _ in during.add() }
      }
    }
    let (property, forGood, during) = (MutableProperty(0), Counter(), Counter())
    withExtendedLifetime(Observer(property, forGood, during)) { property.value = 1 }
    #expect([forGood.value, during.value] == [2, 2])
    property.value = 2
    #expect([forGood.value, during.value] == [3, 2])
    #expect(property.subscriberCount == 1)
  }

  @Test("a subscriber that sets the property once per value misses none, nor do other subscribers")
  func settingEachTime() {
    let property = MutableProperty(0)
    property.signal.subscribe { [unowned property] value in
      if (1..<10).contains(value) { property.value = value + 1 }
    }
    let other = Recorder(property.signal)
    property.value = 1
    #expect(other.values == Array(0...10))
    #expect(property.value == 10)
  }

  @Test("a subscriber added during a delivery receives the current value once, and then later values")
  func subscribingInside() {
    let property = MutableProperty(0)
    let inner = Box<Recorder<Int, Never>?>(nil)
    property.signal.subscribe { [unowned property] value in
      guard value == 1 else { return }
      inner.value = Recorder(property.signal)
      #expect(inner.value?.values == [1])
    }
    property.value = 1
    #expect(inner.value?.values == [1])
    property.value = 2
    #expect(inner.value?.values == [1, 2])
  }

  @Test("subscribers added during a delivery retain no more memory afterwards than others")
  func memoryOfLetIn() async {
    await #expect(processExitsWith: .success) {
      let (free, busy) = (MutableProperty(0), MutableProperty(0))
      let usual = allocatedGrowth { free.signal.subscribe { _ in } }
      let portion = roundsToGrow / 100
      busy.signal.subscribe { [unowned busy] value in
        if value > 0 { for _ in 0..<portion { busy.signal.subscribe { _ in } } }
      }
      let growth = allocatedGrowth(over: 100) { busy.modify { $0 += 1 } }
      // While it waits, each takes some two hundred bytes.
      #expect(growth < usual + 10 * roundsToGrow)
    }
  }

  @Test(
    "a subscriber that sets the property in its first value, inside subscribe, receives the new value once")
  func settingWhileSubscribing() {
    let property = MutableProperty(0)
    let values = Box<[Int]>([])
    let early = Recorder(property.signal)
    property.signal.subscribe { [unowned property] value in
      values.value.append(value)
      if value < 3 { property.value = value + 1 }
    }
    #expect(values.value == [0, 1, 2, 3])
    #expect(early.values == [0, 1, 2, 3])
  }

  @Test("a subscriber that ends in its first value is not listed, and receives no later value")
  func disposingInFirst() {
    let property = MutableProperty(0)
    let recorder = Recorder(property.signal.take(first: 1))
    #expect(property.subscriberCount == 0)
    property.value = 1
    #expect(recorder.events == [.next(0), .completed])
  }

  @Test("swap returns the old value; modify returns its closure's result, and changes nothing if that throws")
  func changing() {
    let property = MutableProperty([1])
    let recorder = Recorder(property.signal)
    #expect(property.swap([2]) == [1])
    let count = property.modify { value in
      value.append(3)
      return value.count
    }
    #expect(count == 2)
    #expect(throws: Oops(code: 7)) {
      try property.modify { (value) throws(Oops) in
        value.append(4)
        throw Oops(code: 7)
      }
    }
    #expect(property.value == [2, 3])
    #expect(recorder.values == [[1], [2], [2, 3]])
  }

  @Test("modify runs its closure again with the newest value if the closure itself has set the property")
  func modifyAgain() {
    let property = MutableProperty(0)
    let calls = Counter()
    property.modify { value in
      if calls.add() == 0 { property.value = 10 }
      value += 1
    }
    #expect(property.value == 11)
    #expect(calls.value == 2)
  }

  @Test(
    "a property holds values of any size: words, parts of words, optionals, references, three words, Void")
  func kinds() {
    func check<Value: Equatable & Sendable>(_ first: Value, _ second: Value) {
      let property = MutableProperty(first)
      let recorder = Recorder(property.signal)
      #expect(property.swap(second) == first)
      #expect(property.value == second)
      property.modify { $0 = first }
      #expect(property.value == first)
      #expect(recorder.values == [first, second, first])
    }
    struct Odd: Equatable { var a: UInt8, b: UInt32 }
    struct Three: Equatable { var a, b, c: Int }
    check(1, -1)
    check(true, false)
    check(1.5, -.infinity)
    check(UInt8(1), 255)
    check(Odd(a: 1, b: 2), Odd(a: 3, b: 4))
    check(Int32?.none, 7)
    check(Int?.none, 7)
    check("a", "a string that does not fit into its own words")
    check([1, 2], [])
    check(Three(a: 1, b: 2, c: 3), Three(a: 4, b: 5, c: 6))
    let property = MutableProperty(())
    let recorder = Recorder(property.signal)
    property.value = ()
    #expect(recorder.values.count == 2)
  }

  @Test("a replaced value is released at once")
  func replaced() {
    let resources = Resources()
    let property = MutableProperty<Resources.Resource?>(resources.make())
    for _ in 0..<100 { property.value = resources.make() }
    #expect(resources.alive == 1)
    property.value = nil
    #expect(resources.alive == 0)
  }
}
