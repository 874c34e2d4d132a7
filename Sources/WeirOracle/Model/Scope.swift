// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # The model
//
// What Weir's operators mean, restated as plainly as possible: one thread, closures and arrays, no
// optimisation. It shares no code with Weir. Where the two differ, the documentation of the operator decides
// which is right.
//
// All of it follows these rules. A chain of operators with one upstream shares a scope, and once that has
// ended no event passes. An operator with several upstreams gives each a scope of its own, and queues events
// that arrive while it is delivering.

/// What all runs of a program have in common: their time, and how much they may still do. Programs are
/// random: some would run for ever, in both worlds.
final class Means {
  let clock = ModelClock()
  private var fuel = 3_000
  private(set) var precision = Precision.exact
  private var (deliveries, outermost) = (0, 0)

  /// Notes that a hot source is delivering something.
  func whileDelivering(_ work: () -> Void) {
    if deliveries == 0 { outermost += 1 }
    deliveries += 1
    work()
    deliveries -= 1
  }

  /// The number of the delivery in progress, of the outermost one; nil if there is none.
  var delivery: Int? { deliveries > 0 ? outermost : nil }

  /// Notes that a run ends as its source has let go.
  func noteLetGo() { if deliveries > 0 { noteOpenOrder() } }

  /// Notes that it is left open which of several things comes first that a source's letting go causes.
  func noteOpenOrder() { precision = max(precision, .byStep) }

  /// Notes that a subscriber may join a shared run, or be too late for it.
  func noteDoubt() { precision = max(precision, .vague) }

  func burn() -> Bool {
    fuel -= 1
    if fuel < 0 { precision = .none }
    return fuel >= 0
  }
}

/// One run, from its source to its subscriber.
final class Scope {
  private(set) var isEnded = false
  private(set) var isDismissed = false
  private var atEndFirst: (() -> Void)?
  private var atEnd: [End] = []
  private var atEndLast: [() -> Void] = []
  private weak var parent: Scope?
  /// Whether it has ended because its source has let go.
  private var hasLetGo = false
  /// Whether a clean-up of it has done something, or one of an upstream that had let go.
  private var (hasActed, upstreamHasActed) = (false, false)
  let means: Means

  init(_ means: Means) { self.means = means }

  func onEnd(_ action: @escaping () -> Void) {
    if isEnded { action() } else { atEnd.append(.action(action)) }
  }

  /// The same for a clean-up that does something.
  func addDeed(_ deed: @escaping () -> Void) { if isEnded { deed() } else { atEnd.append(.deed(deed)) } }

  /// The same, before all other actions, if there is no such action yet: a run first leaves its hot source.
  func onEndFirst(_ action: @escaping () -> Void) {
    if isEnded || atEndFirst != nil { onEnd(action) } else { atEndFirst = action }
  }

  /// The same, after all other actions.
  func onEndLast(_ action: @escaping () -> Void) {
    if isEnded { action() } else { atEndLast.append(action) }
  }

  /// Calls `leave` when the scope ends, before the first action. It returns actions of its own.
  func onLeaving(_ leave: @escaping () -> [() -> Void]) {
    if isEnded { for action in leave() { action() } } else { atEnd.append(.member(leave)) }
  }

  /// Ends the scope, and all in it, before the first action. Returns true for the call that ended it.
  @discardableResult
  func end() -> Bool {
    if isEnded { return false }
    for action in stop() { action() }
    return true
  }

  /// Ends it for somebody who wants nothing more: if it has ended, not even the terminal event whose
  /// clean-ups are running.
  func dispose() { if !end() { isDismissed = true } }

  /// Ends it because its source has let go.
  func endAsLetGo() {
    if isEnded { return }
    hasLetGo = true
    means.noteLetGo()
    end()
  }

  /// Notes that a clean-up does something. Where a run ends only because nothing is left that feeds it, this
  /// may come before or after that of its last upstream.
  private func noteDeed() {
    hasActed = true
    if hasLetGo, upstreamHasActed { means.noteDoubt() }
    var (above, letGo) = (parent, hasLetGo)
    while let scope = above {
      letGo = letGo || scope.hasLetGo
      if scope.hasLetGo, scope.hasActed { means.noteDoubt() }
      if letGo { scope.upstreamHasActed = true }
      above = scope.parent
    }
  }

  /// Ends the scope without its actions, and returns these.
  func stop() -> [() -> Void] {
    if isEnded { return [] }
    isEnded = true
    let (first, ends, last) = (atEndFirst, atEnd, atEndLast)
    (atEndFirst, atEnd, atEndLast) = (nil, [], [])
    let actions = ends.flatMap {
      switch $0 {
      case .action(let action): [action]
      case .deed(let deed):
        [
          {
            self.noteDeed()
            deed()
          }
        ]
      case .child(let child): child.stop()
      case .member(let leave): leave()
      }
    }
    return (first.map { [$0] } ?? []) + actions + last
  }

  /// A scope that ends with this one.
  func child() -> Scope {
    let child = Scope(means)
    child.parent = self
    if isEnded { child.end() } else { atEnd.append(.child(child)) }
    return child
  }

  /// What is to be done at the end.
  private enum End {
    case action(() -> Void)
    case deed(() -> Void)
    case child(Scope)
    case member(() -> [() -> Void])
  }
}

/// Ends a scope when the flow that feeds it releases it without a terminal event.
final class Lifeline {
  private var scope: Scope?
  init(of scope: Scope) { self.scope = scope }
  deinit { scope?.endAsLetGo() }
  func cut() { scope = nil }
}

/// The receiver of a signal's events, in a scope.
struct Target {
  let scope: Scope
  let take: (Happening) -> Void

  init(_ scope: Scope, _ take: @escaping (Happening) -> Void) {
    self.scope = scope
    self.take = take
  }

  /// A target in a scope of its own, which ends when nothing may send to it any more.
  init(feeding scope: Scope, _ take: @escaping (Happening) -> Void) {
    let lifeline = Lifeline(of: scope)
    self.init(scope) { event in withExtendedLifetime(lifeline) { take(event) } }
  }

  func callAsFunction(_ event: Happening) {
    if !scope.isEnded, scope.means.burn() { take(event) }
  }

  func callAsFunction(_ value: Int) { self(.value(value)) }
}

/// A signal: called with each new target.
typealias Flow = (Target) -> Void

/// Does one thing after the other.
final class Line {
  private var waiting: [() -> Void] = []
  private(set) var isBusy = false

  /// Runs `work` now, or after the work in progress.
  func act(_ work: @escaping () -> Void) {
    waiting.append(work)
    if isBusy { return }
    isBusy = true
    while !waiting.isEmpty { waiting.removeFirst()() }
    isBusy = false
  }
}

/// One run of an operator with several upstreams, which does one thing after the other.
final class Turns {
  let scope: Scope
  /// Released after the terminal event, and when the scope has ended: what it leads to is not retained by
  /// sources that still retain this.
  private var target: Target?
  /// Ends with the target, and before the terminal event is delivered.
  let upstreams: Scope
  private let line = Line()
  private var hasFinished = false
  private var isHandedOver = false

  init(_ target: Target) {
    self.target = target
    scope = target.scope
    upstreams = scope.child()
    scope.onEnd { [weak self] in self?.releaseTarget() }
  }

  private func releaseTarget() { line.act { self.dropTarget() } }

  /// What is released may end the run, and look at the target.
  private func dropTarget() {
    let before = target.take()
    withExtendedLifetime(before) {}
  }

  /// The upstreams retain it. If all of them release it without a terminal event, the run ends, after these.
  deinit {
    if isHandedOver || scope.isEnded { return }
    upstreams.endAsLetGo()
    scope.endAsLetGo()
  }

  /// Runs `work` now, or after the work in progress. Does nothing after the end.
  func act(_ work: @escaping () -> Void) {
    if isOver { return }
    line.act { if !self.isOver { work() } }
  }

  var isBusy: Bool { line.isBusy }
  private var isOver: Bool { hasFinished || scope.isEnded }

  func send(_ value: Int) { act { self.pass(value) } }

  /// Sends a value immediately; to be called inside `act`.
  func pass(_ value: Int) { target?(value) }

  /// Ends the run after the work in progress, and the upstreams at once: nothing else might stop them.
  func end(_ event: Happening) {
    act { self.finish(event) }
    upstreams.end()
  }

  /// Completes after a last piece of work, which is done after the work in progress.
  func complete(after work: @escaping () -> Void) {
    act {
      self.upstreams.end()
      work()
      self.finish(.completed)
    }
    upstreams.end()
  }

  /// Ends the run immediately; to be called inside `act`.
  func finish(_ event: Happening) {
    hasFinished = true
    upstreams.end()
    target?(event)
    dropTarget()
  }

  /// Ends the run, and lets another flow feed the target in its place.
  func handOver(to flow: Flow) {
    (hasFinished, isHandedOver) = (true, true)
    upstreams.end()
    if !scope.isEnded { target.map(flow) }
    dropTarget()
  }

  /// Runs one more upstream, whose failure ends the run. If it lets go, its scope ends; a lasting one only
  /// with the run.
  @discardableResult
  func listen(
    to flow: Flow, lasting isLasting: Bool = false, mayFail: @escaping () -> Bool = { true },
    values: @escaping (Int) -> Void, completed: @escaping () -> Void
  ) -> Scope {
    let scope = upstreams.child()
    if scope.isEnded { return scope }
    let take: (Happening) -> Void = { event in
      if case .value(let value) = event { return values(value) }
      guard scope.end() else { return }
      if event == .completed { completed() } else if mayFail() { self.end(event) }
    }
    flow(isLasting ? Target(scope, take) : Target(feeding: scope, take))
    return scope
  }
}

/// Runs one signal after the other; `following` returns the next one after a terminal event, or nil to end
/// with that event.
final class Succession {
  private let target: Target
  private let following: (Happening) -> Flow?
  private var isRunning = false
  private var ended: Happening?

  init(_ target: Target, following: @escaping (Happening) -> Flow?) {
    self.target = target
    self.following = following
  }

  /// As with ``Turns``.
  deinit { target.scope.endAsLetGo() }

  /// Runs the next signal; the first one after an imaginary completion.
  func advance(after event: Happening = .completed) {
    ended = event
    if isRunning { return }
    isRunning = true
    while let event = ended, !target.scope.isEnded {
      ended = nil
      guard let next = following(event) else { return target(event) }
      let scope = target.scope.child()
      // It ends with all of this, and not before: its predecessor may be in the middle of its end, and
      // retains this until then.
      next(
        Target(scope) { event in
          if !event.isEnd { self.target(event) } else if scope.end() { self.advance(after: event) }
        })
    }
    isRunning = false
  }
}

/// Puts an element into a buffer, if there is room for one more. Returns false if that fails the run.
func put<Element>(_ element: Element, into buffer: inout [Element], _ room: Room?) -> Bool {
  if let room, buffer.count >= room.count {
    if room.excess == .oldest, !buffer.isEmpty { buffer.removeFirst() } else { return room.excess != .fails }
  }
  buffer.append(element)
  return true
}
