// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirExplorer

@testable import Weir

/// A subject with a subscriber from the beginning, and a run that comes while others send, end and dispose.
private final class Coming: @unchecked Sendable {
  // Unchecked: one thread runs at a time.
  let subject = Subject<Int, Never>()
  let early = Listener()
  let late = Listener()
  let tokens = Ledger()
  let run = Subscription()
  private(set) var subscriptions: [Subscription] = []

  init(patience: UInt64) {
    subject.core.turn.bias.run.storeRelaxed(Bias.patience - patience)
    subscriptions = [early.subscribe(to: subject.signal)]
  }

  func come() { subscriptions.append(late.subscribe(to: subject.signal)) }

  /// A subscriber that ends its run itself, and holds something that is counted.
  func comeInRun() {
    let token = tokens.make()
    subject.signal.attach(
      Sink(
        next: { [late] number in withExtendedLifetime(token) { late.take(number) } },
        terminate: { [late, run] _ in withExtendedLifetime(token) { if run.end() { late.complete() } } },
        subscription: run))
  }
}

private func expectSoundOwnedOrNot(_ scenario: (UInt64, String) -> Scenario<Coming>) {
  expectSound(scenario(Bias.patience, ""))
  expectSound(scenario(1, ", owned"))
}

extension Exploring {
  @Suite struct SubscribingSuite {
    private func send(_ number: Int) -> Operation<Coming> {
      Operation("send \(number)") { $0.subject.send(number) }
    }
    private var come: Operation<Coming> { Operation("come") { $0.come() } }
    private var comeInRun: Operation<Coming> { Operation("come in a run") { $0.comeInRun() } }
    private var cancel: Operation<Coming> { Operation("cancel") { $0.run.dispose() } }
    private var complete: Operation<Coming> { Operation("complete") { $0.subject.complete() } }

    @Test("A13 J2: who subscribes gets nothing that was sent before, and all that is sent after")
    func order() {
      expectSoundOwnedOrNot { patience, whose in
        Scenario(
          "subscribing: between two values" + whose, setup: { Coming(patience: patience) },
          threads: [[send(1)], [send(2), come, send(4)], [send(3)]],
          check: { coming in
            let (early, late) = (coming.early.numbers, coming.late.numbers)
            if let problem = coming.early.problem ?? coming.late.problem { return problem }
            if late.contains(2) || !late.contains(4) { return "the one who came got \(late) of \(early)" }
            return early.suffix(late.count).elementsEqual(late) ? nil : "\(early), and \(late)"
          })
      }
    }

    @Test("J2: a run that is disposed while its source ends gets nothing more, and releases its subscriber")
    func refused() {
      let check: (Coming) -> String? = { coming in
        if let problem = coming.late.problem { return problem }
        if !coming.run.isDisposed { return "not ended" }
        coming.subject.send(77)
        if coming.late.numbers.contains(77) { return "got a value after the end" }
        return coming.tokens.alive == 0 ? nil : "\(coming.tokens.alive) subscribers are retained"
      }
      expectSoundOwnedOrNot { patience, whose in
        Scenario(
          "subscribing: one ends and disposes" + whose, setup: { Coming(patience: patience) },
          threads: [[complete, cancel], [comeInRun]], check: check)
      }
      expectSoundOwnedOrNot { patience, whose in
        Scenario(
          "subscribing: one ends, one disposes" + whose, setup: { Coming(patience: patience) },
          threads: [[comeInRun], [complete], [cancel]], check: check)
      }
    }
  }
}
