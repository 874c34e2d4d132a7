// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Operators with one upstream that only the shapes `chain` and `objects` have.

/// The flow of an operator that is made of others, or runs its upstream several times; nil for the rest.
func laterModel(_ name: Unary, of flow: @escaping Flow) -> Flow? {
  switch name {
  case .ifEmptyValue(let value):
    model(
      .ifEmpty, of: flow,
      { target in
        target(value)
        target(.completed)
      })
  case .groupUntilValue(let last, let divisor):
    groups(of: flow, by: divisor) { group in
      { target in group.listen(Target(target.scope) { if $0.isEnd || $0 == .value(last) { target($0) } }) }
    }
  case .stopping(let last): stopping(flow, after: last)
  case .retryForever: runs(of: flow, upTo: .max) { $0 != .completed }
  case .repeatForever: runs(of: flow, upTo: .max) { $0 == .completed }
  case .retryUnless(let code): runs(of: flow, upTo: 3) { $0 != .completed && $0 != .failed(code) }
  case .retryInRow(let count): retrying(flow, upToInRow: count)
  default: nil
  }
}

/// A run that has sent a value counts as the first attempt.
private func retrying(_ flow: @escaping Flow, upToInRow count: Int) -> Flow {
  { target in
    var (attempt, hasSent) = (0, false)
    Succession(target) { event in
      if attempt > 0 {
        if event == .completed { return nil }
        if hasSent { attempt = 1 }
        if attempt > count { return nil }
      }
      attempt += 1
      hasSent = false
      return { inner in
        flow(
          Target(inner.scope) { event in
            if !event.isEnd { hasSent = true }
            inner(event)
          })
      }
    }.advance()
  }
}

/// Each value and the next number; stops the source after the value `last`, and at a 5 without it.
private func stopping(_ flow: @escaping Flow, after last: Int) -> Flow {
  { target in
    let turns = Turns(target)
    let source = turns.upstreams.child()
    // The source counts as one.
    var running = 1
    func endOne() {
      running -= 1
      if running == 0 { turns.end(.completed) }
    }
    func stop() { if source.end() { endOne() } }
    if source.isEnded { return }
    flow(
      Target(feeding: source) { event in
        guard case .value(let value) = event else {
          guard source.end() else { return }
          return event == .completed ? endOne() : turns.end(event)
        }
        if value == Unary.stop { return stop() }
        running += 1
        let both: Flow = { inner in
          inner(value)
          inner(value &+ 1)
          inner(.completed)
        }
        turns.listen(to: both, values: turns.send, completed: endOne)
        if value == last { stop() }
      })
  }
}

/// What an operator does with each event, and that needs at most one number to do it; nil for the rest.
func laterStep(of name: Unary, to target: Target) -> ((Happening) -> Void)? {
  var (count, isOpen) = (0, false)
  switch name {
  case .halves: return each(target) { if remainder($0, 2) == 0 { target($0 / 2) } }
  case .attempt(let bad): return each(target) { target($0 == bad ? .failed(bad) : .value($0)) }
  case .ignoring(let value): return each(target) { if $0 != value { target($0) } }
  case .replaced(let value): return each(target) { _ in target(value) }
  case .twice:
    return each(target) {
      target($0)
      target($0 &+ 1)
    }
  case .enumerated:
    return each(target) {
      count += 1
      target(digits([count - 1, $0]))
    }
  case .count: return each(target, { _ in count += 1 }, beforeCompletion: { target(count) })
  case .skipUntil(let value):
    return each(target) {
      if $0 == value { isOpen = true }
      if isOpen { target($0) }
    }
  case .takeUntilValue(let value, let isIncluded):
    return { event in
      if isOpen { return }
      if event == .value(value) { isOpen = true }
      if !isOpen || isIncluded { target(event) }
      if isOpen { target(.completed) }
    }
  case .contains(let value): return search(target, found: 1) { $0 == value }
  case .any(let limit): return search(target, found: 1) { $0 > limit }
  case .all(let limit): return search(target, found: 0) { $0 >= limit }
  default: return laterRememberingStep(of: name, to: target)
  }
}

/// Sends `found` at the first value for which the closure is true, or the opposite before the completion.
private func search(_ target: Target, found: Int, _ isFound: @escaping (Int) -> Bool) -> (Happening) -> Void {
  var isOver = false
  return { event in
    if isOver { return }
    if case .value(let value) = event {
      if !isFound(value) { return }
      isOver = true
      target(found)
      target(.completed)
    } else {
      if event == .completed { target(1 - found) }
      target(event)
    }
  }
}

private func laterRememberingStep(of name: Unary, to target: Target) -> ((Happening) -> Void)? {
  var kept: [Int] = []
  switch name {
  case .previous(let first):
    return each(target) {
      let previous = kept.first ?? first
      kept = [$0]
      target(digits([previous, $0]))
    }
  case .scanIndexed:
    return each(target) {
      kept.append(($0 &+ (kept.last ?? 0)) &* 2 &+ kept.count)
      target(kept.last ?? 0)
    }
  case .scanInto:
    return each(target) {
      kept.append($0)
      target(digits(kept))
    }
  case .reduceIndexed:
    return each(target, { kept.append($0) }) {
      target(kept.enumerated().reduce(0) { ($0 &+ $1.element) &* 2 &+ $1.offset })
    }
  case .reduceInto: return each(target, { kept.append($0) }, beforeCompletion: { target(digits(kept)) })
  case .minimum:
    return each(
      target, { kept.append($0) }, beforeCompletion: { if let least = kept.min() { target(least) } })
  case .maximum:
    return each(target, { kept.append($0) }, beforeCompletion: { if let most = kept.max() { target(most) } })
  case .distinctKeys(let divisor):
    return each(target) {
      let key = remainder($0, divisor)
      if kept == [key] { return }
      kept = [key]
      target($0)
    }
  default: return nil
  }
}
