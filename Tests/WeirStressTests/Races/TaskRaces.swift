// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir

extension Stress.Races {
  /// Suspended tasks.
  @Suite struct Tasks {
    /// A task that is suspended when the race begins.
    private final class Waiting: Sendable {
      let subject = Subject<Int, RaceFailure>()
      let task: Task<Void, Never>
      private let result = Place<String>()

      init(_ wait: @escaping @Sendable (Signal<Int, RaceFailure>) async throws(RaceFailure) -> String) {
        task = Task.immediate { [subject, result] in
          do throws(RaceFailure) { result.put(try await wait(subject.signal)) } catch {
            result.put("failure")
          }
        }
      }

      var text: String {
        while result.value == nil { weir_yield() }
        return result.value ?? ""
      }
    }

    private static func read(_ signal: Signal<Int, RaceFailure>) async throws(RaceFailure) -> String {
      var words: [String] = []
      for try await value in signal.values() { words.append("\(value)") }
      return (words + ["end"]).joined(separator: ", ")
    }

    @Test("a task cancelled during a send and a completion receives the value or not, and resumes")
    func completeCancel() {
      expectRace(
        setup: { Waiting(Self.read) },
        [
          { it in
            it.subject.send(1)
            it.subject.complete()
          }, { it in it.task.cancel() },
        ],
        outcome: { it in it.text },
        allowed: [
          "1, end": "the value came first",
          "end": "the task was cancelled before it had the value",
        ])
    }

    @Test("a task cancelled during a failure throws it or not, and resumes")
    func failCancel() {
      expectRace(
        setup: { Waiting(Self.read) },
        [{ it in it.subject.fail(RaceFailure()) }, { it in it.task.cancel() }],
        outcome: { it in it.text },
        allowed: [
          "failure": "the failure came first",
          "end": "the task was cancelled before it had the failure",
        ])
    }

    @Test("firstValue() cancelled during two sends returns one of the values, or nil")
    func firstCancel() {
      expectRace(
        setup: { Waiting { signal throws(RaceFailure) in "\(try await signal.firstValue() ?? 0)" } },
        [{ it in it.subject.send(1) }, { it in it.subject.send(2) }, { it in it.task.cancel() }],
        outcome: { it in it.text },
        allowed: [
          "1": "one sender was first",
          "2": "the other was",
          "0": "the task was cancelled first",
        ])
    }
  }
}
