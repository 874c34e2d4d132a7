// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Runs `body` while a subscriber of `terminal` is blocked in its first value on another thread.
private func whileOneHangs(in terminal: ChannelTerminal<Int, Never>, _ body: @escaping @Sendable () -> Void) {
  let (entered, leave, values) = (Door(), Door(), Counter())
  withThreads(2) { index in
    if index == 0 {
      terminal.subscribe { _ in
        guard values.add() == 0 else { return }
        entered.open()
        leave.pass()
      }
    } else {
      entered.pass()
      body()
      leave.open()
    }
  }
}

/// By how much memory grows when subscribers come and go while one is blocked in its first value.
///
/// - Parameter prepare: runs before they come.
private func growthWhileOneHangs(
  in terminal: ChannelTerminal<Int, Never>, after prepare: @escaping @Sendable () -> Void = {}
) -> Int {
  let growth = Box(Int.max)
  whileOneHangs(in: terminal) {
    prepare()
    growth.value = allocatedGrowth { terminal.subscribe { _ in }.dispose() }
  }
  return growth.value
}

/// Properties as channels.
struct PropertyTerminalTests {
  private let property = MutableProperty(1)

  @Test(
    "M5 AC66: a terminal starts with the property's value; a value sent to it sets the property and is not echoed"
  )
  func terminal() {
    let terminal = property.makeTerminal()
    let recorder = Recorder(terminal)
    property.value = 2
    terminal.send(3)
    #expect(property.value == 3)
    property.value = 4
    #expect(recorder.values == [1, 2, 4])
    terminal.send(5)
    #expect(Recorder(terminal).values == [5] && Recorder(property.makeTerminal()).values == [5])
  }

  @Test("M5: a value sent to one terminal is delivered by the property's other terminal, and not echoed")
  func others() {
    let (first, second) = (property.makeTerminal(), property.makeTerminal())
    let (heard, echo) = (Recorder(second), Recorder(first))
    first.send(2)
    #expect(heard.values == [1, 2] && echo.values == [1])
  }

  @Test("M5: nil sent to a terminal sets the property to its nilValue")
  func nilValue() {
    let terminal = property.makeTerminal(nilValue: -1)
    let recorder = Recorder(terminal)
    terminal.send(nil)
    #expect(property.value == -1)
    terminal.send(2)
    property.value = 3
    #expect(property.value == 3 && recorder.values == [1, 3])
  }

  @Test(
    "M5: what feeds a terminal ends when the property or control is deallocated, and at once if it already is"
  )
  func feeding() {
    let source = Subject<Int, Never>()
    var (property, control): (MutableProperty<Int>?, ControlProperty<Int>?) = (.init(0), .init(0))
    for terminal in [property?.makeTerminal(), control?.makeTerminal()].compactMap({ $0 }) {
      let (forwarding, adopted, late) = (source.forward(to: terminal), Subscription(), Subscription())
      terminal.adopt(adopted)
      let recorder = Recorder(terminal)
      #expect(!forwarding.isDisposed && !adopted.isDisposed)
      if property == nil { control = nil }
      property = nil
      #expect(recorder.completion == .completed && forwarding.isDisposed && adopted.isDisposed)
      terminal.adopt(late)
      #expect(late.isDisposed)
    }
  }

  @Test(
    "M5: a subscription that a terminal adopts is disposed before the terminal completes, or when it is deallocated"
  )
  func endOfFeeding() {
    let (ended, dropped, hadEnded) = (Subscription(), Subscription(), Box(false))
    let terminal = property.makeTerminal()
    terminal.adopt(ended)
    terminal.subscribe(completed: { hadEnded.value = ended.isDisposed })
    terminal.complete()
    #expect(hadEnded.value)
    property.makeTerminal().adopt(dropped)
    #expect(dropped.isDisposed)
  }

  @Test(
    "M5: terminals do not retain the property; its deallocation completes them, also for later subscribers")
  func death() {
    weak var gone: MutableProperty<Int>?
    let terminal: ChannelTerminal<Int, Never>
    let recorder: Recorder<Int, Never>
    do {
      let property = MutableProperty(1)
      gone = property
      terminal = property.makeTerminal()
      recorder = Recorder(terminal)
    }
    #expect(gone == nil && recorder.events == [.next(1), .completed])
    terminal.send(2)
    #expect(Recorder(terminal).events == [.completed])
  }

  @Test("M5: a terminal busy when the property is deallocated delivers the last value, and then completion")
  func lastValue() throws {
    let property = Box<MutableProperty<String>?>(MutableProperty("a"))
    let terminal = try #require(property.value?.makeTerminal())
    let early = Recorder(terminal)
    // The first value is delivered in the turn of the terminal, not in that of the property.
    terminal.subscribe { _ in
      property.value?.value = "b"
      property.value = nil
    }
    #expect(early.events == [.next("a"), .next("b"), .completed])
  }

  @Test("M5: a deallocated property releases its value, even if a terminal is retained")
  func lettingGo() {
    let resources = Resources()
    var property: MutableProperty<Resources.Resource>? = MutableProperty(resources.make())
    let terminal = property?.makeTerminal()
    let early = terminal.map { Recorder($0.signal.map { _ in 1 }) }
    property = nil
    #expect(resources.alive == 0 && early?.events == [.next(1), .completed])
    terminal?.send(resources.make())
    let late = terminal.map { Recorder($0) }
    #expect(late?.completion == .completed && late?.values.isEmpty == true && resources.alive == 0)
  }

  @Test(
    "M2 M5: completing a terminal ends its subscribers and what feeds it; the property ignores it from then on"
  )
  func end() {
    let (terminal, source) = (property.makeTerminal(), Subject<Int, Never>())
    let recorder = Recorder(terminal)
    let feeding = source.forward(to: terminal)
    source.send(2)
    terminal.complete()
    #expect(feeding.isDisposed && recorder.events == [.next(1), .completed])
    terminal.send(3)
    #expect(property.value == 2)
    property.value = 4
    #expect(property.value == 4 && recorder.events.count == 2)
    #expect(Recorder(terminal).events == [.completed])
    #expect(Recorder(property.makeTerminal()).events == [.next(4)])
  }

  @Test(
    "P1: signals forwarded to terminals set the property one after another, as in RAC's property examples")
  func forwarding() {
    let source = Subject<Int, Never>()
    source.forward(to: property.makeTerminal())
    source.send(2)
    #expect(property.value == 2)
    source.complete()
    #expect(property.value == 2)
    let again = Subject<Int, Never>()
    again.forward(to: property.makeTerminal())
    again.send(3)
    #expect(property.value == 3)
  }

  @Test("M4: a terminal releases disposed subscribers, and is deallocated with its last reference")
  func release() {
    let resources = Resources()
    weak var gone: ChannelTerminal<Int, Never>?
    do {
      let terminal = property.makeTerminal()
      gone = terminal
      let subscription = terminal.subscribe { [token = resources.make()] _ in _ = token }
      property.value = 2
      #expect(resources.alive == 1)
      subscription.dispose()
      #expect(resources.alive == 0)
    }
    #expect(gone == nil)
  }

  @Test("memory stays bounded when many subscribers of a terminal come and go while one is blocked")
  func boundedDuringBlock() async {
    await #expect(processExitsWith: .success) {
      let property = Box<MutableProperty<Int>?>(MutableProperty(1))
      let terminal = try #require(property.value?.makeTerminal())
      let growth = growthWhileOneHangs(in: terminal)
      #expect(growth < spareMemory)
      let ending = try #require(property.value?.makeTerminal())
      let growthAfterEnd = growthWhileOneHangs(in: ending) { property.value = nil }
      #expect(growthAfterEnd < spareMemory)
    }
  }

  @Test(
    "a subscriber added to a terminal while another is blocked then receives the newest value and changes")
  func comingDuringBlock() {
    let terminal = property.makeTerminal()
    let heard = Box<Recorder<Int, Never>?>(nil)
    whileOneHangs(in: terminal) { [property] in
      heard.value = Recorder(terminal)
      terminal.subscribe { _ in }.dispose()
      property.value = 2
      #expect(heard.value?.values == [])
    }
    property.value = 3
    #expect(heard.value?.values == [2, 3])
  }

  @Test(
    "M5: a subscriber added after a nested send starts with that value, one added before it with the old one")
  func comingAfterSend() {
    let terminal = property.makeTerminal()
    let (before, after) = (Box<[Int]>([]), Box<[Int]>([]))
    terminal.subscribe { [terminal] value in
      guard value == 2 else { return }
      terminal.subscribe { before.value.append($0) }
      terminal.send(5)
      terminal.subscribe { after.value.append($0) }
    }
    property.value = 2
    #expect(property.value == 5 && before.value == [2] && after.value == [5])
    property.value = 6
    #expect(before.value == [2, 6] && after.value == [5, 6])
    terminal.complete()
  }

  @Test("M5: a subscriber added after a send to a blocked terminal starts with that value or a newer one")
  func comingAfterSendOnThread() {
    let terminal = property.makeTerminal()
    let heard = Box<[Recorder<Int, Never>]>([])
    whileOneHangs(in: terminal) {
      for value in 2...4 {
        heard.value.append(Recorder(terminal))
        terminal.send(value)
      }
      heard.value.append(Recorder(terminal))
    }
    #expect(property.value == 4 && heard.value.map(\.values) == [[1], [4], [4], [4]])
    terminal.complete()
  }

  @Test(
    "M2 M5: a subscriber added after a nested complete() receives only completion, one added before a value first"
  )
  func comingAfterEnd() {
    let terminal = property.makeTerminal()
    let heard = Box<[Recorder<Int, Never>]>([])
    terminal.subscribe { [terminal] value in
      guard value == 2 else { return }
      heard.value.append(Recorder(terminal))
      terminal.complete()
      heard.value.append(Recorder(terminal))
    }
    property.value = 2
    #expect(heard.value.map(\.events) == [[.next(2), .completed], [.completed]])
  }

  @Test("a value that a subscriber sends back during a delivery sets the property and is not echoed")
  func answer() {
    let terminal = property.makeTerminal()
    let heard = Box<[Int]>([])
    terminal.subscribe { value in
      heard.value.append(value)
      if value < 10 { terminal.send(value * 10) }
    }
    #expect(property.value == 10)
    property.value = 2
    #expect(property.value == 20 && heard.value == [1, 2])
    terminal.complete()
  }

  @Test("M2 M5: a value sent before complete() during a delivery is set, one sent after it is not")
  func answerAndEnd() {
    let terminal = property.makeTerminal()
    let recorder = Recorder(terminal)
    terminal.subscribe { value in
      if value == 1 { return }
      terminal.send(3)
      terminal.complete()
      terminal.send(4)
    }
    property.value = 2
    #expect(property.value == 3)
    #expect(recorder.events == [.next(1), .next(2), .completed])
  }
}
