// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The flow that an operator with a scheduler makes.
///
/// Time passes only between steps, never inside an event. So when a timer fires, its run is not delivering.
/// Each operator says what becomes of its run when the scheduler is shut down: mostly it ends without an
/// event when its timer would have fired.
func model(_ name: Timed, of flow: @escaping Flow) -> Flow {
  switch name {
  case .delay(let time, let room): delayed(flow, by: time, room)
  case .debounce(let time): debounced(flow, time) { _ in true }
  case .debounceOdd(let time): debounced(flow, time) { $0 % 2 != 0 }
  case .rateLimit(let time, let edge): rateLimited(flow, to: time, edge)
  case .idle(let time): timeout(flow, time, isIdle: true) { $0.finish(.failed(90)) }
  case .deadline(let time): timeout(flow, time, isIdle: false) { $0.finish(.failed(91)) }
  case .collect(let time, let count): collected(flow, within: time, count: count)
  case .collectWithin(let time, let room): collected(flow, within: time, room)
  case .sample(let time): sampled(flow, every: time)
  case .takeFor(let time): model(.takeUntil, of: flow, timer(time))
  case .skipFor(let time): model(.skipUntil, of: flow, timer(time))
  case .delaySubscription(let time): model(.then, of: timer(time), flow)
  case .retry(let time, let count):
    runs(of: flow, then: model(.then, of: timer(time), flow), upTo: count + 1) { $0 != .completed }
  case .window(let time, let count): windows(of: flow, every: time, upTo: count)
  case .group(let time, let divisor): groups(of: flow, by: divisor, untilIdleFor: time)
  case .hop(let room, let whenNeeded, let failsAtOnce):
    hop(flow, room, whenNeeded: whenNeeded, failsAtOnce: failsAtOnce)
  case .values(let room): iterated(flow, room)
  case .chunks(let room): iterated(flow, room, inChunks: true)
  case .awaited(let name): awaited(name, of: flow)
  case .subscribing:
    { target in
      let clock = target.scope.means.clock
      target.scope.onEnd(
        clock.schedule(abandon: target.scope.endAsLetGo) { if !target.scope.isEnded { flow(target) } })
    }
  }
}

/// A value, and the end, after a time.
private func timer(_ time: Int) -> Flow {
  { target in
    let clock = target.scope.means.clock
    target.scope.onEnd(
      clock.schedule(at: clock.now + time) {
        target(0)
        target(.completed)
      })
  }
}

private func delayed(_ flow: @escaping Flow, by time: Int, _ room: Room?) -> Flow {
  { target in
    let turns = Turns(target)
    let clock = target.scope.means.clock
    var waiting: [(event: Happening, due: Int)] = []
    let timer = ModelTimer(of: turns) { timer in
      // A failure does not wait: one that comes inside a value prevents the next one.
      while let first = waiting.first, !turns.upstreams.isEnded {
        if first.due > clock.now { return timer.keep(until: first.due) }
        waiting.removeFirst()
        if case .value(let value) = first.event { turns.pass(value) } else { turns.finish(first.event) }
      }
    }
    func arrive(_ event: Happening, _ room: Room?) {
      turns.act {
        if !put((event, clock.now + time), into: &waiting, room) { return turns.finish(.failed(80)) }
        timer.keep(until: waiting[0].due)
      }
    }
    turns.listen(to: flow, values: { arrive(.value($0), room) }, completed: { arrive(.completed, nil) })
  }
}

private func debounced(_ flow: @escaping Flow, _ time: Int, where isPostponed: @escaping (Int) -> Bool)
  -> Flow
{
  { target in
    let turns = Turns(target)
    var waiting: Int?
    func send() { if let value = waiting.take() { turns.pass(value) } }
    let timer = ModelTimer(of: turns) { _ in send() }
    turns.listen(to: flow) { value in
      turns.act {
        waiting = isPostponed(value) ? value : nil
        if waiting != nil { return timer.keep(for: time) }
        timer.letGo()
        turns.pass(value)
      }
    } completed: {
      turns.complete(after: send)
    }
  }
}

private func rateLimited(_ flow: @escaping Flow, to time: Int, _ edge: Timed.Edge) -> Flow {
  { target in
    let turns = Turns(target)
    let clock = target.scope.means.clock
    /// The end of the interval.
    var over = 0
    var waiting: Int?
    func send() {
      guard let value = waiting.take() else { return }
      over = clock.now + time
      turns.pass(value)
    }
    let timer = ModelTimer(of: turns) { _ in send() }
    turns.listen(to: flow) { value in
      turns.act {
        if waiting == nil, clock.now >= over {
          over = clock.now + time
          if edge != .trailing { return turns.pass(value) }
        }
        if edge == .leading { return }
        waiting = value
        timer.keep(until: over)
      }
    } completed: {
      turns.complete(after: send)
    }
  }
}

/// The flow until no value has come for a time, or until that time; then `goOn` is called in the run's turn.
private func timeout(
  _ flow: @escaping Flow, _ time: Int, isIdle: Bool, then goOn: @escaping (Turns) -> Void
) -> Flow {
  { target in
    let turns = Turns(target)
    let timer = ModelTimer(of: turns) { _ in
      turns.upstreams.end()
      goOn(turns)
    }
    // A source that lets go takes too long.
    timer.keep(for: time)
    turns.listen(to: flow) { value in
      turns.act {
        turns.pass(value)
        if isIdle { timer.keep(for: time) }
      }
    } completed: {
      turns.end(.completed)
    }
  }
}

/// The flow, or the other one from when no value of the first has come for a time.
func timeout(_ flow: @escaping Flow, _ time: Int, switchingTo other: @escaping Flow) -> Flow {
  timeout(flow, time, isIdle: true) { $0.handOver(to: other) }
}

private func collected(_ flow: @escaping Flow, within time: Int, count: Int = .max, _ room: Room? = nil)
  -> Flow
{
  { target in
    let turns = Turns(target)
    var kept: [Int] = []
    func send() {
      let all = kept
      kept = []
      if !all.isEmpty { turns.pass(digits(all)) }
    }
    let timer = ModelTimer(of: turns) { _ in send() }
    func sendFull() {
      send()
      timer.letGo()
    }
    turns.listen(to: flow) { value in
      turns.act {
        let isFirst = kept.isEmpty
        if !put(value, into: &kept, room) { return turns.finish(.failed(80)) }
        if kept.count == count { sendFull() } else if isFirst { timer.keep(for: time) }
      }
    } completed: {
      turns.complete(after: send)
    }
  }
}

private func sampled(_ flow: @escaping Flow, every time: Int) -> Flow {
  { target in
    let turns = Turns(target)
    var newest: Int?
    let timer = ModelTimer(of: turns) { timer in
      if let newest { turns.pass(newest) }
      timer.setToNext(time)
    }
    turns.listen(to: flow) { value in
      turns.act {
        if newest == nil { timer.setToThisOrNext(time) }
        newest = value
      }
    } completed: {
      turns.end(.completed)
    }
  }
}

/// The digits of each window: what makes the windows feeds what collects them.
func windows(of flow: @escaping Flow, every time: Int, upTo count: Int) -> Flow {
  { target in
    let turns = Turns(target)
    var window: [Int] = []
    func close() {
      let all = window
      window = []
      if !all.isEmpty { turns.pass(digits(all)) }
    }
    let timer = ModelTimer(of: turns, ending: .upstreamsAndRun) { _ in close() }
    turns.listen(to: flow) { value in
      turns.act {
        if window.isEmpty { timer.setToNext(time) }
        window.append(value)
        if window.count == count { close() }
      }
    } completed: {
      turns.complete(after: close)
    }
  }
}

/// The digits of each group of values with the same remainder, which ends when none has come for a time.
private func groups(of flow: @escaping Flow, by divisor: Int, untilIdleFor time: Int) -> Flow {
  { target in
    let turns = Turns(target)
    let open = OpenGroups()
    turns.listen(to: flow) { value in
      turns.act {
        let key = remainder(value, divisor)
        let place = open.place(of: key) ?? open.groups.count
        if place == open.groups.count {
          // The timer belongs to the groups, and does not retain them.
          let timer = ModelTimer(of: turns, ending: .nothing) { [weak open, unowned turns] _ in
            open?.close(key, to: turns)
          }
          open.groups.append((key, [], timer))
        }
        open.groups[place].values.append(value)
        open.groups[place].timer.set(after: time)
      }
    } completed: {
      turns.complete { while let first = open.groups.first { open.close(first.key, to: turns) } }
    }
  }
}

private final class OpenGroups {
  var groups: [(key: Int, values: [Int], timer: ModelTimer)] = []
  func place(of key: Int) -> Int? { groups.firstIndex { $0.key == key } }
  func close(_ key: Int, to turns: Turns) {
    if let place = place(of: key) { turns.pass(digits(groups.remove(at: place).values)) }
  }
}

/// Delivers what is buffered in steps of the clock.
private func hop(_ flow: @escaping Flow, _ room: Room?, whenNeeded: Bool, failsAtOnce: Bool) -> Flow {
  { target in
    let scope = target.scope
    let (upstream, clock) = (scope.child(), scope.means.clock)
    // When the source lets go, what is buffered is still delivered.
    let lifeline = Lifeline(of: scope)
    var buffer: [Happening] = []
    // Whether it is delivering, or will be.
    var isBusy = false
    func schedule() {
      isBusy = true
      scope.onEnd(clock.schedule(abandon: scope.endAsLetGo, deliver))
    }
    func deliver() {
      defer { withExtendedLifetime(lifeline) {} }
      isBusy = true
      // A step delivers about as much as the buffer holds, so that the source cannot keep it busy for ever.
      var left = room?.count ?? .max
      while let next = buffer.first, !scope.isEnded {
        if left == 0, !next.isEnd { return schedule() }
        left -= 1
        buffer.removeFirst()
        target(next)
      }
      isBusy = false
    }
    flow(
      Target(upstream) { event in
        if event.isEnd {
          guard upstream.end() else { return }
          if failsAtOnce, event != .completed { buffer = [] }
          buffer.append(event)
        } else if !put(event, into: &buffer, room) {
          guard upstream.end() else { return }
          buffer = [.failed(80)]
        }
        if isBusy || scope.isEnded { return }
        if whenNeeded, clock.isRunning { deliver() } else { schedule() }
      })
  }
}
