// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Values that an operator and the program change.
struct ControlPropertyTests {
  private let control = ControlProperty(1)

  @Test(
    "M7 AC67: what the program sets is silent, what is entered is sent, what is sent is applied and not echoed"
  )
  func rules() {
    let terminal = control.makeTerminal()
    let recorder = Recorder(terminal)
    #expect(recorder.events.isEmpty)
    control.value = 2
    #expect(recorder.events.isEmpty && control.value == 2)
    control.enter(3)
    #expect(recorder.values == [3] && control.value == 3)
    terminal.send(4)
    #expect(recorder.values == [3] && control.value == 4)
    control.enter(5)
    #expect(recorder.values == [3, 5])
    #expect(Recorder(terminal).events.isEmpty)
  }

  @Test("M7: a value is in force when subscribers hear of it, and the console sees who ever sets it")
  func inForce() {
    let terminal = control.makeTerminal()
    let shown = Recorder(control.current.signal)
    terminal.subscribe { [control] value in
      #expect(control.value == value)
      if value > 100 { terminal.send(100) }
    }
    control.enter(500)
    #expect(control.value == 100 && shown.values == [1, 500, 100])
    control <~ Signal<Int, Never>([7, 8])
    #expect(shown.values == [1, 500, 100, 7, 8])
    terminal.complete()
  }

  @Test("M7: what is entered while a value is being delivered replaces what the program then sets")
  func queued() {
    control.makeTerminal().subscribe { [unowned control] value in
      guard value == 2 else { return }
      control.enter(3)
      control.value = 4
      #expect(control.value == 4)
    }
    control.enter(2)
    #expect(control.value == 3)
  }

  @Test("M7: the terminals complete when the control goes; nothing keeps it")
  func death() {
    let resources = Resources()
    weak var gone: ControlProperty<Int>?
    let terminal: ChannelTerminal<Int, Never>
    let recorder: Recorder<Int, Never>
    let current: MutableProperty<Int>
    do {
      let control = ControlProperty(1)
      current = control.current
      gone = control
      terminal = control.makeTerminal()
      recorder = Recorder(terminal)
      terminal.subscribe { [token = resources.make()] _ in _ = token }
      control.enter(2)
    }
    #expect(gone == nil && resources.alive == 0)
    #expect(recorder.events == [.next(2), .completed] && Recorder(terminal).events == [.completed])
    terminal.send(3)
    #expect(current.value == 2)
  }

  @Test("M2 M7: an ended terminal leaves the control alone")
  func end() {
    let (terminal, other) = (control.makeTerminal(), control.makeTerminal())
    let (recorder, rest) = (Recorder(terminal), Recorder(other))
    terminal.complete()
    terminal.send(9)
    control.enter(2)
    #expect(recorder.events == [.completed] && rest.events == [.next(2)] && control.value == 2)
  }

  @Test("a model and a control bound both ways are equal, whoever changes")
  func bound() {
    let model = MutableProperty(7)
    let entered = Recorder(control.makeTerminal())
    control.current <-> model
    #expect(control.value == 7)
    model.value = 8
    control.enter(9)
    #expect(model.value == 9 && entered.values == [9])
  }
}
