// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir
import WeirTesting

/// The sources and signals of a program, built with Weir.
final class WeirSignals: Sendable {
  typealias Feed = any ObserverProtocol<Int, TestFailure>
  /// Called when a source is subscribed, and when that subscription ends.
  typealias Watch = @Sendable (Trace.Note) -> Void

  let hot: [HotSource]
  let objects: [HotObject]
  let properties: HotProperties
  let lifted: [Slot<Numbers>]
  let sources: [Numbers]
  let shared: [WeirShared]
  let commands: [HotCommand]
  let trees: [Numbers]
  private let gate: Subject<Int, TestFailure>

  /// - Parameters:
  ///   - program: the program whose signals to create.
  ///   - resources: tracks what must be released.
  ///   - scheduler: that of operators with one.
  ///   - observers: those that clean-ups dispose.
  ///   - watch: called when a source is subscribed to, and when that subscription ends.
  init(
    _ program: Program, _ resources: Resources, on scheduler: StoppableScheduler,
    disposing observers: Observers = Observers(), watch: @escaping Watch
  ) {
    var builder = Builder(resources: resources, scheduler: scheduler, observers: observers, watch: watch)
    for source in program.sources { builder.add(source) }
    for index in 0..<program.objectCount { builder.addObject(index) }
    builder.properties.sources = builder.hot
    for plan in program.derived {
      let property = builder.properties.make(plan, following: builder.signal)
      builder.properties.derived.append(HotDerived(property))
    }
    for shared in program.shared { builder.shared.append(builder.shared(shared)) }
    for command in program.commands { builder.add(command) }
    hot = builder.hot
    objects = builder.objects
    properties = builder.properties
    lifted = builder.lifted
    sources = builder.sources
    shared = builder.shared
    commands = builder.commands
    trees = program.trees.map { builder.signal($0) }
    gate = builder.gate
  }

  /// Ends all runs: otherwise a shared signal may run for ever, and retain its parts.
  func end() {
    for source in hot { source.send(.completed) }
    gate.complete()
    for shared in shared { shared.end() }
    for command in commands { command.release() }
    for object in objects { object.release() }
    for slot in lifted { slot.set(nil) }
    for derived in properties.derived { derived.property.set(nil) }
    // A property has no other end.
    for source in hot { source.release() }
  }

  private struct Builder {
    let resources: Resources
    let scheduler: StoppableScheduler
    let observers: Observers
    let watch: Watch
    /// Keeps cold signals open.
    let gate = Subject<Int, TestFailure>()
    var hot: [HotSource] = []
    var objects: [HotObject] = []
    var properties = HotProperties()
    let lifted = (0..<Lift.slotCount).map { _ in Slot<Numbers>() }
    var sources: [Numbers] = []
    var shared: [WeirShared] = []
    var commands: [HotCommand] = []

    mutating func add(_ source: Source) {
      switch source {
      case .subject: add(Subject<Int, TestFailure>())
      case .replay(let capacity): add(ReplaySubject<Int, TestFailure>(capacity: .last(capacity)))
      case .current(let value): add(CurrentValue<Int, TestFailure>(value))
      case .leading:
        let channel = TwoWayChannel<Int, TestFailure>()
        add(channel.leading)
        add(channel.following)
      case .following: break
      case .property(let value): add(HotProperty(resources.follow(MutableProperty(value))))
      case .control(let value): add(HotControl(resources.follow(ControlProperty(value))))
      case .replayAll: add(ReplaySubject<Int, TestFailure>(capacity: .unbounded))
      case .replayWithin(let time, let count):
        add(
          ReplaySubject<Int, TestFailure>(
            capacity: .within(.microseconds(time), last: count ?? .max, on: scheduler)))
      case .unserialized: add(HotUnserialized(resources.follow(UnserializedSubject())))
      case .terminal(let index):
        let terminal = hot[index].using { ($0 as? HotProperty)?.makeTerminal() }
        if let terminal = terminal ?? nil { add(HotTerminal(resources.follow(terminal))) }
      }
    }

    private mutating func add(
      _ hub: some ObserverProtocol<Int, TestFailure> & SignalConvertible<Int, TestFailure>
    ) { add(HotHub(resources.follow(hub))) }

    private mutating func add(_ place: some HotPlace) {
      let source = HotSource(place)
      sources.append(watched(.source(hot.count), source.signal))
      hot.append(source)
    }

    mutating func addObject(_ index: Int) {
      let thing = Thing { [watch] in watch(.called(object: index, $0)) }
      objects.append(HotObject(resources.follow(thing)))
    }

    mutating func add(_ plan: CommandPlan) {
      let work = plan.work.map(signal)
      let condition = plan.condition.map { signal($0).catchAndReturn(1).map { remainder($0, 2) == 1 } }
      func command(_ scheduler: some Scheduler) -> Command<Int, Int, TestFailure> {
        Command(
          enabledIf: condition ?? .empty(), concurrency: CommandConcurrency(atMost: plan.limit),
          on: scheduler
        ) { work[remainder($0, work.count)] }
      }
      let made = plan.isScheduled ? command(scheduler) : command(.immediate)
      commands.append(HotCommand(resources.follow(made), tasks: scheduler.tasks))
    }

    func signal(_ node: Node) -> Numbers {
      switch node {
      case .source(let index): return sources[index]
      case .cold(let cold): return signal(cold)
      case .shared(let index): return shared[index].signal
      case .never: return .never()
      case .command(let index, let view): return commands[index].signal(view)
      case .derived(let index, let view): return properties.derived[index].signal(view)
      case .life(let index): return objects[index].ended
      case .during(let index, let node):
        let signal = signal(node)
        return objects[index].using { signal.take(during: $0.lifetime) } ?? signal
      case .lifted(let index):
        let slot = lifted[index]
        return .attaching { sink in slot.content?.attach(sink) }
      case .one(let name, let node): return weir(name, of: signal(node))
      case .cleaned(let cleanUp, let node):
        return signal(node).performing(deed(cleanUp.deed), cleanUp.occasion)
      case .timed(let name, let node): return weir(name, of: signal(node), on: scheduler)
      case .two(let name, let first, let second):
        return weir(name, of: signal(first), signal(second), on: scheduler)
      case .many(let name, let nodes): return weir(name, of: nodes.map(signal))
      case .further(let name, let nodes):
        return weir(name, of: nodes.map(signal), on: scheduler, deed: deed)
      case .flat(let strategy, let node, let inner):
        let inner = inner.map(signal)
        return signal(node).flatMap(weir(strategy)) { inner[remainder($0, inner.count)] }
      }
    }

    private func deed(_ deed: CleanUp.Deed) -> @Sendable () -> Void {
      switch deed {
      case .send(let event, let index):
        let source = hot[index]
        return { source.send(event) }
      case .dispose(let index): return { [observers] in observers.dispose(index) }
      case .endLifetime(let index):
        let object = objects[index]
        return { object.endLifetime() }
      }
    }

    private func signal(_ cold: Cold) -> Numbers {
      if cold.isPlain { return Signal(cold.values) }
      let events: Numbers =
        switch cold.ending {
        case .sends(let event): sending(cold.values, event).concat(.empty())
        case .staysOpen: sending(cold.values, .completed).concat(gate.signal)
        case .letsGo: sending(cold.values, nil)
        }
      return watched(.cold(cold.id), events)
    }

    /// Without a terminal event, it lets go.
    private func sending(_ values: [Int], _ end: Happening?) -> Numbers {
      .create { observer in
        for value in values { observer.send(value) }
        if let end { observer.send(end.event) }
        return nil
      }
    }

    private func watched(_ leaf: Trace.Leaf, _ signal: Numbers) -> Numbers {
      Signal.attaching { [watch, token = resources.make()] sink in
        watch(.opened(leaf))
        let closing = ActionDisposable { withExtendedLifetime(token) { watch(.closed(leaf)) } }
        // Scoped: a run that is released without an end has ended.
        sink.subscription.add(ScopedDisposable(closing))
        signal.attach(sink)
      }
    }

    func shared(_ shared: Shared) -> WeirShared {
      let source = signal(shared.node)
      switch shared.form {
      case .multicast(let capacity):
        return connected(source, capacity) { $0.signal }
      case .autoconnect(let capacity):
        return connected(source, capacity) { $0.autoconnect() }
      case .share(let count): return WeirShared(source.share(replay: .last(count)))
      case .shareForever(let count):
        return WeirShared(source.share(replay: .last(count), lifetime: .forever))
      case .shareLonger(let count, let time, let isForever):
        return WeirShared(
          source.share(
            replay: .last(count), lifetime: isForever ? .forever : .whileConnected,
            disconnecting: .after(.microseconds(time), on: scheduler)))
      case .shareAt(let subscribers, let count, let isForever, let neverEnds):
        return WeirShared(
          source.share(
            replay: .last(count), lifetime: isForever ? .forever : .whileConnected,
            connecting: .atSubscribers(subscribers), disconnecting: neverEnds ? .never : .atOnce),
          missing: shared.form.missing)
      case .replayLazily: return WeirShared(source.replayLazily())
      case .replayLast(let count): return WeirShared(source.replayLast(count))
      }
    }

    private func connected(
      _ source: Numbers, _ capacity: Int?, _ signal: (MulticastConnection<Int, TestFailure>) -> Numbers
    ) -> WeirShared {
      guard let capacity else { return connected(source, through: Subject(), signal) }
      return connected(source, through: ReplaySubject(capacity: .last(capacity)), signal)
    }

    private func connected<Hub: ObserverProtocol<Int, TestFailure> & SignalConvertible<Int, TestFailure>>(
      _ source: Numbers, through hub: Hub, _ signal: (MulticastConnection<Int, TestFailure>) -> Numbers
    ) -> WeirShared {
      let connection = source.multicast(hub)
      return WeirShared(signal(connection), connection, hub)
    }
  }
}

/// A signal that is run once for all subscribers, and its connection, if there is one.
struct WeirShared: Sendable {
  let signal: Numbers
  private let connection: MulticastConnection<Int, TestFailure>?
  private let hub: WeirSignals.Feed?
  private let missing: Int

  init(
    _ signal: Numbers, _ connection: MulticastConnection<Int, TestFailure>? = nil,
    _ hub: WeirSignals.Feed? = nil, missing: Int = 0
  ) {
    self.signal = signal
    self.missing = missing
    self.connection = connection
    self.hub = hub
  }

  /// Gets as many subscribers as it waits for, so that it goes on for those it has, such as tasks, which
  /// would otherwise wait for ever.
  func begin() { for run in (0..<missing).map({ _ in signal.subscribe() }) { run.dispose() } }

  func connect() { connection?.connect() }

  /// Only the disposable that `connect()` returns can end it.
  func disconnect() { connection?.connect().dispose() }

  /// Ends the hub, and with it the connection, if that was made: a run that will subscribe to the hub again,
  /// such as that of a `retry`, retains it until then. A connection that was never made is left alone: to
  /// dispose it one would have to make it, and what its source then sends may never end.
  func end() { hub?.complete() }
}
