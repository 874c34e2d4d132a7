// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

extension Stress.Races {
  /// Sources with a memory: what a newcomer gets.
  @Suite struct Replaying {
    /// A replay subject that has sent 1 and 2, with one subscriber, and one who is to come.
    private final class Stage: Sendable {
      let subject: ReplaySubject<Int, RaceFailure>
      let (live, late) = (Diary(), Diary())

      init(capacity: ReplayCapacity) {
        subject = ReplaySubject(capacity: capacity)
        subject.send(1)
        live.listen(to: subject)
        subject.send(2)
      }

      func subscribe() { late.listen(to: subject) }
      var text: String { "newcomer \(late.text); live \(live.text)" }
    }

    @Test("J9: replay against send: no gap, no double, whether the value was history or is live")
    func replaySend() {
      expectRace(
        setup: { Stage(capacity: .unbounded) },
        [{ it in it.subscribe() }, { it in it.subject.send(3) }],
        outcome: { it in it.text },
        allowed: ["newcomer 1, 2, 3; live 1, 2, 3": "before or after, the newcomer gets all"])
    }

    @Test(
      "J9: replay against send, with the capacity full: the history as it was, or without its oldest value")
    func boundedReplaySend() {
      expectRace(
        setup: { Stage(capacity: 2) },
        [{ it in it.subscribe() }, { it in it.subject.send(3) }],
        outcome: { it in it.text },
        allowed: [
          "newcomer 1, 2, 3; live 1, 2, 3": "subscribed before the value was sent",
          "newcomer 2, 3; live 1, 2, 3": "the value had taken the place of the oldest one",
        ])
    }

    @Test("J9: replay against two sends: the newcomer and the others see one order")
    func replaySendSend() {
      expectRace(
        setup: { Stage(capacity: .unbounded) },
        [{ it in it.subscribe() }, { it in it.subject.send(3) }, { it in it.subject.send(4) }],
        outcome: { it in it.text },
        allowed: [
          "newcomer 1, 2, 3, 4; live 1, 2, 3, 4": "in this order",
          "newcomer 1, 2, 4, 3; live 1, 2, 4, 3": "in the other order",
        ])
    }

    @Test("J9: replay against complete: the history and the end, once")
    func replayComplete() {
      expectRace(
        setup: { Stage(capacity: .unbounded) },
        [{ it in it.subscribe() }, { it in it.subject.complete() }],
        outcome: { it in it.text },
        allowed: ["newcomer 1, 2, end; live 1, 2, end": "the history stays, and everybody is told the end"])
    }

    @Test("J9: replay against send and complete")
    func replaySendComplete() {
      expectRace(
        setup: { Stage(capacity: .unbounded) },
        [{ it in it.subscribe() }, { it in it.subject.send(3) }, { it in it.subject.complete() }],
        outcome: { it in it.text },
        allowed: [
          "newcomer 1, 2, 3, end; live 1, 2, 3, end": "sent before the end",
          "newcomer 1, 2, end; live 1, 2, end": "sent after it",
        ])
    }

    /// A current value of 0, with one subscriber, and one who is to come.
    private final class Current: Sendable {
      let subject = CurrentValue<Int, RaceFailure>(0)
      let (live, late) = (Diary(), Diary())
      let read = Place<Int>()
      let subscription: Subscription

      init() { subscription = live.listen(to: subject) }

      var text: String { "newcomer \(late.text); live \(live.text)" }
    }

    @Test("J7: subscribe to a current value against send: the value before and the new one, or just that")
    func currentSubscribeSend() {
      expectRace(
        setup: { Current() },
        [{ it in it.late.listen(to: it.subject) }, { it in it.subject.send(1) }],
        outcome: { it in it.text },
        allowed: [
          "newcomer 0, 1; live 0, 1": "subscribed before the value was sent",
          "newcomer 1; live 0, 1": "subscribed after it was sent",
        ])
    }

    @Test("J8: subscribe to a current value against complete: the last value, and the end")
    func currentSubscribeComplete() {
      expectRace(
        setup: { Current() },
        [{ it in it.late.listen(to: it.subject) }, { it in it.subject.complete() }],
        outcome: { it in it.text },
        allowed: ["newcomer 0, end; live 0, end": "before the end or after it, the value comes first"])
    }

    @Test("changes of a current value against each other and against a send: none is lost")
    func currentModify() {
      expectRace(
        setup: { Current() },
        [
          { it in it.subject.modify { $0 += 1 } },
          { it in it.subject.modify { $0 += 2 } },
          { it in it.subject.send(10) },
        ],
        outcome: { it in "\(it.live.text); value \(it.subject.value)" },
        allowed: [
          "0, 1, 3, 10; value 10": "+1, +2, 10",
          "0, 2, 3, 10; value 10": "+2, +1, 10",
          "0, 1, 10, 12; value 12": "+1, 10, +2",
          "0, 2, 10, 11; value 11": "+2, 10, +1",
          "0, 10, 11, 13; value 13": "10, +1, +2",
          "0, 10, 12, 13; value 13": "10, +2, +1",
        ])
    }

    @Test("reading a current value against send and dispose: the value before, or the new one")
    func currentRead() {
      expectRace(
        setup: { Current() },
        [
          { it in it.read.put(it.subject.value) },
          { it in it.subject.send(1) },
          { it in it.subscription.dispose() },
        ],
        outcome: { it in "read \(it.read.value ?? -1); live \(it.live.text); value \(it.subject.value)" },
        allowed: [
          "read 0; live 0, 1; value 1": "read before the value was sent, disposed after",
          "read 1; live 0, 1; value 1": "read and disposed after it was sent, or while it was delivered",
          "read 0; live 0; value 1": "read before, and disposed before",
          "read 1; live 0; value 1": "read after, and disposed before",
        ])
    }
  }
}
