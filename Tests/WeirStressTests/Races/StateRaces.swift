// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

extension Stress.Races {
  /// Properties: their value at once, their observers in order.
  @Suite struct Properties {
    /// A property of 0, with one observer, and one that is added in the race.
    private final class Stage: Sendable {
      let property = MutableProperty(0)
      let (live, late) = (Diary(), Diary())
      let (answer, otherAnswer, read) = (Place<Int>(), Place<Int>(), Place<Int>())
      let subscription: Subscription

      init() { subscription = live.listen(to: property.signal) }
    }

    @Test("a value set during a disposal is delivered or not, and the property has it")
    func setDispose() {
      expectRace(
        setup: { Stage() },
        [{ it in it.property.value = 1 }, { it in it.subscription.dispose() }],
        outcome: { it in
          let value = it.property.value
          it.property.value = 2
          return "\(it.live.text); value \(value)"
        },
        allowed: [
          "0, 1; value 1": "delivered before the disposal, or under way then",
          "0; value 1": "disposed before it was delivered",
        ])
    }

    @Test("an observer of two concurrent sets receives the final value last, and may miss the other one")
    func setSet() {
      expectRace(
        setup: { Stage() },
        [{ it in it.property.value = 1 }, { it in it.property.value = 2 }],
        outcome: { it in "\(it.live.text); value \(it.property.value)" },
        allowed: [
          "0, 1, 2; value 2": "one after the other",
          "0, 2, 1; value 1": "the other way round",
          "0, 2; value 2": "1 was replaced before it was delivered",
          "0, 1; value 1": "2 was replaced before it was delivered",
        ])
    }

    @Test("concurrent swaps return the values that they replace, and a read returns a value that was set")
    func setSetRead() {
      expectRace(
        setup: { Stage() },
        [
          { it in it.answer.put(it.property.swap(1)) },
          { it in it.otherAnswer.put(it.property.swap(2)) },
          { it in it.read.put(it.property.value) },
        ],
        outcome: { it in
          "1 replaced \(it.answer.value ?? -1), 2 replaced \(it.otherAnswer.value ?? -1), read \(it.read.value ?? -1)"
        },
        allowed: [
          "1 replaced 0, 2 replaced 1, read 0": "read, 1, 2",
          "1 replaced 0, 2 replaced 1, read 1": "1, read, 2",
          "1 replaced 0, 2 replaced 1, read 2": "1, 2, read",
          "1 replaced 2, 2 replaced 0, read 0": "read, 2, 1",
          "1 replaced 2, 2 replaced 0, read 2": "2, read, 1",
          "1 replaced 2, 2 replaced 0, read 1": "2, 1, read",
        ])
    }

    @Test("concurrent modify calls lose no change")
    func modifyModify() {
      expectRace(
        setup: { Stage() },
        Array(repeating: { it in it.property.modify { $0 += 1 } }, count: 2),
        outcome: { it in "\(it.live.text); value \(it.property.value)" },
        allowed: [
          "0, 1, 2; value 2": "one after the other",
          "0, 2; value 2": "one delivery stands for both",
        ])
    }

    @Test("P3: an observer added during a set receives the old and the new value, or just the new one")
    func observeSet() {
      expectRace(
        setup: { Stage() },
        [{ it in it.late.listen(to: it.property.signal) }, { it in it.property.value = 1 }],
        outcome: { it in "newcomer \(it.late.text); live \(it.live.text)" },
        allowed: [
          "newcomer 0, 1; live 0, 1": "observed before it was set",
          "newcomer 1; live 0, 1": "observed after that",
        ])
    }

    @Test(
      "P4: an observer added during the last release receives the value and the completion, or just the completion"
    )
    func releaseObserve() {
      expectRace(
        setup: { () -> (property: Place<MutableProperty<Int>>, signal: Signal<Int, Never>, late: Diary) in
          let property = MutableProperty(0)
          return (Place(property), property.signal, Diary())
        },
        [{ it in it.property.empty() }, { it in it.late.listen(to: it.signal) }],
        outcome: { it in it.late.text },
        allowed: ["0, end": "observed before the property went", "end": "observed after that"])
    }
  }

  /// Commands: which executions begin.
  @Suite struct Commands {
    /// A command whose work is a subject, and the states that it reports.
    private final class Stage: Sendable {
      let command: Command<Int, Int, Never>
      let work: Subject<Int, Never>
      let isOnline: CurrentValue<Bool, Never>
      let (began, executing) = (Counter(), Diary())

      init(_ concurrency: CommandConcurrency = .one) {
        let (work, began, isOnline) = (Subject<Int, Never>(), began, CurrentValue<Bool, Never>(true))
        (self.work, self.isOnline) = (work, isOnline)
        command = Command(enabledIf: isOnline, concurrency: concurrency) { _ in
          began.add()
          return work.signal
        }
        command.executing.subscribe { [executing] in executing.note($0 ? "busy" : "idle") }
      }

      func execute() { command.execute(1) }
      var text: String {
        "began \(began.value); \(executing.text); \(command.isExecuting ? "busy" : "idle") now"
      }
    }

    @Test("K3 K4: of two concurrent executions, one begins")
    func executeExecute() {
      expectRace(
        setup: { Stage() },
        Array(repeating: { it in it.execute() }, count: 2),
        outcome: { it in it.text },
        allowed: ["began 1; idle, busy; busy now": "the other is refused"])
    }

    @Test("K3: three concurrent executions of a command with concurrency .unlimited all begin")
    func executeMany() {
      expectRace(
        setup: { Stage(.unlimited) },
        Array(repeating: { it in it.execute() }, count: 3),
        outcome: { it in it.text },
        allowed: ["began 3; idle, busy; busy now": "all may run"])
    }

    @Test("K6: an execution requested as the previous one ends is refused before the end or begins after it")
    func executeEnd() {
      expectRace(
        setup: { () -> Stage in
          let stage = Stage()
          stage.execute()
          return stage
        },
        [{ it in it.work.complete() }, { it in it.execute() }],
        outcome: { it in it.text },
        allowed: [
          "began 1; idle, busy, idle; idle now": "refused: the first one ran still",
          "began 2; idle, busy, idle, busy, idle; idle now":
            "begun when the first had ended; the subject has ended, so this one ends at once",
          "began 2; idle, busy, idle; idle now": "the same, and a state in between was skipped",
        ])
    }

    @Test("K5: an execution requested as the condition turns false begins before that or is refused")
    func executeDisable() {
      expectRace(
        setup: { Stage() },
        [{ it in it.isOnline.send(false) }, { it in it.execute() }],
        outcome: { it in "\(it.text), \(it.command.isEnabled ? "enabled" : "disabled")" },
        allowed: [
          "began 1; idle, busy; busy now, disabled": "begun before",
          "began 0; idle; idle now, disabled": "refused after",
        ])
    }
  }
}
