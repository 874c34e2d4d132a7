// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A value that is changed from outside as well as by the program: a setting on an operator's console, a
/// dial, a field of a form.
///
/// Changes from outside are reported with ``enter(_:)``; only those are sent by the control's terminals. What
/// the program sets, through ``value`` or by sending to a terminal, is applied in silence, so that a program
/// that reacts to a change with a change does not get its own.
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
/// All of it may be used from any thread, without waiting. Entered values are delivered by a ``Subject``: all
/// of them, in one order. Each becomes the value when it is delivered: one that is entered while another is
/// being delivered is queued, and then also replaces what the program has set meanwhile. When the control is
/// released its terminals complete.
///
/// ReactiveObjC: the channels of controls, such as `-rac_newTextChannel`, and the `value` they set.
public final class ControlProperty<Value: Sendable>: BindingTargetConvertible, Sendable {
  /// The value, whoever sets it.
  public let current: MutableProperty<Value>
  @usableFromInline let entered = Subject<Value, Never>()

  /// A control with a first value.
  @inlinable
  public init(_ value: Value) {
    current = MutableProperty(value)
    // The first of all subscribers: when the others get a value, it is in force.
    entered.subscribe { [current] in current.value = $0 }
  }

  deinit { ReleaseQueue().end(entered) { $0.complete() } }

  /// The value. Setting it is silent: it is the program that sets. A queued entered value replaces it later.
  @inlinable
  public var value: Value {
    get { current.value }
    set { current.value = newValue }
  }

  /// A target that the values of a signal can be bound to, in silence.
  @inlinable public var bindingTarget: BindingTarget<Value> { current.bindingTarget }

  /// Takes a change made outside: it becomes the value, and all terminals send it, on this thread. If another
  /// change is being delivered, this one is queued behind it, bounded only by memory, and delivered by the
  /// thread that delivers that one.
  ///
  /// ReactiveObjC has none: there the control itself sends the notification.
  @inlinable
  public func enter(_ value: Value) { entered.send(value) }

  /// A terminal of a new channel to this control: what is sent to it is applied in silence, and it sends the
  /// values that are entered from then on.
  ///
  /// It does not start with a value. Values are delivered on the thread that enters them, or on one that is
  /// already delivering; what is sent to the terminal is applied on the thread that sends it, as ``value`` is
  /// set. The channel ends when the terminal is ended, which leaves the control alone, or when the control is
  /// deallocated. The terminal does not retain the control, nor the control the terminal. Buffers nothing
  /// unless a value is entered while another is being delivered, and then in a queue that is bounded only by
  /// memory.
  ///
  /// ReactiveObjC: `-rac_newTextChannel` and the other channels of controls.
  @inlinable
  public func makeTerminal() -> ChannelTerminal<Value, Never> {
    let (ending, target) = (Subscription(), bindingTarget)
    return ChannelTerminal(
      receiving: entered.take(untilDisposalOf: ending),
      sendingTo: TerminalEntrance(
        adoptedWith: entered.adopt, { _ = target.set($0) }, end: { ending.dispose() }))
  }
}
