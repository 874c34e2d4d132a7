// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// An action that can be executed on demand and observed: whether it is allowed, whether it is under way, and
/// what results from it.
///
/// A closure makes a signal of an input; ``execute(_:)`` runs it, if the command is enabled. By default one
/// execution runs at a time, and further ones are refused meanwhile: only the signal that ``execute(_:)``
/// returns reports that. To queue inputs instead, send them to a ``Subject``, and apply
/// ``SignalConvertible/flatMap(_:_:)`` to it.
///
/// ```swift
/// let save = Command(enabledIf: isOnline) { (order: Order) in database.store(order) }
/// save.executing.subscribe { print($0 ? "saving" : "idle") }
/// save.errors.subscribe { print("not saved: \($0)") }
/// save.execute(order)
/// ```
///
/// **Threads.** Everything may be used from any thread, and no thread waits. Whether an execution may start
/// is decided, and counted, in one compare-exchange: of threads that execute at the same time, only as many
/// succeed as may run. `isEnabled` and `isExecuting` read that same word. The signals follow it in its order;
/// states that passed while a delivery was under way or scheduled are skipped, and the last one delivered is
/// the final state.
///
/// **Delivery.** The events of the four signals, and the start of the work, go through the scheduler that was
/// given to the initialiser, in one order: an execution is announced on ``executing``, ``enabled`` and
/// ``executions`` first, and then its work is subscribed. With the default, the immediate scheduler, all this
/// happens inside ``execute(_:)``, and nothing changes threads. An execution requested inside a handler, also
/// inside that of a first value, starts after that delivery, and one requested by work that is just being
/// started, or by who receives its events, when that has been subscribed; both after starts that this thread
/// has pending; the stack does not grow. One that is requested while another thread is delivering starts at
/// once, and is announced by that thread. A new subscriber gets the first value of ``executing`` and
/// ``enabled`` on the subscribing thread, and there as well what is announced until that has been delivered;
/// all others get it on the scheduler. What the work sends is delivered where the work sends it. The queue of
/// pending events is bounded only by memory.
///
/// A scheduler that you pass should be serial: on any other the signals are still delivered one event at a
/// time, in order, but the work may start before its announcement was delivered. Work that the scheduler
/// gives up, because it was shut down, is not started, and that execution ends with
/// ``CommandError/interrupted``; what it gives up of the signals' events is dropped, unless it is delivered
/// together with what the scheduler still runs. A scheduler that is released with work of a command in its
/// queue forms a retain cycle with it.
///
/// **Release.** Neither signals nor running work retain the command. When it is released, ``enabled`` and
/// ``executions`` complete, the subscription to its condition is disposed, and running work goes on;
/// ``executing`` and ``errors`` complete when the last of it has ended.
///
/// Work whose source lets go of it without a terminal event (releases it without a completion or failure)
/// ends with ``CommandError/interrupted``. ``SignalConvertible/never()`` retains nothing of its subscribers,
/// so as work it is interrupted at once.
///
/// ReactiveObjC: `RACCommand`.
public final class Command<Input: Sendable, Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline let core: CommandCore
  @usableFromInline let outlets: CommandOutlets<Output, Failure>
  @usableFromInline let execution: @Sendable (Input) -> Signal<Output, Failure>
  /// Nil if the condition has ended.
  @usableFromInline let input: Subscription?

  /// A command that is enabled while the last value of a signal is true.
  ///
  /// The signal is subscribed at once. Until it has sent a value the command is enabled; a value that it
  /// sends while it is being subscribed counts from the beginning. When it ends, its last value stays.
  ///
  /// - Parameters:
  ///   - condition: whether executions may begin.
  ///   - concurrency: how many of them may run at the same time; see ``concurrency``.
  ///   - scheduler: where events are delivered, and work is started; should be serial.
  ///   - fileID: the place that a report of an unhandled error names, with `line`.
  ///   - line: see `fileID`.
  ///   - execution: makes the work for an input; called once for each execution that begins, inside
  ///     ``execute(_:)``. It does not throw, so that the type of failure is that of the work: see
  ///     ``SignalConvertible/fail(_:)`` and ``Signal/init(catching:)``.
  ///
  /// ReactiveObjC: `-initWithEnabled:signalBlock:`.
  @inlinable
  public init(
    enabledIf condition: some SignalConvertible<Bool, Never>,
    concurrency: CommandConcurrency = .one, on scheduler: some Scheduler = .immediate,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ execution: @escaping @Sendable (Input) -> Signal<Output, Failure>
  ) {
    outlets = CommandOutlets()
    core = CommandCore(
      concurrency, on: scheduler, site: SourceSite(fileID: fileID, line: line),
      announcing: { [outlets] in outlets.announce($0) })
    self.execution = execution
    let run = condition.subscribe(next: { [core] in core.allow($0) })
    input = run.isDisposed ? nil : run
    core.publishFirst()
  }

  /// A command that is enabled while a property is true. The rest is as with a signal: the command does not
  /// retain the property. So store that where the command is stored: if it is released, its last value stays,
  /// and if that is false, the command is disabled for ever.
  ///
  /// - Parameters:
  ///   - condition: whether executions may begin.
  ///   - concurrency: how many of them may run at the same time; see ``concurrency``.
  ///   - scheduler: where events are delivered, and work is started; should be serial.
  ///   - fileID: the place that a report of an unhandled error names, with `line`.
  ///   - line: see `fileID`.
  ///   - execution: makes the work for an input, as with a signal.
  ///
  /// ReactiveObjC: `-initWithEnabled:signalBlock:` with `RACObserve`.
  @inlinable
  public convenience init(
    enabledIf condition: some PropertyProtocol<Bool>,
    concurrency: CommandConcurrency = .one, on scheduler: some Scheduler = .immediate,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ execution: @escaping @Sendable (Input) -> Signal<Output, Failure>
  ) {
    self.init(
      enabledIf: condition.signal, concurrency: concurrency, on: scheduler, fileID: fileID, line: line,
      execution)
  }

  /// A command that is always enabled, except for the limit of its executions.
  ///
  /// - Parameters:
  ///   - concurrency: how many executions may run at the same time; see ``concurrency``.
  ///   - scheduler: where events are delivered, and work is started; should be serial.
  ///   - fileID: the place that a report of an unhandled error names, with `line`.
  ///   - line: see `fileID`.
  ///   - execution: makes the work for an input; called once for each execution that begins, inside
  ///     ``execute(_:)``. It does not throw, so that the type of failure is that of the work: see
  ///     ``SignalConvertible/fail(_:)`` and ``Signal/init(catching:)``.
  ///
  /// ReactiveObjC: `-initWithSignalBlock:`.
  @inlinable
  public convenience init(
    concurrency: CommandConcurrency = .one, on scheduler: some Scheduler = .immediate,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ execution: @escaping @Sendable (Input) -> Signal<Output, Failure>
  ) {
    self.init(
      enabledIf: Signal<Bool, Never>.never(), concurrency: concurrency, on: scheduler, fileID: fileID,
      line: line, execution)
  }

  deinit {
    let queue = ReleaseQueue()
    if let input { queue.end(input) { $0.dispose() } }
    queue.end(core) { $0.release() }
  }

  /// Executes the command: makes the work for `input` and starts it, or returns a signal that fails with
  /// ``CommandError/notEnabled(_:command:input:)`` if the command is not enabled.
  ///
  /// In this order: finds the command enabled and counts the execution, in one step; calls the closure;
  /// announces the execution; subscribes the work.
  ///
  /// The returned signal is one run of the work for all its subscribers: it sends a new subscriber all that
  /// the work has sent so far, on the subscribing thread, and then continues where the work sends. It
  /// completes when the work does, and fails with ``CommandError/failed(_:)`` when the work fails, or with
  /// ``CommandError/interrupted`` when there will be no end. For the replay it retains all values, bounded
  /// only by memory, as long as somebody holds it or the work runs. Disposing a subscription does not cancel
  /// the work. An error is also sent by ``errors``; if neither has a subscriber that receives it, it goes to
  /// ``UnhandledErrors`` when all that retains it is released: the returned signal, the work, and the signal
  /// that ``executions`` has sent, if somebody holds that.
  ///
  /// - Parameter input: what to work on.
  /// - Returns: the events of the work, delivered where it sends them.
  ///
  /// ReactiveObjC: `-execute:`.
  @inlinable @discardableResult
  public func execute(_ input: Input) -> Signal<Output, CommandError<Input, Output, Failure>> {
    if let refusal = core.claim() { return .fail(.notEnabled(refusal, command: self, input: input)) }
    let run = CommandExecution(of: core, execution(input))
    core.begin(run, announcing: run.output)
    return CommandExecution.events(of: run.output)
  }
}

extension Command {
  /// How many executions may run at the same time. Setting it does not affect those that run; ``enabled``
  /// follows it.
  ///
  /// A property, and not only a parameter of the initialiser, because ReactiveObjC lets it be changed at any
  /// time.
  ///
  /// ReactiveObjC: `allowsConcurrentExecution`, which is YES for ``CommandConcurrency/unlimited``.
  public var concurrency: CommandConcurrency {
    get { core.state.concurrency }
    set { core.limit(to: newValue) }
  }

  /// Whether ``execute(_:)`` would start an execution at this moment. One load. ReactiveObjC has the signal
  /// only.
  public var isEnabled: Bool { core.state.isEnabled }

  /// Whether executions run at this moment: from before the closure is called until after the work of the
  /// last one has ended. One load. ReactiveObjC has the signal only.
  public var isExecuting: Bool { core.state.isExecuting }

  /// Whether the command is enabled: the value when it is subscribed, which is sent at once on the
  /// subscribing thread, and then each change, on the scheduler of the command. Two equal values never follow
  /// each other. Completes when the command is released, whatever its condition does.
  ///
  /// ReactiveObjC: `enabled`.
  public var enabled: Signal<Bool, Never> { core.enabled.signal }

  /// Whether executions run: the value when it is subscribed, and then each change. Delivered as by
  /// ``enabled``; two equal values never follow each other. ``isExecuting`` is false before the last
  /// execution forwards its end; this signal sends false before that only with the immediate scheduler, and
  /// outside the handlers of the command's own signals. Completes when the command is released and all
  /// executions have ended.
  ///
  /// ReactiveObjC: `executing`.
  public var executing: Signal<Bool, Never> { core.executing.signal }

  /// The executions that start after it is subscribed, as signals that send all values of the work, even to
  /// late subscribers, and complete where the work fails. Completes when the command is released. Replays no
  /// earlier executions.
  ///
  /// ReactiveObjC: `executionSignals`.
  public var executions: Signal<Signal<Output, Never>, Never> { outlets.executions.signal }

  /// The errors that executions fail with, as values, including those of executions that started before it is
  /// subscribed. Completes when the command is released and all executions have ended. Replays no earlier
  /// errors.
  ///
  /// ReactiveObjC: `errors`.
  public var errors: Signal<Failure, Never> { outlets.failures.map { $0.receive() } }
}

extension Command where Input == Void {
  /// Executes the command; see ``execute(_:)``, also for how the returned signal ends.
  ///
  /// - Returns: the events of the work, delivered where it sends them.
  ///
  /// ReactiveObjC: `-execute:` with nil.
  @inlinable @discardableResult
  public func execute() -> Signal<Output, CommandError<Input, Output, Failure>> { execute(()) }
}
