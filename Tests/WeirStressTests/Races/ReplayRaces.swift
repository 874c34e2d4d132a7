// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir

extension Stress.Races {
  /// Sources that replay: what a new subscriber receives.
  @Suite struct Replaying {
    /// A replay subject that has sent 1 and 2, with one subscriber, and one that is added in the race.
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

    @Test("J9: a subscriber added during a send receives the value once, from the history or live")
    func replaySend() {
      expectRace(
        setup: { Stage(capacity: .unbounded) },
        [{ it in it.subscribe() }, { it in it.subject.send(3) }],
        outcome: { it in it.text },
        allowed: ["newcomer 1, 2, 3; live 1, 2, 3": "before or after, the newcomer gets all"])
    }

    @Test(
      "J9: at full capacity, a subscriber added during a send receives the history with or without its oldest value"
    )
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

    @Test("J9: a subscriber added during two sends receives them in the same order as the others")
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

    @Test("J9: a subscriber added during completion receives the history and one completion")
    func replayComplete() {
      expectRace(
        setup: { Stage(capacity: .unbounded) },
        [{ it in it.subscribe() }, { it in it.subject.complete() }],
        outcome: { it in it.text },
        allowed: ["newcomer 1, 2, end; live 1, 2, end": "the history stays, and everybody is told the end"])
    }

    @Test(
      "J9: a subscriber added during a send and a completion receives the same values and completion as the others"
    )
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

    /// A current value of 0, with one subscriber, and one that is added in the race.
    private final class Current: Sendable {
      let subject = CurrentValue<Int, RaceFailure>(0)
      let (live, late) = (Diary(), Diary())
      let read = Place<Int>()
      let subscription: Subscription

      init() { subscription = live.listen(to: subject) }

      var text: String { "newcomer \(late.text); live \(live.text)" }
    }

    @Test(
      "J7: a subscriber of a CurrentValue added during a send receives the old and the new value, or just the new one"
    )
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

    @Test(
      "J8: a subscriber of a CurrentValue added during completion receives the last value, then the completion"
    )
    func currentSubscribeComplete() {
      expectRace(
        setup: { Current() },
        [{ it in it.late.listen(to: it.subject) }, { it in it.subject.complete() }],
        outcome: { it in it.text },
        allowed: ["newcomer 0, end; live 0, end": "before the end or after it, the value comes first"])
    }

    @Test("concurrent modify and send calls on a CurrentValue lose no change")
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

    @Test("a CurrentValue read during a send and a disposal returns the old or the new value")
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
