// Part of Weir. SPDX-License-Identifier: Apache-2.0

func model(_ name: Binary, of first: @escaping Flow, _ second: @escaping Flow) -> Flow {
  switch name {
  case .zip: zip([first, second])
  case .zipWithin(let room): zip([first, second], room)
  case .combineLatest: latest([first, second])
  case .withLatest: withLatest(first, [second])
  case .sample: sample(first, on: second)
  case .takeUntil: takeUntil(first, second)
  case .takeUntilReplacement: takeUntilReplacement(first, second)
  case .skipUntil: skipUntil(first, second)
  case .catchTo:
    // The second flow shares the scope of the target.
    { target in
      let scope = target.scope.child()
      let lifeline = Lifeline(of: target.scope)
      first(
        Target(scope) { event in
          if event.isEnd, !scope.end() { return }
          if event.isEnd { lifeline.cut() }
          if case .failed = event { if !target.scope.isEnded { second(target) } } else { target(event) }
        })
    }
  case .ifEmpty:
    { target in
      var isEmpty = true
      let noting: Flow = { inner in
        first(
          Target(inner.scope) { event in
            if !event.isEnd { isEmpty = false }
            inner(event)
          })
      }
      concat([noting, { inner in if isEmpty { second(inner) } else { inner(.completed) } }])(target)
    }
  case .then: concat([model(.ignore, of: first), second])
  case .timeout(let time): timeout(first, time, switchingTo: second)
  case .groupUntil(let divisor): groups(of: first, by: divisor) { _ in second }
  case .retryAfter:
    runs(
      of: first, then: model(.then, of: model(.take(1), of: model(.catchAndReturn(7), of: second)), first),
      upTo: 3
    ) {
      $0 != .completed
    }
  }
}

func model(_ name: Many, of flows: [Flow]) -> Flow {
  let all: Flow = { target in
    for index in flows.indices { target(index) }
    target(.completed)
  }
  return switch name {
  case .merge: flatten(.merge, all) { flows[$0] }
  case .race: flatten(.race, all) { flows[$0] }
  case .concat: concat(flows)
  case .zip: zip(flows)
  case .combineLatest: latest(flows)
  case .zipPack: zip(flows)
  case .combineLatestPack: latest(flows)
  case .withLatestPack: withLatest(flows[0], Array(flows.dropFirst()))
  }
}

private func concat(_ flows: [Flow]) -> Flow {
  { target in
    var left = flows
    Succession(target) { event in event == .completed && !left.isEmpty ? left.removeFirst() : nil }.advance()
  }
}

private func zip(_ flows: [Flow], _ room: Room? = nil) -> Flow {
  { target in
    let turns = Turns(target)
    var queues = flows.map { _ in [Int]() }
    var hasEnded = flows.map { _ in false }
    func endIfExhausted() {
      if flows.indices.contains(where: { hasEnded[$0] && queues[$0].isEmpty }) { turns.finish(.completed) }
    }
    for (index, flow) in flows.enumerated() {
      turns.listen(to: flow) { value in
        turns.act {
          if !put(value, into: &queues[index], room) { return turns.finish(.failed(80)) }
          if queues.contains(where: \.isEmpty) { return }
          let row = queues.indices.map { queues[$0].removeFirst() }
          turns.pass(digits(row))
          endIfExhausted()
        }
      } completed: {
        turns.act {
          hasEnded[index] = true
          endIfExhausted()
        }
      }
    }
  }
}

private func latest(_ flows: [Flow]) -> Flow {
  { target in
    let turns = Turns(target)
    var row = flows.map { _ in Int?.none }
    var running = flows.count
    for (index, flow) in flows.enumerated() {
      turns.listen(to: flow) { value in
        turns.act {
          row[index] = value
          if !row.contains(nil) { turns.pass(digits(row.compactMap { $0 })) }
        }
      } completed: {
        turns.act {
          running -= 1
          if running == 0 { turns.finish(.completed) }
        }
      }
    }
  }
}

private func withLatest(_ first: @escaping Flow, _ others: [Flow]) -> Flow {
  { target in
    let turns = Turns(target)
    var newest = others.map { _ in Int?.none }
    for (index, other) in others.enumerated() {
      turns.listen(to: other, values: { value in turns.act { newest[index] = value } }, completed: {})
    }
    let leading = Leading(turns)
    turns.listen(to: first, lasting: true) { value in
      turns.act { if !newest.contains(nil) { turns.pass(digits([value] + newest.compactMap { $0 })) } }
    } completed: {
      withExtendedLifetime(leading) { turns.end(.completed) }
    }
  }
}

/// Ends a run, after the work in progress, when its leading flow releases it without a terminal event.
private final class Leading {
  private let turns: Turns
  init(_ turns: Turns) { self.turns = turns }
  deinit { turns.act { [turns] in turns.scope.endAsLetGo() } }
}

private func sample(_ source: @escaping Flow, on sampler: @escaping Flow) -> Flow {
  { target in
    let turns = Turns(target)
    var newest: Int?
    let end = { turns.end(.completed) }
    turns.listen(to: source, values: { value in turns.act { newest = value } }, completed: end)
    turns.listen(
      to: sampler, values: { _ in turns.act { if let newest { turns.pass(newest) } } }, completed: end)
  }
}

private func takeUntil(_ source: @escaping Flow, _ trigger: @escaping Flow) -> Flow {
  { target in
    let turns = Turns(target)
    let waiting = turns.upstreams.child()
    trigger(
      Target(feeding: waiting) { event in
        // Its clean-up may still send something that passes.
        guard waiting.end() else { return }
        if case .failed = event { return }
        turns.end(.completed)
      })
    turns.listen(to: source, values: { turns.send($0) }, completed: { turns.end(.completed) })
  }
}

private func takeUntilReplacement(_ source: @escaping Flow, _ replacement: @escaping Flow) -> Flow {
  { target in
    let turns = Turns(target)
    let (original, other) = (turns.upstreams.child(), turns.upstreams.child())
    var isReplaced = false
    replacement(
      Target(feeding: other) { event in
        if case .value(let value) = event {
          original.end()
          turns.act {
            isReplaced = true
            turns.pass(value)
          }
        } else if other.end() {
          turns.end(event)
        }
      })
    if original.isEnded { return }
    source(
      Target(feeding: original) { event in
        if case .value(let value) = event { return turns.act { if !isReplaced { turns.pass(value) } } }
        // Its clean-up may have made the other one take over.
        if original.end(), event != .completed { turns.act { if !isReplaced { turns.finish(event) } } }
      })
  }
}

private func skipUntil(_ source: @escaping Flow, _ trigger: @escaping Flow) -> Flow {
  { target in
    var isOpen = false
    let waiting = target.scope.child()
    trigger(
      Target(feeding: waiting) { event in
        guard waiting.end() else { return }
        if case .failed = event { return }
        isOpen = true
      })
    if target.scope.isEnded { return }
    // Ends the trigger also when the source lets go.
    let lifeline = Lifeline(of: waiting)
    source(
      Target(target.scope) { event in
        if event.isEnd { withExtendedLifetime(lifeline) { _ = waiting.end() } }
        if isOpen || event.isEnd { target(event) }
      })
  }
}
