// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

struct MutablePropertyTests {
  @Test(
    "P3: an observer gets the current value when it comes, inside subscribe, and then one value for each set, equal ones too"
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

  @Test("P3 AC68: a disposed observer gets no more values, and everything it captured is released at once")
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
    "P3 AC68: observers keep neither the property nor its signal; released, it completes them, and nothing is kept"
  )
  func releasing() {
    let resources = Resources()
    var property: MutableProperty<Resources.Resource>? = MutableProperty(resources.make())
    weak let object = property
    let recorder = property.map { Recorder($0.signal.map { [token = resources.make()] _ in _ = token }) }
    #expect(resources.alive == 2)
    property = nil
    #expect(object == nil)
    #expect(recorder?.completion == .finished)
    #expect(resources.alive == 0)
  }

  @Test("P4 DD-14: who subscribes after the property was released gets the completion at once, and no value")
  func late() {
    var property: MutableProperty<Int>? = MutableProperty(1)
    let signal = property?.signal
    property = nil
    #expect(signal.map { Recorder($0).events } == [.completed])
  }

  @Test("P4: a property that goes lets go of its value, also if its signal and its target are kept")
  func lettingGo() {
    let resources = Resources()
    var property: MutableProperty<Resources.Resource>? = MutableProperty(resources.make())
    property?.value = resources.make()
    let (signal, target) = (property?.signal, property?.bindingTarget)
    property = nil
    #expect(resources.alive == 0)
    let late = signal.map { Recorder($0) }
    #expect(late?.completion == .finished && late?.values.isEmpty == true)
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

  @Test("contract 7: a property whose value keeps its signal is freed, and the value with it")
  func cycle() {
    let resources = Resources()
    do {
      let sessions = MutableProperty<[Session]>([])
      for _ in 0..<3 { sessions.modify { $0.append(Session(among: sessions.signal, resources)) } }
      #expect(resources.alive == 3 && sessions.value.count == 3)
    }
    #expect(resources.alive == 0)
  }

  @Test("P3: a change that has not been announced when the property goes is delivered before the completion")
  func unannounced() {
    var property: MutableProperty<Int>? = MutableProperty(1)
    let recorder = property.map { Recorder($0.signal) }
    // So far gets who sets it through a target, and stalls.
    _ = property?.core.cell.exchange(2)
    _ = property?.core.isAsked.exchange(1)
    property = nil
    #expect(recorder?.events == [.next(1), .next(2), .completed])
  }

  @Test(
    "P3: what was set inside an observer is read at once, and observers then get the newest value, in order"
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
    "an observer that sets the property each time it is called sees all of its values, and so do the others")
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

  @Test("who subscribes inside an observer gets the value that was just set, once, and then the later ones")
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

  @Test("observers that had to wait until they were let in keep no more memory afterwards than others")
  func memoryOfLetIn() async {
    await #expect(processExitsWith: .success) {
      let (free, busy) = (MutableProperty(0), MutableProperty(0))
      let usual = residentGrowth(over: manyRounds) { free.signal.subscribe { _ in } }
      let portion = manyRounds / 100
      busy.signal.subscribe { [unowned busy] value in
        if value > 0 { for _ in 0..<portion { busy.signal.subscribe { _ in } } }
      }
      let growth = residentGrowth(over: 100) { busy.modify { $0 += 1 } }
      // Each waits with some two hundred bytes.
      #expect(growth < usual + 100 * manyRounds)
    }
  }

  @Test("who sets the property in its first value, before it is listed, gets the new value too, once")
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

  @Test("an observer that disposes itself in its first value is never listed")
  func disposingInFirst() {
    let property = MutableProperty(0)
    let recorder = Recorder(property.signal.take(first: 1))
    property.value = 1
    #expect(recorder.events == [.next(0), .completed])
  }

  @Test(
    "swap answers what it replaced; modify answers what its closure did, and a thrown error changes nothing")
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

  @Test("modify starts over with the newest value when its own closure has set the property")
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

  @Test("values of every size and kind: words, parts of words, optionals, references, three words, nothing")
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

  @Test("a value that was replaced is released at once")
  func replaced() {
    let resources = Resources()
    let property = MutableProperty<Resources.Resource?>(resources.make())
    for _ in 0..<100 { property.value = resources.make() }
    #expect(resources.alive == 1)
    property.value = nil
    #expect(resources.alive == 0)
  }
}
