// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Glibc
import Testing
import WeirTesting

extension Stress {
  /// Short random histories of three threads, thousands of them, against a model of what one thread would
  /// see.
  @Suite struct Histories {}
}

/// What one thread of a history does.
struct Actor<Object: Sendable, Step: Sendable> {
  let object: Object
  let recorder: HistoryRecorder<Step>
  let thread: Int
  var numbers: SplitMix64

  /// Makes a call, and writes it down.
  func record(_ call: () -> Step) { recorder.record(on: thread, call) }
  /// One of two or more things to do.
  mutating func choose(below limit: Int) -> Int { numbers.number(below: limit) }
  /// A number that no other call of this history has.
  mutating func fresh(_ index: Int) -> Int { 10 * (thread + 1) + index }
}

/// Checks histories of three threads, each of which makes four to six calls.
///
/// - Parameters:
///   - first: the initial state of the model.
///   - make: makes the object, which may record what it delivers on thread 3.
///   - act: makes the call with this index, and records it.
///   - finish: called at the end, when the threads have ended.
///   - prepared: what is checked, given what was recorded.
func expectLinearizable<Model: SequentialModel, Object: Sendable>(
  _ first: Model, make: @escaping @Sendable (HistoryRecorder<Model.Step>) -> Object,
  act: @escaping @Sendable (_ actor: inout Actor<Object, Model.Step>, _ index: Int) -> Void,
  finish: @escaping @Sendable (Object, HistoryRecorder<Model.Step>) -> Void = { _, _ in },
  prepared: @escaping @Sendable (History<Model.Step>) -> History<Model.Step> = { $0 },
  sourceLocation: SourceLocation = #_sourceLocation
) {
  typealias State = (object: Object, recorder: HistoryRecorder<Model.Step>, seed: UInt64)
  perturb()
  let base = getenv("WEIR_HISTORY_SEED").flatMap { UInt64(String(cString: $0)) } ?? UInt64(time(nil)) << 20
  let number = Counter()
  let rounds = weir_is_thread_sanitized() || weir_atomics_are_hooked() ? 500 : 1_500
  let right = "linearizable"
  let report = RaceTable<State, String>(
    rounds: rounds * scale,
    setup: {
      let recorder = HistoryRecorder<Model.Step>(threads: 4)
      return (make(recorder), recorder, base &+ UInt64(number.add()))
    },
    race: (0..<3).map { thread in
      { state in
        var actor = Actor(
          object: state.object, recorder: state.recorder, thread: thread,
          numbers: SplitMix64(seed: state.seed &* 4 &+ UInt64(thread)))
        for index in 0..<4 + actor.choose(below: 3) {
          for _ in 0..<actor.choose(below: 20) { weir_pause() }
          act(&actor, index)
        }
      }
    },
    outcome: { state in
      finish(state.object, state.recorder)
      let problem = prepared(state.recorder.history).problem(with: first)
      return problem.map { "WEIR_HISTORY_SEED=\(state.seed): \($0)" } ?? right
    },
    allowed: [.init(right, because: "each call happens at one instant")]
  ).run()
  // One is enough to look at.
  let wrong = report.forbidden.first?.outcome
  #expect(wrong == nil, sourceLocation: sourceLocation)
}
