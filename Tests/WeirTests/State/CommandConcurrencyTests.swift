// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// How many executions of a command run at the same time.
struct CommandConcurrencyTests {
  /// A command whose executions are held open by the subject that is its input.
  private typealias Held = Command<Subject<Int, Oops>, Int, Oops>
  private func held(_ concurrency: CommandConcurrency = .one) -> Held {
    Command(concurrency: concurrency) { $0.signal }
  }

  @Test("changing concurrency while executions run updates enabled; running executions continue")
  func concurrency() {
    let command = held()
    let enabled = Recorder(command.enabled)
    let (first, second) = (Subject<Int, Oops>(), Subject<Int, Oops>())
    let results = [Recorder(command.execute(first))]
    command.concurrency = .unlimited
    #expect(command.concurrency == .unlimited && command.isEnabled)
    let more = results + [Recorder(command.execute(second))]
    command.concurrency = .one
    #expect(!command.isEnabled)
    first.send(1)
    second.send(2)
    second.complete()
    #expect(!command.isEnabled && command.isExecuting)
    first.complete()
    #expect(more.map(\.values) == [[1], [2]])
    #expect(enabled.values == [true, false, true, false, true])
  }

  @Test("a refusal names the condition of the command if that is false, whatever runs")
  func refusals() {
    let condition = MutableProperty(true)
    let work = Subject<Int, Never>()
    let command = Command(enabledIf: condition) { (_: Int) in work.signal }
    func refusal() -> CommandRefusal? {
      guard case .failed(.notEnabled(let refusal, _, _)) = Recorder(command.execute(0)).completion else {
        return nil
      }
      return refusal
    }
    let running = Recorder(command.execute(0))
    #expect(refusal() == .busy)
    condition.value = false
    #expect(refusal() == .disabled)
    work.complete()
    #expect(running.events.count == 1 && !command.isExecuting)
    #expect(refusal() == .disabled)
    condition.value = true
    #expect(refusal() == nil)
  }

  @Test("with a limit, an execution beyond it is refused until a running one ends; enabled follows")
  func limit() {
    let command = held(.limit(2))
    let enabled = Recorder(command.enabled)
    let work = (0..<4).map { _ in Subject<Int, Oops>() }
    let first = Recorder(command.execute(work[0]))
    let second = Recorder(command.execute(work[1]))
    let refused = Recorder(command.execute(work[2]))
    guard case .failed(.notEnabled(.busy, _, _)) = refused.completion else {
      Issue.record("not refused: \(String(describing: refused.completion))")
      return
    }
    work[0].complete()
    let last = Recorder(command.execute(work[3]))
    work[3].send(3)
    work[1].complete()
    work[3].complete()
    #expect(first.completion != nil && second.completion != nil && last.values == [3])
    #expect(enabled.values == [true, false, true, false, true])
  }

  @Test("a limit of 0 traps with a message that names the valid range")
  func senselessLimit() async {
    let trapped = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CommandConcurrency.limit(0)
    }
    let message = trapped.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
    #expect(message?.contains("weir: .limit(0) of a command: the limit must be from 1 to 4094") == true)
  }

  @Test("the description of a concurrency is its source form: .one, .limit(3), .unlimited")
  func printedConcurrency() {
    let printed = [CommandConcurrency.one, .limit(3), .unlimited].map(\.description)
    #expect(printed == [".one", ".limit(3)", ".unlimited"])
  }
}
