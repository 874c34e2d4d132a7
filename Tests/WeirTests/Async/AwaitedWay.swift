// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// The four ways of awaiting, with their outcomes as text.
enum AwaitedWay: CaseIterable {
  case first, last, all, end

  func outcome<Value: Sendable>(of source: consuming some SignalConvertible<Value, Oops>) async -> String {
    do throws(Oops) {
      switch self {
      case .first: return try await source.firstValue().map { "\($0)" } ?? "nil"
      case .last: return try await source.lastValue().map { "\($0)" } ?? "nil"
      case .all: return "\(try await source.allValues())"
      case .end: return try await source.completion() ? "end" : "cut off"
      }
    } catch {
      return "failure \(error.code)"
    }
  }

  /// The outcome of a task that waits while something else is done.
  func outcome(of signal: Signal<Int, Oops>, _ meanwhile: (Task<String, Never>) -> Void) -> String {
    let (stage, result) = (TaskStage(), Box("nothing"))
    let task = stage.start { () -> String in
      result.value = await outcome(of: signal)
      return result.value
    }
    meanwhile(task)
    stage.run()
    return result.value
  }
}
