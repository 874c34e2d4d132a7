// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir
import WeirTesting

/// A program as Weir runs it, on one thread.
final class WeirWorld: World {
  private let signals: WeirSignals
  private let scheduler = StoppableScheduler()
  private let closures = Resources()
  private let resources: Resources
  let observers = Observers()
  /// The properties that have been bound as the right one.
  private var bound: Set<Int> = []

  /// The number of observers whose closures have not been released.
  var living: Int { closures.alive }

  init(_ program: Program, _ resources: Resources, _ trace: Trace) {
    self.resources = resources
    signals = WeirSignals(program, resources, on: scheduler, disposing: observers) { trace.note($0) }
  }

  /// Pending work, such as that of a hop, ends when the sources have.
  func end() {
    signals.end()
    for _ in 0..<ModelWorld.rounds {
      scheduler.time.run()
      for shared in signals.shared.reversed() { shared.begin() }
      scheduler.time.run()
    }
  }

  var now: Int { Int(scheduler.clock.now.elapsed / .microseconds(1)) }
  func advance(by seconds: Int) { scheduler.time.advance(by: .seconds(seconds)) }

  func shutDown() -> Int { scheduler.shutDown() }

  func send(_ event: Happening, to source: Int) { signals.hot[source].send(event) }
  func release(_ source: Int) { signals.hot[source].release() }
  func connect(_ shared: Int) { signals.shared[shared].connect() }
  func disconnect(_ shared: Int) { signals.shared[shared].disconnect() }

  func releaseCommand(_ command: Int) { signals.commands[command].release() }
  func limit(_ command: Int, to limit: Int?) { signals.commands[command].limit(to: limit) }

  func releaseObject(_ object: Int) { signals.objects[object].release() }
  func endLifetime(_ object: Int) { signals.objects[object].endLifetime() }
  func read(_ readable: Readable) -> Int? { signals.properties[readable]?.value }
  func releaseDerived(_ derived: Int) { signals.properties.derived[derived].property.set(nil) }
  func releaseLifted(_ slot: Int) { signals.lifted[slot].set(nil) }

  func lift(_ lift: Lift) {
    let results = signals.objects[lift.object].lift(signals.trees[lift.tree], lift.deed)
    if let results { signals.lifted[lift.slot].set(results) }
  }

  func bindTarget(_ tree: Int, to object: Int, _ form: TargetForm) -> @Sendable () -> Void {
    let run = signals.objects[object].bind(signals.trees[tree], form)
    return { run?.dispose() }
  }

  func forward(_ tree: Int, to source: Int) -> @Sendable () -> Void {
    let run = signals.hot[source].take(signals.trees[tree])
    return { run?.dispose() }
  }

  func bindBothWays(_ binding: Binding) -> @Sendable () -> Void {
    guard bound.insert(binding.right).inserted else { return {} }
    let run = bind(signals.hot[binding.left], signals.hot[binding.right], binding)
    return { run?.dispose() }
  }

  func subscribe(
    _ plan: ObserverPlan, take: @escaping @Sendable (Happening) -> Void,
    started: (@escaping @Sendable () -> Void) -> Void
  ) {
    let tree = signals.trees[plan.tree]
    guard plan.bringsSubscription else {
      let subscription = tree.subscribe(
        next: { [token = closures.make()] value in withExtendedLifetime(token) { take(.value(value)) } },
        failed: { take(.failed($0.code)) }, completed: { take(.completed) })
      return started { subscription.dispose() }
    }
    let subscription = Subscription()
    started { subscription.dispose() }
    tree.attach(
      Sink(
        next: { [token = closures.make()] value in withExtendedLifetime(token) { take(.value(value)) } },
        terminate: { subscription.end(with: $0) { take(Happening(Event($0))) } },
        subscription: subscription))
  }
}
