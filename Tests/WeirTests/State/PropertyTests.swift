// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

struct PropertyTests {
  struct User: Equatable { var name: String, age: Int }

  @Test("properties and current values are described by their values")
  func descriptions() {
    let property = MutableProperty(3)
    #expect("\(property) \(property.map { $0 + 1 })" == "MutableProperty(3) Property(4)")
    #expect("\(CurrentValue<String, Never>("a"))" == "CurrentValue(a)")
  }

  @Test("a derived property returns the current values of its sources without being observed")
  func agreement() {
    let user = MutableProperty(User(name: "a", age: 1))
    let number = MutableProperty(10)
    let text = user.map(\.name).combined(with: number.map { $0 * 2 }).map { "\($0)\($1)" }
    #expect(text.value == "a20")
    number.value = 11
    #expect(text.value == "a22")
    user.modify { $0.name = "b" }
    #expect(text.value == "b22")
    #expect(Property(user).value == User(name: "b", age: 1))
  }

  @Test(
    "P3: a subscriber to a derived property receives its value at once, then one value per set of a source")
  func observing() {
    let (left, right) = (MutableProperty(1), MutableProperty(10))
    let recorder = Recorder(left.combined(with: right).map { $0 + $1 }.signal)
    #expect(recorder.values == [11])
    left.value = 2
    right.value = 20
    right.value = 20
    #expect(recorder.values == [11, 12, 22, 22])
  }

  @Test("three or four properties combine into one of tuples, also if the type of one is erased")
  func many() {
    let (a, b, c, d) = (
      MutableProperty(1), MutableProperty("b"), MutableProperty(true), Property(constant: 4.5)
    )
    let three = a.combined(with: b, c)
    let erased: any PropertyProtocol<Double> = d
    #expect(a.combined(with: b, c, erased).value == (1, "b", true, 4.5))
    let four = a.combined(with: b, c, d).map { "\($0)\($1)\($2)\($3)" }
    let recorder = Recorder(four.signal)
    b.value = "x"
    #expect(three.value == (1, "x", true))
    #expect(four.value == "1xtrue4.5")
    #expect(recorder.values == ["1btrue4.5", "1xtrue4.5"])
  }

  @Test("a distinct property sends a value only if it differs from the previous one")
  func distinct() {
    let user = MutableProperty(User(name: "a", age: 1))
    let name = user.map(\.name).distinctUntilChanged()
    let recorder = Recorder(name.signal)
    user.modify { $0.age = 2 }
    user.modify { $0.name = "b" }
    user.modify { $0.age = 3 }
    #expect(recorder.values == ["a", "b"])
    #expect(name.value == "b")
  }

  @Test("P3: flatMap follows the inner property that the outer property currently holds")
  func nested() {
    let (first, second) = (MutableProperty(1), MutableProperty(10))
    let chosen = MutableProperty(first)
    let inner = chosen.flatMap { $0 }
    let recorder = Recorder(inner.signal)
    first.value = 2
    chosen.value = second
    first.value = 3
    second.value = 20
    #expect(inner.value == 20)
    #expect(recorder.values == [1, 2, 10, 20])
  }

  @Test(
    "AC68 DD-14: derived properties retain their sources; their signals do not, and complete with the property"
  )
  func lifetime() {
    let resources = Resources()
    var source: MutableProperty<Int>? = MutableProperty(1)
    weak let object = source
    var derived = source.map { property in
      property.map { [token = resources.make()] value in
        _ = token
        return value + 1
      }.combined(with: property).distinctPairs()
    }
    let recorder = derived.map { Recorder($0.signal) }
    source = nil
    #expect(derived?.value == [2, 1])
    #expect(recorder?.completion == nil)
    derived = nil
    #expect(object == nil)
    #expect(recorder?.events == [.next([2, 1]), .completed])
    #expect(resources.alive == 0)
  }

  @Test("a constant sends its value and completes; combined with another property, it does not complete that")
  func constant() {
    let constant = Property(constant: 1)
    #expect(constant.value == 1)
    #expect(Recorder(constant.signal).events == [.next(1), .completed])
    let other = MutableProperty(10)
    let recorder = Recorder(constant.combined(with: other).map { $0 + $1 }.signal)
    other.value = 20
    #expect(recorder.events == [.next(11), .next(21)])
  }

  @Test("a property that follows a signal has its latest value; deallocation ends the subscription")
  func following() {
    let subject = Subject<Int, Never>()
    let resources = Resources()
    var property: Property<Int>? = Property(
      initial: 0,
      then: subject.map { [token = resources.make()] value in
        _ = token
        return value
      })
    let recorder = property.map { Recorder($0.signal) }
    subject.send(1)
    subject.send(2)
    #expect(property?.value == 2)
    property = nil
    #expect(recorder?.events == [.next(0), .next(1), .next(2), .completed])
    #expect(resources.alive == 0)
    subject.send(3)

    let ended = Property(initial: 0, then: Signal<Int, Never>([1, 2]))
    #expect(ended.value == 2)
    #expect(Recorder(ended.signal).events == [.next(2)])
  }

  @Test("a property that follows a signal completes at once when it is released in a delivery of that signal")
  func droppedInDelivery() throws {
    let source = Subject<Int, Never>()
    let property = Box<Property<Int>?>(Property(initial: 0, then: source))
    let recorder = try #require(property.value.map { Recorder($0.signal) })
    let atDrop = Box<Completion<Never>?>(nil)
    source.subscribe { _ in
      property.value = nil
      atDrop.value = recorder.completion
    }
    source.send(1)
    #expect(atDrop.value == .completed && recorder.events == [.next(0), .next(1), .completed])
  }

  @Test(
    "P3: valuesAndChanges pairs each new value with the old one; it sends the first value only if included")
  func changes() {
    let property = MutableProperty(1)
    let changes = Recorder(property.valuesAndChanges())
    let all = Recorder(property.valuesAndChanges(.included))
    property.value = 2
    property.value = 2
    #expect(changes.values.map(\.old) == [1, 2])
    #expect(changes.values.map(\.new) == [2, 2])
    #expect(all.values.map(\.old) == [nil, 1, 2])
    #expect(all.values.map(\.new) == [1, 2, 2])
  }

  @Test("valuesAndChanges retains the newest value only: an old one is released with its change")
  func changesRetained() {
    final class Large: Sendable {}
    let property = MutableProperty(Large())
    weak let first = property.value
    property.valuesAndChanges(.included).subscribe { _ in }
    property.value = Large()
    #expect(first == nil)
  }

  @Test("the property wrapper gives the value by its name and the property by its projected value")
  func wrapper() {
    struct Settings: Sendable {
      @MutableProperty var limit = 100
    }
    let settings = Settings()
    let recorder = Recorder(settings.$limit.signal)
    settings.limit = 200
    settings.$limit.modify { $0 += 1 }
    #expect(settings.limit == 201)
    #expect(recorder.values == [100, 200, 201])
  }
}

extension PropertyProtocol where Value == (Int, Int) {
  fileprivate func distinctPairs() -> Property<[Int]> { map { [$0.0, $0.1] }.distinctUntilChanged() }
}
