// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import WeirTesting

@testable import Weir

/// Properties that are kept equal, and one-way bindings of properties.
struct TwoWayBindingTests {
  private let left = MutableProperty(1)
  private let right = MutableProperty(2)

  @Test(
    "M6 AC66: a two-way binding starts with the right value; then each change of either property sets the other"
  )
  func bothWays() {
    left <-> right
    #expect(left.value == 2 && right.value == 2)
    left.value = 3
    #expect(right.value == 3)
    right.value = 4
    #expect(left.value == 4)
    left.modify { $0 += 1 }
    #expect(right.value == 5)
  }

  @Test(
    "a two-way binding with conversions keeps a number and a text equal, but for texts that are no numbers")
  func conversions() {
    let text = MutableProperty("2")
    let binding = left.bindBothWays(with: text, mapping: { $0 < 0 ? nil : String($0) }, back: { Int($0) })
    let (numbers, texts) = (Recorder(left.signal), Recorder(text.signal))
    left.value = 3
    text.value = "04"
    text.value = "x"
    left.value = -1
    text.value = "5"
    #expect(numbers.values == [2, 3, 4, -1, 5])
    #expect(texts.values == ["2", "3", "04", "x", "5"])
    binding.dispose()
    text.value = "6"
    #expect(left.value == 5)
  }

  @Test("a value that has no counterpart leaves the other property alone at the start, and when both are set")
  func withoutCounterpart() {
    let text = MutableProperty("abc")
    let link = Box<Subscription?>(nil)
    link.value = left.bindBothWays(with: text, mapping: { String($0) }) { text in
      if text == "end" { link.value?.dispose() }
      return text == "end" ? 7 : Int(text)
    }
    #expect(left.value == 1 && text.value == "abc")
    left.value = 2
    #expect(text.value == "2")
    text.value = "end"
    #expect(left.value == 2)
  }

  @Test("M6: a new binding sets the left property even if both are equal, and does not set the right one")
  func startEqual() {
    right.value = 1
    let (first, second) = (Recorder(left.signal), Recorder(right.signal))
    left <-> right
    #expect(first.values == [1, 1] && second.values == [1])
  }

  @Test("M5 M6: each change is delivered once by each property, without an echo")
  func noEcho() {
    left <-> right
    let (first, second) = (Recorder(left.signal), Recorder(right.signal))
    left.value = 3
    right.value = 4
    #expect(first.values == [2, 3, 4] && second.values == [2, 3, 4])
  }

  @Test("M6 AC66: bindings are transitive, in whichever order they are made", arguments: [true, false])
  func chain(firstFirst: Bool) {
    let last = MutableProperty(3)
    if firstFirst { left <-> right }
    right <-> last
    if !firstFirst { left <-> right }
    #expect(left.value == 3 && right.value == 3)
    left.value = 10
    #expect(last.value == 10)
    last.value = 20
    #expect(left.value == 20)
    right.value = 30
    #expect(left.value == 30 && last.value == 30)
  }

  @Test("M6: 50 properties bound to one, from either side, all take its value and each other's changes")
  func many() {
    let hub = MutableProperty(0)
    let leaves = (1...50).map { MutableProperty($0) }
    for leaf in leaves.dropLast(10) { leaf <-> hub }
    #expect(leaves.dropLast(10).allSatisfy { $0.value == 0 })
    for leaf in leaves.suffix(10) { hub <-> leaf }
    #expect(hub.value == 50 && leaves.allSatisfy { $0.value == 50 })
    leaves[7].value = -1
    #expect(hub.value == -1 && leaves.allSatisfy { $0.value == -1 })
  }

  @Test("M6 AC66: nil is a value like any other")
  func optional() {
    let (left, right) = (MutableProperty<String?>("a"), MutableProperty<String?>(nil))
    left <-> right
    #expect(left.value == nil)
    right.value = "b"
    #expect(left.value == "b")
    left.value = nil
    #expect(right.value == nil)
  }

  @Test("M6: a disposed binding copies nothing, and the properties can be bound again")
  func disposal() {
    let binding = left <-> right
    binding.dispose()
    left.value = 5
    #expect(right.value == 2)
    right.value = 6
    #expect(left.value == 5)
    right.bindBothWays(with: left)
    #expect(right.value == 5)
    right.value = 7
    #expect(left.value == 7)
  }

  @Test("a conversion that disposes the binding sets nothing, in either direction", arguments: [false, true])
  func disposedInConversion(isBack: Bool) {
    let (first, second, binding) = (MutableProperty(1), MutableProperty(1), Box<Subscription?>(nil))
    let convert: @Sendable (Int) -> Int? = { value in
      if value == 2 { binding.value?.dispose() }
      return value
    }
    binding.value = first.bindBothWays(with: second, mapping: convert, back: convert)
    (isBack ? second : first).value = 2
    #expect([first.value, second.value] == (isBack ? [1, 2] : [2, 1]))
  }

  @Test("M5 M6: a binding retains neither property, and ends when either is deallocated")
  func lifetime() {
    weak var gone: MutableProperty<Int>?
    let bindings: [Subscription]
    do {
      let other = MutableProperty(9)
      gone = other
      bindings = [left <-> other, other <-> right]
      #expect(left.value == 2)
    }
    #expect(gone == nil && bindings.allSatisfy { $0.isDisposed })
    left.value = 11
    #expect(right.value == 2)
  }

  /// - Parameter values: the first one, the one that is copied, and the one that is set meanwhile.
  private func expectLastTaken<Value: Equatable & Sendable>(
    _ values: (Value, Value, Value),
    binding: (MutableProperty<Value>, MutableProperty<Value>) -> Subscription
  ) {
    let staying = MutableProperty(values.0)
    let going = Box<MutableProperty<Value>?>(MutableProperty(values.0))
    let subscription = going.value.map { binding(staying, $0) }
    going.value?.signal.subscribe { value in
      guard value == values.1 else { return }
      going.value?.value = values.2
      going.value = nil
    }
    let heard = Recorder(staying.signal)
    staying.value = values.1
    #expect(staying.value == values.2 && heard.values == [values.0, values.1, values.2])
    #expect(subscription?.isDisposed == true)
  }

  @Test("M6: a change made while another one is copied is copied too, even if the property is then released")
  func lastChange() {
    expectLastTaken((1, 7, 5)) { $0 <-> $1 }
    expectLastTaken((1, 7, 5)) { $1 <-> $0 }
    expectLastTaken(("a", "b", "c")) { $0 <-> $1 }
    expectLastTaken(("a", "b", "c")) { $1 <-> $0 }
  }

  @Test(
    "M6: a property that is set while its value is copied to one that is then released keeps what was set",
    arguments: [true, false])
  func changedWhileOtherEnds(staysOnTheLeft: Bool) {
    let staying = MutableProperty("a")
    let going = Box<MutableProperty<String>?>(MutableProperty("a"))
    let binding = going.value.map { staysOnTheLeft ? (staying <-> $0) : ($0 <-> staying) }
    going.value?.signal.subscribe { value in
      guard value == "b" else { return }
      staying.value = "c"
      going.value = nil
    }
    staying.value = "b"
    #expect(staying.value == "c" && binding?.isDisposed == true)
  }

  @Test("a binding retains no value of a deallocated property, even while the other property lives on")
  func releaseOfOne() {
    let resources = Resources()
    let staying = MutableProperty<Resources.Resource?>(nil)
    do {
      let going = MutableProperty<Resources.Resource?>(resources.make())
      staying <-> going
      #expect(resources.alive == 1 && going.value != nil)
    }
    staying.value = nil
    #expect(resources.alive == 0)
  }

  @Test("a binding does not retain the values it has copied")
  func release() {
    let resources = Resources()
    do {
      let (left, right) = (
        MutableProperty<Resources.Resource?>(resources.make()), MutableProperty<Resources.Resource?>(nil)
      )
      left <-> right
      #expect(resources.alive == 0)
      right.value = resources.make()
      left.value = resources.make()
      #expect(resources.alive == 1)
    }
    #expect(resources.alive == 0)
  }

  @Test("a subscriber that sets the other property overrides the change, and both are equal afterwards")
  func nested() {
    left <-> right
    left.signal.subscribe { [right] value in if value == 3 { right.value = 4 } }
    left.value = 3
    #expect(left.value == 4 && right.value == 4)
    right.value = 3
    #expect(left.value == 4 && right.value == 4)
  }

  @Test(
    "P1 P2: a one-way binding sets a property, does not retain it, and ends with it, or with the signal"
  )
  func oneWay() {
    let numbers = Subject<Int, Never>()
    let binding: Subscription
    weak var gone: MutableProperty<Int>?
    do {
      let property = MutableProperty(0)
      gone = property
      (property <~ numbers).dispose()
      numbers.send(1)
      #expect(property.value == 0)
      binding = property.bindingTarget <~ numbers
      numbers.send(2)
      #expect(property.value == 2 && !binding.isDisposed)
    }
    #expect(gone == nil && binding.isDisposed && numbers.subscriberCount == 0)
    let last = numbers.bind(to: left)
    numbers.send(3)
    #expect(left.value == 3 && !last.isDisposed)
    numbers.complete()
    #expect(last.isDisposed)
  }

  #if compiler(>=6.3)  // Closures of exit tests capture values from 6.3 on.
  @Test("any number of changes during one conversion is not taken for the end of a property")
  func manyChanges() {
    let (left, right) = (MutableProperty(1), MutableProperty(1))
    let changes = Box<(() -> Void)?>(nil)
    let link = PropertyLink<Int, Int>(
      left.core, right.core,
      forth: { value in
        changes.value.take()?()
        return value
      }, back: { $0 })
    link.start()
    // As if other threads had set the right property as often, each time to what it was.
    changes.value = { _ = AtomicWord(property: 0, of: link).add(1 << 40) }
    left.value = 2
    #expect(right.value == 2 && !link.binding.isDisposed)
    link.binding.dispose()
  }

  @Test("a property that is bound to itself, with conversions or without, traps", arguments: [false, true])
  func itself(isConverted: Bool) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [isConverted] in
      let property = MutableProperty(0)
      if isConverted {
        property.bindBothWays(with: property, mapping: { $0 + 1 }, back: { $0 })
      } else {
        property <-> property
      }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("a property cannot be bound to itself"))
  }
  #endif

  #if DEBUG
  @Test("P1: a second active one-way binding to a property traps with a message that names its type")
  func twice() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (property, numbers) = (MutableProperty(0), Subject<Int, Never>())
      property <~ numbers
      property <~ numbers
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("MutableProperty<Int>") && text.contains("bound already"))
  }

  @Test("a two-way binding that would close a cycle traps")
  func circle() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let properties = (0..<4).map { MutableProperty($0) }
      for index in properties.indices { properties[index] <-> properties[(index + 1) % 4] }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("would close a cycle"))
  }

  @Test("a property that has been deallocated closes no cycle, also while a value is being forwarded")
  func releasedInside() {
    let (left, right) = (MutableProperty(0), MutableProperty(0))
    let middle = Box<MutableProperty<Int>?>(MutableProperty(0))
    if let middle = middle.value {
      left <-> middle
      right <-> middle
    }
    let bound = Box<Subscription?>(nil)
    left.signal.skip(first: 1).take(first: 1).subscribe { _ in
      middle.value = nil
      bound.value = left <-> right
    }
    right.value = 1
    #expect(left.value == 1 && bound.value?.isDisposed == false)
    bound.value?.dispose()
  }

  #if compiler(>=6.3)  // Closures of exit tests capture values from 6.3 on.
  @Test("a cycle is found from a hub of many, and in whatever order the properties stand")
  func circleThroughHub() async throws {
    for isTurned in [false, true] {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        [isTurned = isTurned as Bool] in
        let (hub, leaves) = (MutableProperty(0), (0..<200).map { MutableProperty($0) })
        for leaf in leaves { hub <-> leaf }
        if isTurned { leaves[17] <-> leaves[150] } else { leaves[150] <-> hub }
      }
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(text.contains("would close a cycle"))
    }
  }
  #endif

  @Test(
    "a two-way binding of a debug build takes about as long among a thousand as alone",
    arguments: [false, true])
  func manyBindings(isChain: Bool) {
    let properties = (0...1_000).map { _ in MutableProperty(0) }
    // The left one is set, so it is the one that nobody observes yet.
    for index in 1...1_000 { properties[index] <-> properties[isChain ? index - 1 : 0] }
    let others = (0..<60).map { _ in MutableProperty(0) }
    // By turns and the least of each, as a machine that others share may be slow at any time.
    var (alone, among) = (Duration.seconds(1_000), Duration.seconds(1_000))
    for index in 0..<20 {
      alone = min(alone, processorTime { others[3 * index] <-> others[3 * index + 1] })
      among = min(among, processorTime { others[3 * index + 2] <-> properties[0] })
    }
    // Looking at all that are bound to each other would take a hundred times as long.
    #expect(among < alone * 10)
  }
  #endif
}
