// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir
import WeirTesting

// The parts of programs that only the shape `state` has, built with Weir.

/// A property, or a control and its value. A second signal is not bound to it, as Weir forbids that.
class HotProperty: HotPlace, @unchecked Sendable {
  // Unchecked: for one thread.
  let property: MutableProperty<Int>
  private var isBound = false

  init(_ property: MutableProperty<Int>) { self.property = property }

  var signal: Numbers { property.signal.setFailureType(to: TestFailure.self) }
  /// It has no end but its release. The value selects one of the ways to set it, which all do the same.
  func send(_ event: Happening) {
    guard case .value(let value) = event else { return }
    switch remainder(value, 3) {
    case 0: property.value = value
    case 1: property.modify { $0 = value }
    default: _ = property.swap(value)
    }
  }

  func makeTerminal() -> ChannelTerminal<Int, Never> { property.makeTerminal() }

  func take(_ signal: Numbers) -> Subscription? {
    if isBound { return nil }
    isBound = true
    return signal.catchAndReturn(7).bind(to: property)
  }
}

/// A control, which is set from outside.
final class HotControl: HotProperty, @unchecked Sendable {  // as its base
  private let control: ControlProperty<Int>

  init(_ control: ControlProperty<Int>) {
    self.control = control
    super.init(control.current)
  }

  override func send(_ event: Happening) { if case .value(let value) = event { control.enter(value) } }
  override func makeTerminal() -> ChannelTerminal<Int, Never> { control.makeTerminal() }
}

/// A terminal of a property or control.
final class HotTerminal: HotPlace {
  private let terminal: ChannelTerminal<Int, Never>

  init(_ terminal: ChannelTerminal<Int, Never>) { self.terminal = terminal }

  var signal: Numbers { terminal.signal.setFailureType(to: TestFailure.self) }
  func send(_ event: Happening) {
    if case .value(let value) = event { terminal.send(value) } else { terminal.complete() }
  }
  func take(_ signal: Numbers) -> Subscription? {
    terminal.hasEnded ? nil : signal.catchAndReturn(7).forward(to: terminal)
  }
}

/// The two properties, kept equal; nil if one has been released.
func bind(_ left: HotSource, _ right: HotSource, _ binding: Binding) -> Subscription? {
  left.using { left in
    right.using { right -> Subscription? in
      guard let left = left as? HotProperty, let right = right as? HotProperty else { return nil }
      if !binding.converts { return left.property <-> right.property }
      return left.property.bindBothWays(
        with: right.property, mapping: { Binding.forth($0) }, back: { Binding.back($0) })
    } ?? nil
  } ?? nil
}

/// A command of a program, until its owner releases it.
final class HotCommand: @unchecked Sendable {
  // Unchecked: for one thread.
  private var command: Command<Int, Int, TestFailure>?
  /// They do not retain the command.
  private let executing, enabled, errors, begun, executions: Numbers
  private let tasks: SchedulerTaskExecutor

  init(_ command: Command<Int, Int, TestFailure>, tasks: SchedulerTaskExecutor) {
    self.command = command
    self.tasks = tasks
    func numbers(_ signal: Signal<Int, Never>) -> Numbers { signal.setFailureType(to: TestFailure.self) }
    executing = numbers(command.executing.map { $0 ? 1 : 0 })
    enabled = numbers(command.enabled.map { $0 ? 1 : 0 })
    errors = numbers(command.errors.map(\.code))
    begun = numbers(command.executions.map { _ in 8 })
    executions = numbers(command.executions.flatMap { $0 })
  }

  func signal(_ view: CommandView) -> Numbers {
    switch view {
    case .executing: executing
    case .enabled: enabled
    case .errors: errors
    case .begun: begun
    case .executions: executions
    case .execute(let input):
      .attaching { [self] sink in
        guard let command else { return sink.terminate(.completed) }
        withExtendedLifetime(command) { command.execute(input).mapError { Self.failure($0) }.attach(sink) }
      }
    case .run(let input):
      .task(executorPreference: tasks) { [self] () async throws(TestFailure) -> Int in
        guard let command else { return 52 }
        do throws(CommandError<Int, Int, TestFailure>) {
          return try await command.run(input) ?? 51
        } catch {
          throw Self.failure(error)
        }
      }
    }
  }

  private static func failure(_ error: CommandError<Int, Int, TestFailure>) -> TestFailure {
    switch error {
    case .notEnabled(.busy, _, _): TestFailure(Refusal.busy)
    case .notEnabled(.disabled, _, _): TestFailure(Refusal.disabled)
    case .failed(let error): error
    case .interrupted, .cancelled: TestFailure(Refusal.interrupted)
    }
  }

  func limit(to limit: Int?) { command?.concurrency = CommandConcurrency(atMost: limit) }

  /// Released after the change, as a source is.
  func release() {
    let before = command.take()
    withExtendedLifetime(before) {}
  }
}

extension CommandConcurrency {
  init(atMost limit: Int?) { self = limit.map { .limit($0) } ?? .unlimited }
}
