// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Runs the steps of a program in a world, and records the events of its observers.
final class Script: @unchecked Sendable {  // for one thread
  private let world: any World
  private let trace: Trace
  private var observers: Observers { world.observers }

  init(_ world: any World, _ trace: Trace) {
    self.world = world
    self.trace = trace
  }

  func run(_ steps: [Action]) {
    for step in steps {
      perform(step)
      trace.note(.step(living: world.living))
    }
    for observer in observers.all {
      observer.end()
      trace.note(.step(living: world.living))
    }
  }

  private func perform(_ action: Action) {
    switch action {
    case .send(let event, let source): world.send(event, to: source)
    case .subscribe(let plan): subscribe(plan)
    case .dispose(let index): observers.dispose(index)
    case .connect(let index): world.connect(index)
    case .disconnect(let index): world.disconnect(index)
    case .release(let source): world.release(source)
    case .advance(let seconds): world.advance(by: seconds)
    case .shutDown:
      let count = world.shutDown()
      trace.note(.shutDown(notRun: count))
    case .forward(let tree, let source): begin { world.forward(tree, to: source) }
    case .bindBothWays(let binding): begin { world.bindBothWays(binding) }
    case .releaseCommand(let index): world.releaseCommand(index)
    case .limit(let index, let limit): world.limit(index, to: limit)
    case .read(let readable): if let value = world.read(readable) { trace.note(.read(readable, value)) }
    case .releaseDerived(let index): world.releaseDerived(index)
    case .releaseObject(let index): world.releaseObject(index)
    case .endLifetime(let index): world.endLifetime(index)
    case .lift(let lift): world.lift(lift)
    case .releaseLifted(let slot): world.releaseLifted(slot)
    case .bind(let tree, let object, let form): begin { world.bindTarget(tree, to: object, form) }
    }
  }

  /// Begins something that is disposed like an observer.
  private func begin(_ work: () -> @Sendable () -> Void) {
    let observer = Observers.Observer()
    _ = observers.add(observer)
    let dispose = work()
    observer.dispose = dispose
    if observer.shallEnd { dispose() }
  }

  private func subscribe(_ plan: ObserverPlan) {
    let observer = Observers.Observer()
    let number = observers.add(observer)
    world.subscribe(plan) { [self] event in
      trace.note(.event(observer: number, event, at: world.now))
      let observer = observers.all[number]
      observer.seen += 1
      if let reaction = plan.reaction, reaction.at == observer.seen { perform(reaction.action) }
      if plan.limit == observer.seen { observer.end() }
    } started: { dispose in
      observer.dispose = dispose
      if observer.shallEnd { dispose() }
    }
  }
}
