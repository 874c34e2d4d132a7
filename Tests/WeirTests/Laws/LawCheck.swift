// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing
import Weir
import WeirTesting

/// What a subscriber saw: the events at the time of the subscription, and then those of each step of the
/// schedule.
typealias Observed<Value> = [[Event<Value, Oops>]]

/// The seed of all tests of laws: `WEIR_LAW_SEED`, or a random one.
let lawSeed: UInt64 =
  getenv("WEIR_LAW_SEED").flatMap { UInt64(String(cString: $0)) } ?? .random(in: 1..<1 << 32)

/// Expects that two signals do the same, event by event and step by step, in random trials.
///
/// The law is asked for its two sides twice, in equal worlds; one side is run in each. A trial that fails is
/// made smaller, and is reported with the seed that repeats it.
///
/// - Parameters:
///   - order: how much of the order of events counts.
///   - seed: what all trials are derived from.
///   - sourceLocation: where the law stands.
///   - law: makes both sides from what the world has.
func expectLaw<Value: Equatable & Sendable>(
  _ order: LawOrder = .exact, seed: UInt64 = lawSeed,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ law: (inout LawWorld) -> (Signal<Value, Oops>, Signal<Value, Oops>)
) {
  if let report = counterexample(order, seed: seed, law) {
    Issue.record("\(report)", sourceLocation: sourceLocation)
  }
}

/// A report of the smallest trial found in which the sides of a law differ; nil if it held in all.
func counterexample<Value: Equatable & Sendable>(
  _ order: LawOrder = .exact, seed: UInt64,
  _ law: (inout LawWorld) -> (Signal<Value, Oops>, Signal<Value, Oops>)
) -> String? {
  var seeds = SplitMix64(seed: seed)
  for round in 0..<400 {
    let trial = LawWorld.Trial(seed: seeds.next(), size: 1 + round / 100, steps: round / 20)
    if holds(law, in: trial, order) { continue }
    let smallest = smaller(than: trial).first { !holds(law, in: $0, order) } ?? trial
    let (left, _, world) = observe(law, in: smallest, \.0)
    let (right, _, _) = observe(law, in: smallest, \.1)
    return """
      the sides differ; repeat with WEIR_LAW_SEED=\(seed)
      \(smallest)
      made of: \(world.notes.joined(separator: "; "))
      schedule: \(world.scheduleDescription)
      left:  \(left)
      right: \(right)
      """
  }
  return nil
}

/// How much of the order of events counts.
enum LawOrder {
  /// All of it.
  case exact
  /// All but the order of the values within one step.
  case withinSteps
}

/// Trials with the same seed that are smaller, the smallest first.
private func smaller(than trial: LawWorld.Trial) -> some Sequence<LawWorld.Trial> {
  (0...trial.size).lazy.flatMap { size in
    (0...trial.steps).lazy.map { LawWorld.Trial(seed: trial.seed, size: size, steps: $0) }
  }
}

private func holds<Value: Equatable & Sendable>(
  _ law: (inout LawWorld) -> (Signal<Value, Oops>, Signal<Value, Oops>), in trial: LawWorld.Trial,
  _ order: LawOrder
) -> Bool {
  let left = observe(law, in: trial, \.0)
  let right = observe(law, in: trial, \.1)
  let isWellFormed = left.isWellFormed && right.isWellFormed
  switch order {
  case .exact: return isWellFormed && left.observed == right.observed
  case .withinSteps: return isWellFormed && sorted(left.observed) == sorted(right.observed)
  }
}

private func observe<Value: Equatable & Sendable>(
  _ law: (inout LawWorld) -> (Signal<Value, Oops>, Signal<Value, Oops>), in trial: LawWorld.Trial,
  _ side: (((Signal<Value, Oops>, Signal<Value, Oops>)) -> Signal<Value, Oops>)
) -> (observed: Observed<Value>, isWellFormed: Bool, world: LawWorld) {
  var world = LawWorld(trial)
  let recorder = Recorder(side(law(&world)))
  var observed: Observed<Value> = [recorder.events]
  var seen = recorder.events.count
  world.run {
    observed.append(Array(recorder.events[seen...]))
    seen = recorder.events.count
  }
  recorder.dispose()
  let isWellFormed = recorder.events.dropLast().allSatisfy { $0.completion == nil }
  return (observed, isWellFormed, world)
}

private func sorted<Value>(_ observed: Observed<Value>) -> Observed<Value> {
  observed.map { events in
    let values = events.filter { $0.completion == nil }.sorted { "\($0)" < "\($1)" }
    return values + events.filter { $0.completion != nil }
  }
}
