// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

extension Stress {
  /// Whether weak memory orders are strong enough. Only a build with hooked atomics and ThreadSanitizer finds
  /// out; others run the tests, too.
  @Suite struct Orders {}
}

/// Touches something when it is released.
final class LastTouch: Sendable {
  private let place: Unguarded
  init(_ place: Unguarded) { self.place = place }
  deinit { place.touch() }
}

/// Something so large that it is copied by calls. ThreadSanitizer sees those; it does not see what the
/// runtime library, which moves the values of unspecialised code, stores itself.
struct Parcel: Sendable {
  let content = Unguarded()
  private let padding = InlineArray<48, UInt64>(repeating: 0)
}

/// Interrupts each operation by each of them, once before each of its atomic operations: see ``Ensemble``.
///
/// - Parameters:
///   - setup: makes fresh state, which the operations share.
///   - operations: they must not take locks, nor use anything that does, such as `Resources`: that would
///     order them.
///   - check: examines the state when both have ended; returns what is wrong.
func expectOrdered<State: Sendable>(
  setup: @escaping @Sendable () -> State, _ operations: [@Sendable (State) -> Void],
  check: @escaping @Sendable (State) -> String? = { _ in nil },
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let pairs = operations.indices.flatMap { first in operations.indices.map { (first, $0) } }
  expectOrdered(setup: setup, operations, pairs, check: check, sourceLocation: sourceLocation)
}

/// The same for two sides: interrupts each operation of one side by each operation of the other.
func expectOrdered<State: Sendable>(
  setup: @escaping @Sendable () -> State, between one: [@Sendable (State) -> Void],
  and other: [@Sendable (State) -> Void], sourceLocation: SourceLocation = #_sourceLocation
) {
  let pairs = one.indices.flatMap { first in other.indices.map { (first, one.count + $0) } }
  expectOrdered(
    setup: setup, one + other, pairs + pairs.map { ($1, $0) }, check: { _ in nil },
    sourceLocation: sourceLocation)
}

/// The same for one operation that is interrupted by another.
func expectOrdered<State: Sendable>(
  setup: @escaping @Sendable () -> State, _ interrupted: @escaping @Sendable (State) -> Void,
  by other: @escaping @Sendable (State) -> Void, check: @escaping @Sendable (State) -> String?,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  expectOrdered(
    setup: setup, [interrupted, other], [(0, 1)], check: check, sourceLocation: sourceLocation)
}

/// The same for three threads: interrupts an operation by two others, one after the other, at all pairs of
/// its steps.
func expectOrdered<State: Sendable>(
  setup: @escaping @Sendable () -> State, _ interrupted: @escaping @Sendable (State) -> Void,
  by first: @escaping @Sendable (State) -> Void, then second: @escaping @Sendable (State) -> Void
) {
  rehearse(followers: 2) { ensemble in
    func lead(_ one: Int, _ other: Int) -> Int {
      let state = setup()
      return ensemble.lead(
        { interrupted(state) },
        [.init(step: one) { first(state) }, .init(step: other) { second(state) }])
    }
    _ = lead(.max, .max)
    var step = 0
    while lead(step, step) > 0 {
      var later = step + 1
      while lead(step, later) > 1 { later += 1 }
      step += 1
    }
  }
}

private func expectOrdered<State: Sendable>(
  setup: @escaping @Sendable () -> State, _ operations: [@Sendable (State) -> Void], _ pairs: [(Int, Int)],
  check: @escaping @Sendable (State) -> String?, sourceLocation: SourceLocation
) {
  let problem = Place<String>()
  rehearse(followers: 1) { ensemble in
    for (first, second) in pairs {
      let (interrupted, other) = (operations[first], operations[second])
      // First one after the other: that allocates what a process allocates once, under locks.
      var step = Int.max
      while true {
        let state = setup()
        let interruptions = ensemble.lead({ interrupted(state) }, [.init(step: step) { other(state) }])
        if let found = check(state) {
          return problem.put(
            "operation \(first) at step \(step), interrupted by operation \(second): \(found)")
        }
        if step < .max, interruptions == 0 { break }
        step = step == .max ? 0 : step + 1
      }
    }
  }
  #expect(problem.value == nil, sourceLocation: sourceLocation)
}

/// Runs `body` on the thread of the leader, while the followers wait for it.
private func rehearse(followers: Int, _ body: @escaping @Sendable (Ensemble) -> Void) {
  let ensemble = Ensemble(followers: followers)
  withThreads(1 + followers) { index in
    if index > 0 { return ensemble.follow(as: index - 1) }
    defer { ensemble.close() }
    body(ensemble)
  }
}
