// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Runs `body` while a subscriber of `terminal` hangs in its first value, on another thread.
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

/// How much memory is kept for subscribers that come and go while one hangs in its first value.
///
/// - Parameter prepare: is run before they come.
private func growthWhileOneHangs(
  in terminal: ChannelTerminal<Int, Never>, after prepare: @escaping @Sendable () -> Void = {}
) -> Int {
  let growth = Box(Int.max)
  whileOneHangs(in: terminal) {
    prepare()
    growth.value = residentGrowth(over: manyRounds) { terminal.subscribe { _ in }.dispose() }
  }
  return growth.value
}

/// Properties as channels.
struct PropertyTerminalTests {
  private let property = MutableProperty(1)

  @Test(
    "M5 AC66: a terminal begins with the value of the property; what is sent to it sets the property and is not echoed"
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

  @Test("M5: one terminal hears what another one sends")
  func others() {
    let (first, second) = (property.makeTerminal(), property.makeTerminal())
    let (heard, echo) = (Recorder(second), Recorder(first))
    first.send(2)
    #expect(heard.values == [1, 2] && echo.values == [1])
  }

  @Test("M5: nil sets the value named for it")
  func nilValue() {
    let terminal = property.makeTerminal(nilValue: -1)
    let recorder = Recorder(terminal)
    terminal.send(nil)
    #expect(property.value == -1)
    terminal.send(2)
    property.value = 3
    #expect(property.value == 3 && recorder.values == [1, 3])
  }

  @Test("M5: what feeds a terminal ends when the property or the control goes, and at once if that has gone")
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
      #expect(recorder.completion == .finished && forwarding.isDisposed && adopted.isDisposed)
      terminal.adopt(late)
      #expect(late.isDisposed)
    }
  }

  @Test("M5: what feeds a terminal ends with it, and when nobody has it any more")
  func endOfFeeding() {
    let (ended, dropped) = (Subscription(), Subscription())
    let terminal = property.makeTerminal()
    terminal.adopt(ended)
    terminal.complete()
    #expect(ended.isDisposed)
    property.makeTerminal().adopt(dropped)
    #expect(dropped.isDisposed)
  }

  @Test("M5: when the property goes, its terminals complete, also for those who come later; none keeps it")
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

  @Test("M5: a terminal that is busy when the property goes delivers the last value, and then the completion")
  func lastValue() throws {
    let property = Box<MutableProperty<String>?>(MutableProperty("a"))
    let terminal = try #require(property.value?.makeTerminal())
    let early = Recorder(terminal)
    // The first value comes in the turn of the terminal, and not in that of the property.
    terminal.subscribe { _ in
      property.value?.value = "b"
      property.value = nil
    }
    #expect(early.events == [.next("a"), .next("b"), .completed])
  }

  @Test("M5: a property that goes lets go of its value, also if a terminal is kept")
  func lettingGo() {
    let resources = Resources()
    var property: MutableProperty<Resources.Resource>? = MutableProperty(resources.make())
    let terminal = property?.makeTerminal()
    let early = terminal.map { Recorder($0.signal.map { _ in 1 }) }
    property = nil
    #expect(resources.alive == 0 && early?.events == [.next(1), .completed])
    terminal?.send(resources.make())
    let late = terminal.map { Recorder($0) }
    #expect(late?.completion == .finished && late?.values.isEmpty == true && resources.alive == 0)
  }

  @Test(
    "M2 M5: an ended terminal completes, sets nothing any more, ends what feeds it, and leaves the property alone"
  )
  func end() {
    let (terminal, source) = (property.makeTerminal(), Subject<Int, Never>())
    let recorder = Recorder(terminal)
    let feeding = source.forward(to: terminal)
    source.send(2)
    terminal.complete()
    #expect(feeding.isDisposed && recorder.events == [.next(1), .completed])
    terminal.send(3)
    property.value = 4
    #expect(property.value == 4 && recorder.events.count == 2)
    #expect(Recorder(terminal).events == [.completed])
    #expect(Recorder(property.makeTerminal()).events == [.next(4)])
  }

  @Test("P1: a terminal takes the place of a binding target, as in RAC's property examples")
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

  @Test("M4: a terminal releases its subscribers when they are disposed, and goes when it is dropped")
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

  @Test("memory stays bounded while a subscriber of a terminal hangs, and a hundred thousand come and go")
  func boundedDuringBlock() async {
    await #expect(processExitsWith: .success) {
      let property = Box<MutableProperty<Int>?>(MutableProperty(1))
      let terminal = try #require(property.value?.makeTerminal())
      let growth = growthWhileOneHangs(in: terminal)
      #expect(growth < 4 << 20)
      let ending = try #require(property.value?.makeTerminal())
      let growthAfterEnd = growthWhileOneHangs(in: ending) { property.value = nil }
      #expect(growthAfterEnd < 4 << 20)
    }
  }

  @Test("who comes to a terminal while a subscriber hangs gets the newest value after that, and the changes")
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
    "M5: who comes to a terminal after a value was sent through it gets that value, also if others wait to be let in"
  )
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

  @Test(
    "M5: who comes to a terminal that hangs on another thread, after a value was sent, begins with that or later"
  )
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
    "M2 M5: who comes to a terminal after its end gets nothing but that, also if others wait to be let in"
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

  @Test("a subscriber that answers with another value sets it after the delivery, and hears no echo")
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

  @Test("M2 M5: a value that was sent before the end is set, also if both wait for the delivery under way")
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
