// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir

/// One operator sends values when its source ends, the next one fails on such a value, and a third sends
/// values when its own source ends: the third must receive one terminal event only. In a synchronous chain
/// nothing checks in between whether the run has ended.
struct SecondEndTests {
  typealias Numbers = Signal<Int, Oops>

  /// All of them send zeros only.
  static let last = [
    OperatorCase("append") { signal, _ in signal.append(0) },
    OperatorCase("append two") { signal, _ in signal.append(0, 0) },
    OperatorCase("reduce") { signal, _ in signal.reduce(0) { _, _ in 0 } },
    OperatorCase("count") { signal, _ in signal.count().map { $0 - 1 } },
    OperatorCase("collect(count:)") { signal, _ in signal.collect(count: 2).map { _ in 0 } },
    OperatorCase("take(last:)") { signal, _ in signal.append(1).take(last: 2).map { _ in 0 } },
    OperatorCase("take(first:)") { signal, _ in signal.map { _ in 0 }.take(first: 1) },
    OperatorCase("take(while:boundary:)") { signal, _ in
      signal.map { _ in 0 }.take(while: { _ in false }, boundary: .included)
    },
    OperatorCase("any, with a match") { signal, _ in signal.any { _ in true }.map { _ in 0 } },
    OperatorCase("any, without one") { signal, _ in signal.any { _ in false }.map { _ in 0 } },
    OperatorCase("materialize") { signal, _ in
      signal.ignoreValues().materialize().setFailureType(to: Oops.self).map { _ in 0 }
    },
  ]

  static let following: [@Sendable (Numbers) -> Numbers] = [
    { $0 }, { $0.append(5) }, { $0.reduce(0, +) }, { $0.collect().map(\.count) },
    { $0.collect(count: 9).map(\.count) },
    { $0.take(last: 2) }, { $0.any { $0 == 9 }.map { $0 ? 1 : 2 } },
    { $0.mapError { $0 }.append(5).append(6) },
    { signal in
      signal.materialize().setFailureType(to: Oops.self).map { event in
        if case .next(let value) = event { value } else { 7 }
      }
    },
  ]

  @Test(
    "A5: downstream receives one terminal event when a value sent on completion makes the next operator fail",
    arguments: last, OperatorCase.withClosure)
  func oneEnd(last: OperatorCase, failing: OperatorCase) {
    for follow in Self.following {
      let failed = failing.apply(last.apply(Numbers([1]))) { value throws(Oops) in
        if value == 0 { throw Oops() }
      }
      #expect(events(follow(failed)) == events(follow(keepingTheRules(failed))))
    }
  }

  /// What `subscribe` receives, whether it should or not.
  private func events(_ signal: Numbers) -> [String] {
    let log = EventLog()
    log.listen(to: signal, as: "")
    return log.value
  }

  /// The same signal, through an observer, which forwards nothing after the terminal event.
  private func keepingTheRules(_ signal: Numbers) -> Numbers {
    .create { observer in signal.forward(to: observer) }
  }
}
