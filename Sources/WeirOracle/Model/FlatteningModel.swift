// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The flow of all events of the flows that `inner` returns for the values of `source`.
func flatten(_ strategy: Strategy, _ source: @escaping Flow, _ inner: @escaping (Int) -> Flow) -> Flow {
  switch strategy {
  case .merge: merging(source, inner)
  case .limit(let limit, let room): limited(to: limit, waiting: room, source, asTheyCome(inner))
  case .ordered(let limit, let room): limited(to: limit, waiting: room, source, inOrder(inner))
  case .first: limited(to: 1, waiting: Room(count: 0, excess: .newest), source, asTheyCome(inner))
  case .latest: switching(source, inner)
  case .race: racing(source, inner)
  }
}

/// All flows run at the same time. They start inside the send of the source.
private func merging(_ source: @escaping Flow, _ inner: @escaping (Int) -> Flow) -> Flow {
  { target in
    let turns = Turns(target)
    // The source counts as one.
    var running = 1
    func endOne() {
      running -= 1
      if running == 0 { turns.end(.completed) }
    }
    turns.listen(to: source) { value in
      running += 1
      turns.listen(to: inner(value), values: { turns.send($0) }, completed: endOne)
    } completed: {
      endOne()
    }
  }
}

/// Returns, for one run of the operator, a function that runs the flow of a value. It calls the closures when
/// an event of that flow has been delivered, and when another flow may run.
private typealias Runs =
  (Turns) -> (_ value: Int, _ delivered: @escaping () -> Void, _ done: @escaping () -> Void) -> Void

private func asTheyCome(_ inner: @escaping (Int) -> Flow) -> Runs {
  { turns in
    { value, delivered, done in
      turns.listen(
        to: inner(value),
        values: {
          turns.send($0)
          delivered()
        }, completed: done)
    }
  }
}

private func inOrder(_ inner: @escaping (Int) -> Flow) -> Runs {
  { turns in
    var places: [(values: [Int], hasEnded: Bool)] = []
    var (current, doneCount, isDelivering) = (0, 0, false)
    func deliver() {
      while current < places.count {
        let values = places[current].values
        places[current].values = []
        for value in values { turns.pass(value) }
        if !places[current].hasEnded { return }
        current += 1
        doneCount += 1
      }
    }
    return { value, delivered, done in
      let place = places.count
      places.append(([], false))
      func act(_ change: @escaping () -> Void) {
        turns.act {
          isDelivering = true
          change()
          deliver()
          isDelivering = false
        }
        // The delivering call starts what may run now, afterwards.
        if isDelivering { return }
        let count = doneCount
        doneCount = 0
        for _ in 0..<count { done() }
        delivered()
      }
      turns.listen(
        to: inner(value), values: { value in act { places[place].values.append(value) } },
        completed: { act { places[place].hasEnded = true } })
    }
  }
}

/// Up to `limit` flows run; further values are buffered.
private func limited(
  to limit: Int, waiting room: Room?, _ source: @escaping Flow, _ runs: @escaping Runs
) -> Flow {
  { target in
    let turns = Turns(target)
    // Which flows run is decided in turns of their own: a flow that has started may go on sending for ever.
    let arrivals = Turns(Target(turns.upstreams.child()) { turns.end($0) })
    var (running, waiting, sourceHasEnded) = (0, [Int](), false)
    func endIfOver() { if sourceHasEnded, running == 0 { turns.end(.completed) } }
    let run = runs(turns)
    // Values that have a place; their flows start when no delivery is in progress.
    var ready: [Int] = []
    func startReady() {
      while !turns.isBusy, !ready.isEmpty { start(ready.removeFirst()) }
    }
    func start(_ value: Int) {
      run(value) {
        if !turns.isBusy, !ready.isEmpty { arrivals.act(startReady) }
      } _: {
        arrivals.act {
          if waiting.isEmpty { running -= 1 } else { ready.append(waiting.removeFirst()) }
          startReady()
          endIfOver()
        }
      }
    }
    // A failure of the source does not wait while a flow is starting.
    turns.listen(to: source) { value in
      arrivals.act {
        if running < limit {
          running += 1
          ready.append(value)
          startReady()
        } else if !put(value, into: &waiting, room) {
          turns.end(.failed(80))
        }
      }
    } completed: {
      arrivals.act {
        sourceHasEnded = true
        endIfOver()
      }
    }
  }
}

private func switching(_ source: @escaping Flow, _ inner: @escaping (Int) -> Flow) -> Flow {
  { target in
    let turns = Turns(target)
    var (newest, lastEnded, sourceHasEnded) = (0, 0, false)
    var running: Scope?
    func endIfOver() { if sourceHasEnded, lastEnded == newest { turns.finish(.completed) } }
    turns.listen(to: source, lasting: true) { value in
      newest += 1
      let number = newest
      running?.end()
      // A failure in whose clean-up a newer one has come is lost.
      running = turns.listen(to: inner(value), mayFail: { number == newest }) { value in
        turns.act { if number == newest { turns.pass(value) } }
      } completed: {
        turns.act {
          // A newer one may have come, and ended, in its clean-up.
          lastEnded = max(lastEnded, number)
          endIfOver()
        }
      }
    } completed: {
      turns.act {
        sourceHasEnded = true
        endIfOver()
      }
    }
  }
}

private func racing(_ source: @escaping Flow, _ inner: @escaping (Int) -> Flow) -> Flow {
  { target in
    let turns = Turns(target)
    let entering = turns.upstreams.child()
    var contestants: [Scope] = []
    var winner: Int?
    func isWon(by number: Int) -> Bool {
      if winner == nil {
        winner = number
        entering.end()
        for (other, scope) in contestants.enumerated() where other != number { scope.end() }
      }
      return winner == number
    }
    source(
      Target(entering) { event in
        guard case .value(let value) = event else {
          guard entering.end() else { return }
          if event == .completed, !contestants.isEmpty { return }
          return turns.act { if winner == nil { turns.finish(event) } }
        }
        let (number, scope) = (contestants.count, turns.upstreams.child())
        contestants.append(scope)
        inner(value)(
          Target(feeding: scope) { event in
            if event.isEnd, !scope.end() { return }
            turns.act {
              guard isWon(by: number) else { return }
              if case .value(let value) = event { turns.pass(value) } else { turns.finish(event) }
            }
          })
      })
  }
}
