// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Why this is right: `Lifetime` says that it ends once, when `end()` is called or the object is released, and
// that completions and disposals then run in the order in which they were requested; later ones at once.
// `take(during:)` says that it completes at the end, and ends without an event if its source lets go; if the
// lifetime has ended already, the source is not subscribed. `lift(into:)` says that its source is subscribed
// at once, that the object is retained during a call only, and that what it returns replays the last result,
// and completes with the source, or with the lifetime, even if the source has let go. `bind(to:)` says that a
// binding ends with its source, or with the lifetime of the object, which is retained while it is being set.
//
// Not said there, and so taken from Weir: when the lifetime ends, all bindings are stopped before the first
// completion.

/// The lifetime of an object.
final class ModelLifetime {
  private(set) var isEnded = false
  private struct Request {
    let number: Int
    /// A run that is stopped before anything else happens.
    weak var run: Scope?
    let action: () -> Void
  }

  private var requests: [Request] = []
  private var requestsEver = 0

  /// Runs `action` at the end, unless the scope has ended before.
  func onEnd(until scope: Scope, _ action: @escaping () -> Void) {
    if isEnded { return action() }
    request(until: scope, Request(number: requestsEver, action: action))
  }

  private func request(until scope: Scope, _ request: Request) {
    requestsEver += 1
    requests.append(request)
    scope.onEnd { [weak self] in self?.forget(request.number) }
  }

  /// Released after the change.
  private func forget(_ number: Int) {
    let before = requests
    requests = before.filter { $0.number != number }
    withExtendedLifetime(before) {}
  }

  /// A binding.
  func adopt(_ run: Scope) {
    if isEnded { return run.dispose() }
    request(until: run, Request(number: requestsEver, run: run, action: {}))
  }

  func end() {
    if isEnded { return }
    isEnded = true
    let cleanUps = requests.map { ($0.number, $0.run?.stop() ?? []) }
    while !requests.isEmpty {
      let next = requests.removeFirst()
      next.action()
      for (number, actions) in cleanUps where number == next.number { for action in actions { action() } }
    }
  }

  func listen(_ target: Target) { onEnd(until: target.scope) { target(.completed) } }
}

/// The flow until the end of the lifetime.
func during(_ lifetime: ModelLifetime, _ flow: @escaping Flow) -> Flow {
  { target in
    let turns = Turns(target)
    lifetime.onEnd(until: turns.upstreams) { [weak turns] in turns?.end(.completed) }
    turns.listen(to: flow, values: turns.send, completed: { turns.end(.completed) })
  }
}

/// An object that is called, and has a property that is set.
final class ModelObject {
  let lifetime = ModelLifetime()
  private let call: (Int) -> Void
  private let means: Means
  private var tenure: Tenure!
  private var isReleased = false
  /// Weak references to it are nil after that.
  private var isAlive = true
  private var isBound = false

  init(_ means: Means, call: @escaping (Int) -> Void) {
    self.means = means
    self.call = call
    tenure = Tenure { [unowned self] in
      isAlive = false
      means.whileDelivering { self.lifetime.end() }
    }
  }

  /// Calls `body` with it, if it has not been released.
  private func using(_ body: () -> Void) { if !isReleased { tenure.during(body) } }

  func endLifetime() { using { means.whileDelivering { lifetime.end() } } }

  func release() {
    if isReleased { return }
    isReleased = true
    tenure.drop()
  }

  // MARK: Lifting

  /// What a signal that is lifted into it results in; nil if it has been released.
  func lift(_ flow: @escaping Flow, _ deed: Lift.Deed?) -> Flow? {
    if isReleased { return nil }
    let results = Results(of: Scope(means))
    using { run(flow, deed, into: results) }
    // Each subscriber retains the results until it leaves.
    return { target in
      target.scope.onEnd { withExtendedLifetime(results) {} }
      results.hub.listen(target)
    }
  }

  /// What remains when the source of a run has let go.
  private final class Results {
    let hub = Hub(replaying: 1)
    let run: Scope
    private let lifeline: Lifeline

    init(of run: Scope) {
      self.run = run
      lifeline = Lifeline(of: run)
    }
  }

  private func run(_ flow: Flow, _ deed: Lift.Deed?, into results: Results) {
    let (waiting, run) = (Scope(means), results.run)
    lifetime.onEnd(until: waiting) { [weak results, weak waiting] in
      waiting?.end()
      results?.hub.take(.completed)
    }
    if lifetime.isEnded { return }
    results.hub.upstreams.adopt(waiting)
    results.hub.upstreams.adopt(run)
    var deed = deed
    flow(
      Target(run) { event in
        var event = event
        if case .value(let value) = event {
          guard self.isAlive else { return }
          self.tenure.during {
            self.call(value)
            self.perform(deed.take())
          }
          event = value == Lift.bad ? .failed(value) : .value(value &+ 1)
        }
        // Of the end of the signal and that of the object, the first one counts.
        if run.isEnded { return }
        if !event.isEnd || run.end() && waiting.end() { results.hub.take(event) }
      })
  }

  private func perform(_ deed: Lift.Deed?) {
    switch deed {
    case .release: release()
    case .endLifetime: lifetime.end()
    case nil: return
    }
  }

  // MARK: Binding

  /// Programs make no second binding to its property.
  func bind(_ flow: Flow, _ form: TargetForm, in scope: Scope) {
    using {
      if form == .keyPath {
        if isBound { return }
        isBound = true
      }
      lifetime.adopt(scope)
      if scope.isEnded { return }
      flow(
        Target(scope) { event in
          guard case .value(let value) = event else { return scope.dispose() }
          if form == .closure { return self.call(value) }
          if !self.isAlive { return scope.dispose() }
          self.tenure.during { self.call(value) }
        })
    }
  }
}
