// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Glibc

/// How schedules are chosen.
package enum Search: Sendable {
  /// All schedules with at most `preemptions` interruptions of a thread that could continue, but no more than
  /// `atMost` schedules. For two threads with few operations: most bugs show with two interruptions.
  case exhaustive(preemptions: Int, atMost: Int = .max)
  /// Random priorities, changed `changes` times: finds rare orders among more threads.
  case priorities(changes: Int, schedules: Int)
  /// A random thread at each step.
  case uniform(schedules: Int)
}

/// Which values the loads of a run may return.
package enum Loads: Sendable {
  /// The value that was stored last.
  case newest
  /// Any value that the memory model allows: stores reach other threads late, unless they are ordered by
  /// acquire and release, or by sequential consistency. Atomic loads only; plain loads always find what was
  /// stored last.
  case older
}

/// The result of exploring a scenario.
package struct Exploration: CustomStringConvertible {
  /// What went wrong, and how to repeat it.
  package struct Failure: CustomStringConvertible {
    /// What is wrong.
    package let problem: String
    /// Which thread took each step, in the form that `WEIR_EXPLORE_REPLAY` takes.
    package let schedule: String
    /// The seed of the random choices, if there were any.
    package let seed: UInt64?
    /// The steps, one per line.
    package let trace: [String]
    let scenario: String

    package var description: String {
      """
      \(scenario): \(problem)
      repeat it with WEIR_EXPLORE_REPLAY='\(scenario)@\(schedule)'\(seed.map { ", or WEIR_EXPLORE_SEED=\($0)" } ?? "")
      \(shown.joined(separator: "\n"))
      """
    }

    /// The trace of a run that does not end is not shown in full.
    private var shown: [String] { trace.count > 600 ? trace.prefix(300) + ["…"] + trace.suffix(100) : trace }
  }

  /// The name of the scenario.
  package let scenario: String
  /// The number of schedules that were run.
  package fileprivate(set) var schedules = 0
  /// The total number of their steps.
  package fileprivate(set) var steps = 0
  /// Whether all schedules within the bound were run.
  package fileprivate(set) var isComplete = false
  /// What went wrong; nil if nothing did.
  package fileprivate(set) var failure: Failure?

  package var description: String {
    let end = failure.map { "\n\($0)" } ?? (isComplete ? ", complete" : "")
    return "explored \(scenario): \(schedules) schedules, \(steps) steps\(end)"
  }
}

/// Runs a scenario again and again, each time with another schedule, until something is wrong or no schedule
/// is left. Traps in a build without hooked atomics. Only one search at a time may run in a process.
///
/// Real threads run the operations, one of them at a time. Before each atomic operation of the shim, the
/// search decides which thread continues. The first time that a thread pauses or yields in an operation,
/// switching to another one does not count as an interruption. After later pauses another thread has to run
/// before it is chosen again. Memory that the shim frees is held until the run is over, and accessing it is a
/// failure.
///
/// With ``Loads/newest``, the search explores what can happen if all operations are sequentially consistent.
/// With ``Loads/older``, a load may return any value that the memory model allows for the orderings of the
/// operations.
///
/// `WEIR_EXPLORE_REPLAY=name@schedule` runs the scenario of this name once, with that schedule; the trace
/// goes to standard error as it happens, so that a crash has one, too. A malformed value of this or of
/// `WEIR_EXPLORE_SEED` stops the process.
///
/// - Parameters:
///   - scenario: what to run, and what is correct.
///   - search: which schedules to try.
///   - loads: which values loads may return. Returning an older value counts as an interruption, where these
///     are counted. With `priorities`, only ``Loads/newest``.
///   - steps: no schedule is started once this many steps have been taken in total.
///   - seed: the seed of random choices; schedule number `n` uses `seed + n`. By default `WEIR_EXPLORE_SEED`,
///     or 1.
package func explore<State>(
  _ scenario: Scenario<State>, _ search: Search, loads: Loads = .newest, steps: Int = .max,
  seed: UInt64? = nil
) -> Exploration {
  precondition(
    weir_atomics_are_hooked(), "weir: exploring takes a build with -Xcc -DWEIR_ATOMICS_HOOK=1")
  if let lanes = replayed(scenario.name) {
    let trace = Trace()
    return replay(scenario, lanes) {
      trace.add($0)
      say(trace.lines.last ?? "")
    }
  }
  let seed = seed ?? environment("WEIR_EXPLORE_SEED").map(parsedSeed) ?? 1
  let strategy: any Strategy
  let limit: Int
  switch search {
  case .exhaustive(let preemptions, let atMost):
    strategy = Exhaustive(preemptions: preemptions)
    limit = atMost
  case .priorities(let changes, let schedules):
    precondition(
      loads == .newest,
      "weir: exploring '\(scenario.name)': a search by priorities cannot choose the values of loads; use another search"
    )
    strategy = Priorities(threads: scenario.threads.count, changes: changes, schedules: schedules, seed: seed)
    limit = .max
  case .uniform(let schedules):
    strategy = Uniform(schedules: schedules, seed: seed)
    limit = .max
  }
  var exploration = run(scenario, strategy, loads, atMost: limit, steps: steps, watch: nil)
  exploration.isComplete = (strategy as? Exhaustive)?.isComplete ?? false
  // Runs it again for the trace. A failure that cannot be repeated depends on more than the schedule.
  if let found = exploration.failure, let lanes = Schedule.lanes(in: found.schedule) {
    let trace = Trace()
    let again = replay(scenario, lanes, watch: trace.add)
    exploration.failure = Exploration.Failure(
      problem: found.problem + (again.failure?.problem == found.problem ? "" : " (not seen again)"),
      schedule: found.schedule, seed: found.seed, trace: trace.lines, scenario: scenario.name)
  }
  return exploration
}

/// Runs a scenario once, with a schedule from a report.
package func replay<State>(_ scenario: Scenario<State>, _ schedule: String) -> Exploration {
  guard let lanes = Schedule.lanes(in: schedule) else {
    preconditionFailure("weir: '\(schedule)' is not a schedule, such as 'A3B2'; copy it from a report")
  }
  let trace = Trace()
  var exploration = replay(scenario, lanes, watch: trace.add)
  if let found = exploration.failure {
    exploration.failure = Exploration.Failure(
      problem: found.problem, schedule: found.schedule, seed: nil, trace: trace.lines, scenario: scenario.name
    )
  }
  return exploration
}

private func replay<State>(
  _ scenario: Scenario<State>, _ lanes: [Int], watch: @escaping (Stage.Step) -> Void
) -> Exploration {
  let strategy = Replay(lanes)
  let loads = lanes.contains { $0 >= Schedule.newest } ? Loads.older : .newest
  let exploration = run(scenario, strategy, loads, atMost: 1, steps: .max, watch: watch)
  if strategy.hasDiverged {
    say("weir: the schedule does not fit: the program has other steps than when it was reported")
  }
  return exploration
}

private func run<State>(
  _ scenario: Scenario<State>, _ strategy: any Strategy, _ loads: Loads, atMost limit: Int, steps: Int,
  watch: ((Stage.Step) -> Void)?
) -> Exploration {
  var exploration = Exploration(scenario: scenario.name)
  let stage = Stage(threads: scenario.threads.count, strategy, loads, watch: watch)
  LastWords.prepare(scenario.name, stage.schedule)
  defer { LastWords.forget() }
  while exploration.schedules < limit, exploration.steps < steps, strategy.begin() {
    let state = scenario.setup()
    let work = scenario.threads.map { operations in
      operations.map { operation in (operation.label, { operation.body(state) }) }
    }
    let stopped = stage.run(work) { scenario.invariant(state) }
    let problem = stopped ?? scenario.check(state)
    exploration.schedules += 1
    exploration.steps += stage.schedule.count
    if let problem {
      exploration.failure = Exploration.Failure(
        problem: problem, schedule: stage.schedule.text, seed: strategy.seed, trace: [],
        scenario: scenario.name)
      // The threads have stopped somewhere in the middle, and stay there with what they retain.
      if stopped != nil {
        _ = Unmanaged.passRetained(stage)
        return exploration
      }
    }
    stage.endRun()
    if problem != nil { break }
  }
  stage.close()
  return exploration
}

/// Writes a line to standard error, at once.
private func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  write(STDERR_FILENO, bytes, bytes.count)
}

private func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

private func replayed(_ scenario: String) -> [Int]? {
  guard let text = environment("WEIR_EXPLORE_REPLAY") else { return nil }
  guard let at = text.lastIndex(of: "@"), let lanes = Schedule.lanes(in: text[text.index(after: at)...])
  else {
    preconditionFailure(
      "weir: WEIR_EXPLORE_REPLAY='\(text)' is not of the form 'name@A3B2', a scenario and its schedule; copy it from a report"
    )
  }
  return text[..<at] == scenario ? lanes : nil
}

private func parsedSeed(_ text: String) -> UInt64 {
  guard let seed = UInt64(text) else {
    preconditionFailure(
      "weir: WEIR_EXPLORE_SEED='\(text)' is not a number below 2 to the power of 64; take one from a report, or any"
    )
  }
  return seed
}
