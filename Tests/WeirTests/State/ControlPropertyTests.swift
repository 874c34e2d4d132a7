// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Values that both the user of a control and the program change.
struct ControlPropertyTests {
  private let control = ControlProperty(1)

  @Test(
    "M7 AC67: a terminal sends entered values and not those set by the program; values sent to it are not echoed"
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

  @Test("M7: an entered value is set before subscribers receive it; current delivers every change")
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

  @Test(
    "M7: a value entered during a delivery is applied after it, and replaces what the program set meanwhile")
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

  @Test(
    "M7: terminals complete when the control is deallocated; neither they nor their subscribers retain it")
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

  @Test(
    "M2 M7: a completed terminal neither delivers nor sets values; the control and other terminals continue")
  func end() {
    let (terminal, other) = (control.makeTerminal(), control.makeTerminal())
    let (recorder, rest) = (Recorder(terminal), Recorder(other))
    terminal.complete()
    terminal.send(9)
    #expect(control.value == 1)
    control.enter(2)
    #expect(recorder.events == [.completed] && rest.events == [.next(2)] && control.value == 2)
  }

  @Test(
    "a control bound both ways takes the model's value and its changes, and passes entered values to the model"
  )
  func bound() {
    let model = MutableProperty(7)
    let entered = Recorder(control.makeTerminal())
    control.current <-> model
    #expect(control.value == 7)
    model.value = 8
    #expect(control.value == 8)
    control.enter(9)
    #expect(model.value == 9 && entered.values == [9])
  }
}
