// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The flow that an operator with one upstream makes.
func model(_ name: Unary, of flow: @escaping Flow) -> Flow {
  switch name {
  case .take(0): { target in target(.completed) }
  case .startWith(let value):
    { target in
      target(value)
      if !target.scope.isEnded { flow(target) }
    }
  case .element(let index): model(.take(1), of: model(.skip(index), of: flow))
  case .retry(let count): runs(of: flow, upTo: count + 1) { $0 != .completed }
  case .repeated(0): { target in target(.completed) }
  case .repeated(let count): runs(of: flow, upTo: count) { $0 == .completed }
  case .group(let divisor): grouped(flow, by: divisor)
  case .window(let count): windows(of: flow, count)
  case .catchAndReturn(let value):
    model(
      .catchTo, of: flow,
      { target in
        target(value)
        target(.completed)
      })
  case .partition: grouped(model(.failAt(4), of: flow), by: 3)
  case .partitionKeys(let count):
    { target in
      for key in 0..<count { target(key) }
      let rest = model(.ignore, of: flow)
      if !target.scope.isEnded { rest(target) }
    }
  case .partitionEnds(let count):
    { target in
      let turns = Turns(target)
      turns.listen(
        to: flow, values: { _ in }, completed: { turns.complete { (0..<count).forEach(turns.pass) } })
    }
  // When the last one has been taken, the run is over, and nobody ends the partitions.
  case .firstPartitions(1), .firstPartitions(2): { target in target.scope.endAsLetGo() }
  case .firstPartitions:
    { target in
      let turns = Turns(target)
      turns.listen(to: flow, values: turns.send, completed: { turns.end(.completed) })
    }
  default: laterModel(name, of: flow) ?? { flow(Target($0.scope, step(of: name, to: $0))) }
  }
}

/// The flow, run up to `count` times, as long as `goesOn` is true for its end; from the second time on,
/// `later`, if that is given.
func runs(
  of flow: @escaping Flow, then later: Flow? = nil, upTo count: Int,
  while goesOn: @escaping (Happening) -> Bool
) -> Flow {
  { target in
    var begun = 0
    Succession(target) { event in
      if begun == count || begun > 0 && !goesOn(event) { return nil }
      begun += 1
      return begun == 1 ? flow : later ?? flow
    }.advance()
  }
}

private func grouped(_ flow: @escaping Flow, by divisor: Int) -> Flow {
  { target in
    let turns = Turns(target)
    var seen: [Int: Int] = [:]
    turns.listen(to: flow) { value in
      seen[remainder(value, divisor), default: 0] += 1
      if seen[remainder(value, divisor), default: 0] <= 2 { turns.send(value) }
    } completed: {
      turns.end(.completed)
    }
  }
}

private func windows(of flow: @escaping Flow, _ count: Int) -> Flow {
  { target in
    let turns = Turns(target)
    var window: [Int] = []
    func close() {
      turns.send(window.reduce(0, &+))
      window = []
    }
    turns.listen(to: flow) { value in
      window.append(value)
      if window.count == count { close() }
    } completed: {
      if !window.isEmpty { close() }
      turns.end(.completed)
    }
  }
}

/// What an operator does with each event.
private func step(of name: Unary, to target: Target) -> (Happening) -> Void {
  switch name {
  case .add(let number): return each(target) { target($0 &+ number) }
  case .filter(let rest): return each(target) { if remainder($0, 3) != rest % 3 { target($0) } }
  case .ignore: return each(target) { _ in }
  case .failAt(let bad): return each(target) { target($0 == bad ? .failed(bad) : .value($0)) }
  case .recode:
    return { event in if case .failed(let code) = event { target(.failed(code + 1)) } else { target(event) } }
  case .roundTrip: return { target($0) }
  case .materialized:
    return { event in
      target(number(of: event))
      if event.isEnd { target(.completed) }
    }
  default:
    return countingStep(of: name, to: target) ?? laterStep(of: name, to: target)
      ?? rememberingStep(of: name, to: target)
  }
}

private func countingStep(of name: Unary, to target: Target) -> ((Happening) -> Void)? {
  var (count, isOpen) = (0, false)
  switch name {
  case .take(let limit):
    return { event in
      if count == limit { return }
      if !event.isEnd { count += 1 }
      target(event)
      if !event.isEnd, count == limit { target(.completed) }
    }
  case .takeWhile(let limit):
    return { event in
      if isOpen { return }
      if case .value(let value) = event, value >= limit { isOpen = true }
      target(isOpen ? .completed : event)
    }
  case .skip(let number):
    return each(target) {
      count += 1
      if count > number { target($0) }
    }
  case .skipWhile(let limit):
    return each(target) {
      if $0 >= limit { isOpen = true }
      if isOpen { target($0) }
    }
  default: return nil
  }
}

private func rememberingStep(of name: Unary, to target: Target) -> (Happening) -> Void {
  var kept: [Int] = []
  switch name {
  case .scan:
    return each(target) {
      kept = [(kept.first ?? 0) &+ $0]
      target(kept[0])
    }
  case .distinct:
    return each(target) {
      if kept == [$0] { return }
      kept = [$0]
      target($0)
    }
  case .pairs:
    return each(target) {
      let previous = kept.first
      kept = [$0]
      if let previous { target(digits([previous, $0])) }
    }
  case .collect(let count):
    return each(target) {
      kept.append($0)
      if kept.count < count { return }
      let full = kept
      kept = []
      target(digits(full))
    } beforeCompletion: {
      if !kept.isEmpty { target(digits(kept)) }
    }
  case .sum: return each(target, { kept.append($0) }, beforeCompletion: { target(kept.reduce(0, &+)) })
  case .takeLast(let count):
    return each(target, { kept.append($0) }, beforeCompletion: { kept.suffix(count).forEach { target($0) } })
  case .skipLast(let count):
    return each(target) {
      kept.append($0)
      if kept.count > count { target(kept.removeFirst()) }
    }
  case .append(let value): return each(target, { target($0) }, beforeCompletion: { target(value) })
  default: return { target($0) }
  }
}

/// Calls `body` for values, and forwards terminal events.
func each(
  _ target: Target, _ body: @escaping (Int) -> Void, beforeCompletion: @escaping () -> Void = {}
) -> (Happening) -> Void {
  { event in
    if case .value(let value) = event { return body(value) }
    if event == .completed { beforeCompletion() }
    target(event)
  }
}
