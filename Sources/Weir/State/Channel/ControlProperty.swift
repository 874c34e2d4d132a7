// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A value that somebody outside changes as well as the program: a setting on an operator's console, a dial,
/// a field of a form.
///
/// The outside reports its changes with ``enter(_:)``; only those come out of the control's terminals. What
/// the program sets, through ``value`` or by sending to a terminal, is applied in silence, so that a program
/// that answers a change with a change does not hear itself.
///
/// ```swift
/// let limit = ControlProperty(100)
/// let terminal = limit.makeTerminal()
/// terminal.subscribe { log("the operator wants \($0)") }
/// terminal.send(200)    // applied: limit.value is 200; nothing is logged
/// limit.enter(300)      // from the console: logged
/// ```
///
/// ``current`` is the value as a property, whoever sets it: the console observes it to show the value, and a
/// two-way binding of it keeps a model and the control equal.
///
/// From any thread, without waiting. Entered values are delivered by a ``Subject``: all of them, in one
/// order. Each becomes the value when its turn comes: one that is entered while another is being delivered
/// waits, and then replaces also what the program has set meanwhile. When the control is released its
/// terminals complete.
///
/// ReactiveObjC: the channels of controls, such as `-rac_newTextChannel`, and the `value` they set.
public final class ControlProperty<Value: Sendable>: BindingTargetConvertible, Sendable {
  /// The value, whoever sets it.
  public let current: MutableProperty<Value>
  private let entered = Subject<Value, Never>()

  /// A control with a first value.
  public init(_ value: Value) {
    current = MutableProperty(value)
    // The first of all subscribers: when the others hear of a value, it is in force.
    entered.subscribe { [current] in current.value = $0 }
  }

  deinit { ReleaseQueue().end(entered) { $0.complete() } }

  /// The value. Setting it is silent: that is what the program does. An entered value that waits replaces it.
  public var value: Value {
    get { current.value }
    set { current.value = newValue }
  }

  /// Where the values of a signal can be bound to, in silence.
  public var bindingTarget: BindingTarget<Value> { current.bindingTarget }

  /// Takes a change that was made outside: it becomes the value, and comes out of all terminals, on this
  /// thread. If another one is under way, it is queued behind that, without a bound but memory, and comes on
  /// the thread that delivers that.
  ///
  /// ReactiveObjC has none: there the control tells of it.
  public func enter(_ value: Value) { entered.send(value) }

  /// A terminal of a new channel to this control: what is sent to it is applied in silence, and what comes
  /// out of it are the values that were entered since.
  ///
  /// It does not begin with a value. Values come on the thread that enters them, or on one that is delivering
  /// already; what is sent is applied on the thread that sends it, as ``value`` is set. The channel ends when
  /// the terminal is ended, which leaves the control alone, or when the control goes. The terminal does not
  /// keep the control, nor the control the terminal. Buffers nothing unless threads meet.
  ///
  /// ReactiveObjC: `-rac_newTextChannel` and the other channels of controls.
  public func makeTerminal() -> ChannelTerminal<Value, Never> {
    let (ending, target) = (Subscription(), bindingTarget)
    return ChannelTerminal(
      receiving: entered.take(untilDisposalOf: ending),
      sendingTo: TerminalEntrance(
        adoptedWith: entered.adopt, { _ = target.set($0) }, end: { ending.dispose() }))
  }
}
