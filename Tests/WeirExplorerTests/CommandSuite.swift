// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirExplorer

/// A command whose work is ended by the scenario.
private final class Commanded: @unchecked Sendable {  // one thread runs at a time
  let work = Subject<Int, Never>()
  let calls = Log<Int>()
  let refused = Log<Int>()
  let executing = Log<Bool>()
  let enabled = Log<Bool>()
  let newcomer = Log<Bool>()
  let input = CurrentValue<Bool, Never>(true)
  let command: Command<Int, Int, Never>

  init() {
    command = Command(enabledIf: input) { [calls, work] number in
      calls.add(number)
      return work.signal
    }
    _ = command.executing.subscribe(next: { [executing] in executing.add($0) })
    _ = command.enabled.subscribe(next: { [enabled] in enabled.add($0) })
  }

  func execute(_ number: Int) {
    command.execute(number).subscribe(failed: { [refused] _ in refused.add(number) })
  }

  func subscribe() { command.executing.subscribe { [newcomer] in newcomer.add($0) } }

  /// - Parameter executed: how many executions may have begun.
  func problem(executed: ClosedRange<Int>, of requests: Int, isAllowed: Bool = true) -> String? {
    let (began, refused) = (calls.elements.count, refused.elements.count)
    if !executed.contains(began) || began + refused != requests {
      return "\(began) began, \(refused) were refused"
    }
    work.complete()
    if command.isExecuting || executing.elements.last != false { return "executing: \(executing.elements)" }
    if command.isEnabled != isAllowed || enabled.elements.last != isAllowed {
      return "enabled: \(enabled.elements)"
    }
    for states in [executing.elements, enabled.elements]
    where zip(states, states.dropFirst()).contains(where: { $0 == $1 }) {
      return "a state is repeated: \(states)"
    }
    return nil
  }
}

/// A command with two executions, whose scheduler is closed when it has accepted the end of the first.
private final class Closed: Scheduler, @unchecked Sendable {  // one thread runs at a time
  private struct Ended: Error {}
  /// An object, so that the test sees whether it is retained.
  private final class Failed: Error {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  private let work = [Subject<Int, Ended>(), Subject<Int, Ended>()]
  private let errors = Log<Int>()
  private weak var last: Failed?
  private var accepted: [any ScheduledWork] = []
  private var isClosed = false
  private var command: Command<Int, Int, Failed>?

  init() {
    let command = Command(concurrency: .unlimited, on: self) { [unowned self] (number: Int) in
      work[number].mapError { [unowned self] _ in failure(of: number) }
    }
    self.command = command
    command.errors.subscribe { [errors] in errors.add($0.number) }
    for number in work.indices { command.execute(number).subscribe(failed: { _ in }) }
    run()
    end(0)
    isClosed = true
  }

  private func failure(of number: Int) -> Failed {
    let failure = Failed(number)
    last = failure
    return failure
  }

  func enqueue(_ work: any ScheduledWork) { if isClosed { work.abandon() } else { accepted.append(work) } }
  func run() { while !accepted.isEmpty { accepted.removeFirst().run() } }
  func end(_ number: Int) { work[number].fail(Ended()) }

  func problem() -> String? {
    // It retains the scheduler.
    defer { command = nil }
    if errors.elements != [0], errors.elements != [0, 1] { return "errors: \(errors.elements)" }
    return last == nil ? nil : "the second error is kept"
  }
}

extension Exploring {
  @Suite struct CommandSuite {
    private func execute(_ number: Int) -> Operation<Commanded> {
      Operation("execute \(number)") { $0.execute(number) }
    }

    @Test("K3 K4 DD-18: of several concurrent executions, one begins and the others are refused")
    func one() {
      expectSound(
        Scenario(
          "command: two execute", setup: { Commanded() }, threads: [[execute(1)], [execute(2)]],
          check: { $0.problem(executed: 1...1, of: 2) }))
      expectSound(
        Scenario(
          "command: three execute", setup: { Commanded() },
          threads: [[execute(1)], [execute(2)], [execute(3)]],
          check: { $0.problem(executed: 1...1, of: 3) }))
    }

    @Test("K6: executing and enabled end with the final states when the work ends and the input turns false")
    func states() {
      let end = Operation<Commanded>("end") { $0.work.complete() }
      let forbid = Operation<Commanded>("forbid") { $0.input.send(false) }
      expectSound(
        Scenario(
          "command: execute and end", setup: { Commanded() }, threads: [[execute(1), execute(2)], [end]],
          check: { $0.problem(executed: 1...2, of: 2) }))
      expectSound(
        Scenario(
          "command: execute, end and forbid", setup: { Commanded() },
          threads: [[execute(1)], [execute(2), end], [forbid]],
          check: { $0.problem(executed: 0...2, of: 2, isAllowed: false) }))
    }

    @Test("a closed scheduler still delivers an event that it accepted, and retains none that it abandons")
    func closed() {
      expectSound(
        Scenario(
          "command: run and give up", setup: { Closed() },
          threads: [[Operation("run") { $0.run() }], [Operation("end") { $0.end(1) }]],
          check: { $0.problem() }),
        // What an execution leaves behind is destroyed meanwhile.
        loads: .newest)
    }

    @Test("K5: a subscriber added while an execution begins receives its beginning and its end")
    func newcomer() {
      expectSound(
        Scenario(
          "command: subscribe and execute", setup: { Commanded() },
          threads: [[Operation("subscribe") { $0.subscribe() }], [execute(1)]],
          check: { state in
            let during = state.newcomer.elements
            if during != [true], during != [false, true] { return "while it runs: \(during)" }
            let problem = state.problem(executed: 1...1, of: 1)
            return state.newcomer.elements == during + [false]
              ? problem : "in the end: \(state.newcomer.elements)"
          }))
    }
  }
}
