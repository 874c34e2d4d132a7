// Part of Weir. SPDX-License-Identifier: Apache-2.0

// What only the shape `timed` has, and came last.

/// The flow that an operator makes of its upstreams, or a source. `deed` makes what something does besides.
func model(_ name: Further, of flows: [Flow], deed: (CleanUp.Deed) -> () -> Void) -> Flow {
  switch name {
  case .timer(let time): return timer(after: time)
  case .interval(let time): return model(.take(Further.tickCount), of: interval(time))
  case .rounds(let values): return rounds(values)
  case .generated(let count, let bad):
    return { target in
      for value in 0..<count { target(value == bad ? .failed(bad) : .value(value)) }
      target(.completed)
    }
  case .tried(.returns(let value)):
    return { target in
      target(value)
      target(.completed)
    }
  case .tried(.throwsCode(let code)): return { $0(.failed(code)) }
  case .deferred: return flows[0]
  case .using(let disposed): return using(flows[0], deed(disposed))
  case .throwing(let form, let bad): return throwing(form, at: bad, flows[0])
  case .throwingFlat(let strategy, let bad):
    let inner = flows[1]
    // There it is the source that fails, whose clean-up may still make another signal send.
    if strategy == .race {
      return flatten(strategy, model(.failAt(bad), of: flows[0])) { _ in inner }
    }
    return flatten(strategy, flows[0]) { value in value == bad ? { $0(.failed(bad)) } : inner }
  case .retrying(let plan): return retrying(flows[0], plan, plan.deed.map(deed))
  case .windowEvery(let time): return windows(of: flows[0], every: time, upTo: .max)
  case .timestamped: return mapping(flows[0]) { $0 &+ $1.now }
  case .measured:
    return { target in
      var last = target.scope.means.clock.now
      mapping(flows[0]) { value, clock in
        defer { last = clock.now }
        return value &+ clock.now &- last
      }(target)
    }
  case .catching(let code): return catching(flows[0], unless: code, flows[1])
  case .prepending: return model(.concat, of: [flows[1], flows[0]])
  case .mergingWith: return model(.merge, of: flows)
  case .racingWith: return model(.race, of: flows)
  case .and: return mapping(model(.combineLatest, of: flows.map(oddness))) { row, _ in row == 11 ? 1 : 0 }
  case .or: return mapping(model(.combineLatest, of: flows.map(oddness))) { row, _ in row == 0 ? 0 : 1 }
  case .choosing: return flatten(.latest, flows[0]) { flows[remainder($0, 2) == 1 ? 1 : 2] }
  case .selecting: return flatten(.latest, flows[0]) { flows[1 + remainder($0, 3)] }
  }
}

private func mapping(_ flow: @escaping Flow, _ change: @escaping (Int, ModelClock) -> Int) -> Flow {
  { target in flow(Target(target.scope, each(target) { target(change($0, target.scope.means.clock)) })) }
}

private func oddness(_ flow: @escaping Flow) -> Flow { mapping(flow) { value, _ in remainder(value, 2) } }

/// The second flow goes on in the run of the first.
private func catching(_ first: @escaping Flow, unless code: Int, _ second: @escaping Flow) -> Flow {
  { target in
    var isFatal = false
    let noting: Flow = { inner in
      first(
        Target(inner.scope) { event in
          if event == .failed(code) { isFatal = true }
          inner(event)
        })
    }
    model(.catchTo, of: noting, { target in if isFatal { target(.failed(code)) } else { second(target) } })(
      target)
  }
}

/// The resource is disposed behind the flow, which has a scope of its own.
private func using(_ flow: @escaping Flow, _ disposed: @escaping () -> Void) -> Flow {
  { target in
    let scope = target.scope.child()
    let lifeline = Lifeline(of: target.scope)
    target.scope.addDeed(disposed)
    if target.scope.isEnded { return }
    flow(
      Target(scope) { event in
        if event.isEnd {
          guard scope.end() else { return }
          lifeline.cut()
        }
        target(event)
      })
  }
}

// MARK: Functions that throw

/// Mostly as if the upstream failed at that value.
private func throwing(_ form: Further.Throwing, at bad: Int, _ flow: @escaping Flow) -> Flow {
  let failing = model(.failAt(bad), of: flow)
  switch form {
  case .filter, .compactMap:
    return { target in failing(Target(target.scope, each(target) { if $0 != 2 { target($0) } })) }
  case .doNext, .tryMap, .attempt: return failing
  case .scan: return model(.scan, of: failing)
  case .reduce: return model(.sum, of: failing)
  case .takeWhile: return model(.takeWhile(below: 3), of: failing)
  case .any: return model(.contains(2), of: failing)
  case .all: return mapping(model(.contains(2), of: failing)) { found, _ in 1 - found }
  case .groupKey: return model(.group(2), of: failing)
  case .groupTransform: return mapping(model(.group(2), of: failing)) { value, _ in value &+ 1 }
  case .skipWhile, .distinct, .minimum, .maximum, .reduceEach:
    return { flow(Target($0.scope, remembering(form, at: bad, $0))) }
  }
}

/// What calls its function for some values only, or with two.
private func remembering(_ form: Further.Throwing, at bad: Int, _ target: Target) -> (Happening) -> Void {
  var (kept, isOpen) = (Int?.none, false)
  func take(_ value: Int) {
    guard let before = kept else { return kept = value }
    if before == bad || value == bad { return target(.failed(bad)) }
    if form == .minimum ? value < before : value > before { kept = value }
  }
  switch form {
  case .skipWhile:
    return each(target) { value in
      if !isOpen, value == bad { return target(.failed(bad)) }
      if value >= 2 { isOpen = true }
      if isOpen { target(value) }
    }
  case .distinct:
    return each(target) { value in
      if let kept, kept == bad || value == bad { return target(.failed(bad)) }
      if kept == value { return }
      kept = value
      target(value)
    }
  case .reduceEach:
    return each(target) { value in
      let before = kept
      kept = value
      guard let before else { return }
      target(value == bad ? .failed(bad) : .value(digits([before, value])))
    }
  default: return each(target, take) { if let kept { target(kept) } }
  }
}

// MARK: Attempts

// `RetryPolicy` says that the count is checked first, then what gives up, then the action is called, and the
// delay comes last; that a run that has sent a value, or has lasted long enough, counts as the first attempt;
// and that an action that disposes the run prevents the attempt.

private func retrying(_ flow: @escaping Flow, _ plan: RetryPlan, _ perform: (() -> Void)?) -> Flow {
  { target in
    let clock = target.scope.means.clock
    var (attempt, hasSent, start) = (0, false, 0)
    let run: Flow = { inner in
      start = clock.now
      flow(
        Target(inner.scope) { event in
          if !event.isEnd { hasSent = true }
          inner(event)
        })
    }
    Succession(target) { event in
      if attempt > 0 {
        guard case .failed(let code) = event else { return nil }
        if plan.reset.isMet(hasSent: hasSent, lasting: clock.now - start) { attempt = 1 }
        if attempt > plan.limit || code == plan.fatal { return nil }
        perform?()
        if target.scope.isEnded { return nil }
        attempt += 1
        hasSent = false
        return plan.pause.length(before: attempt, after: code).map { model(.then, of: timer(after: $0), run) }
          ?? run
      }
      attempt = 1
      return run
    }.advance()
  }
}

extension RetryPlan.Reset {
  fileprivate func isMet(hasSent: Bool, lasting time: Int) -> Bool {
    switch self {
    case .never: false
    case .onValue: hasSent
    case .afterRun(let least): time >= least
    }
  }
}

extension RetryPlan.Pause {
  /// Nil if the next run starts at once.
  fileprivate func length(before attempt: Int, after code: Int) -> Int? {
    switch self {
    case .none: nil
    case .fixed(let time): time
    case .growing(let time): attempt == 2 ? time : attempt == 3 ? 2 * time : time * 5 / 2
    case .sometimes(let time): code == 1 ? time : nil
    }
  }
}

// MARK: Sources with a scheduler

/// When the scheduler gives a piece of work up, the source lets go.
private func timer(after time: Int) -> Flow {
  { target in
    let clock = target.scope.means.clock
    target.scope.onEnd(
      clock.schedule(at: clock.now + time, abandon: target.scope.endAsLetGo) {
        target(clock.now)
        target(.completed)
      })
  }
}

private func interval(_ time: Int) -> Flow {
  { target in
    let clock = target.scope.means.clock
    func wait(until due: Int) {
      target.scope.onEnd(
        clock.schedule(at: due, abandon: target.scope.endAsLetGo) {
          target(due)
          // Where programs do too much, nothing takes the ticks any more.
          if !target.scope.isEnded, target.scope.means.burn() { wait(until: due + time) }
        })
    }
    wait(until: clock.now + time)
  }
}

private func rounds(_ values: [Int]) -> Flow {
  { target in
    let scope = target.scope.child()
    let lifeline = Lifeline(of: target.scope)
    let clock = scope.means.clock
    var left = values
    func wait() {
      scope.onEnd(
        clock.schedule(abandon: scope.endAsLetGo) {
          if scope.isEnded { return }
          if left.isEmpty {
            guard scope.end() else { return }
            lifeline.cut()
            return target(.completed)
          }
          target(left.removeFirst())
          if !scope.isEnded { wait() }
        })
    }
    wait()
  }
}
