// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir

extension Stress.Races {
  @Suite struct Subjects {
    /// A subject with two subscribers, and one that is added in the race.
    private final class Stage: Sendable {
      let subject = Subject<Int, RaceFailure>()
      let (first, second, late) = (Diary(), Diary(), Diary())
      let subscription: Subscription
      let lateSubscription = Place<Subscription>()

      init() {
        subscription = first.listen(to: subject)
        second.listen(to: subject)
      }

      func subscribe() { lateSubscription.put(late.listen(to: subject)) }
      /// What the first subscriber received, if the other one received the same.
      var both: String { first.text == second.text ? first.text : "\(first.text) but \(second.text)" }
    }

    @Test("A13: two concurrent sends reach all subscribers in one order")
    func sendSend() {
      expectRace(
        setup: { Stage() },
        [{ it in it.subject.send(1) }, { it in it.subject.send(2) }],
        outcome: { it in it.both },
        allowed: ["1, 2": "in this order", "2, 1": "in the other order"])
    }

    @Test("A13: three concurrent sends reach all subscribers in one order")
    func sendSendSend() {
      expectRace(
        setup: { Stage() },
        (1...3).map { value in { it in it.subject.send(value) } },
        outcome: { it in it.both },
        allowed: [
          "1, 2, 3": "any order", "1, 3, 2": "any order", "2, 1, 3": "any order", "2, 3, 1": "any order",
          "3, 1, 2": "any order", "3, 2, 1": "any order",
        ])
    }

    @Test(
      "A14: a value sent during a disposal is delivered or not, and nothing is delivered after both have returned"
    )
    func sendDispose() {
      expectRace(
        setup: { Stage() },
        [{ it in it.subject.send(1) }, { it in it.subscription.dispose() }],
        outcome: { it in
          it.subject.send(2)
          return "\(it.first.text); the other \(it.second.text)"
        },
        allowed: [
          "nothing; the other 1, 2": "disposed before the value was delivered",
          "1; the other 1, 2": "delivered before the disposal, or under way then",
        ])
    }

    @Test("J1: a subscriber added during a send receives the value or not, and every later value")
    func sendSubscribe() {
      expectRace(
        setup: { Stage() },
        [{ it in it.subject.send(1) }, { it in it.subscribe() }],
        outcome: { it in
          it.subject.send(2)
          return "\(it.late.text); the others \(it.both)"
        },
        allowed: [
          "1, 2; the others 1, 2": "subscribed before the value was sent",
          "2; the others 1, 2": "subscribed after it was sent",
        ])
    }

    @Test("J3: a subscriber added during completion receives one completion")
    func completeSubscribe() {
      expectRace(
        setup: { Stage() },
        [{ it in it.subject.complete() }, { it in it.subscribe() }],
        outcome: { it in
          let isOver = it.lateSubscription.value?.isDisposed == true && it.subscription.isDisposed
          return "\(it.late.text); the others \(it.both); all \(isOver ? "over" : "not over")"
        },
        allowed: ["end; the others end; all over": "a subscriber, or one who comes late, is told the end"])
    }

    @Test("A5: a value sent during completion is delivered before the completion or not at all")
    func completeSend() {
      expectRace(
        setup: { Stage() },
        [{ it in it.subject.complete() }, { it in it.subject.send(1) }],
        outcome: { it in
          it.subject.send(2)
          return it.both
        },
        allowed: ["1, end": "sent before the end", "end": "sent after it"])
    }

    @Test("A5: concurrent fail and complete deliver one terminal event, which later subscribers receive, too")
    func failComplete() {
      expectRace(
        setup: { Stage() },
        [{ it in it.subject.complete() }, { it in it.subject.fail(RaceFailure()) }],
        outcome: { it in
          it.subscribe()
          return "\(it.both); later \(it.late.text)"
        },
        allowed: [
          "end; later end": "completed first; the failure is reported as unhandled",
          "failure; later failure": "failed first",
        ])
    }

    @Test(
      "A5 A14: a value sent during a disposal and completion is delivered before the completion or not at all"
    )
    func sendDisposeComplete() {
      expectRace(
        setup: { Stage() },
        [
          { it in it.subject.send(1) },
          { it in it.subscription.dispose() },
          { it in it.subject.complete() },
        ],
        outcome: { it in "\(it.first.text); the other \(it.second.text)" },
        allowed: [
          "1; the other 1, end": "value, disposal, end",
          "1, end; the other 1, end": "value, end, disposal",
          "nothing; the other 1, end": "disposal first, or while the value was on its way; then value, end",
          "end; the other end": "end before the value, and disposal last",
          "nothing; the other end": "disposal, and end before the value",
        ])
    }

    @Test(
      "J1: a subscriber added during a send and another's disposal receives the value or not, and every later value"
    )
    func subscribeSendDispose() {
      expectRace(
        setup: { Stage() },
        [
          { it in it.subscribe() },
          { it in it.subject.send(1) },
          { it in it.subscription.dispose() },
        ],
        outcome: { it in
          it.subject.send(2)
          return "newcomer \(it.late.text); disposed \(it.first.text); the other \(it.second.text)"
        },
        allowed: [
          "newcomer 1, 2; disposed 1; the other 1, 2": "subscribed, sent, disposed",
          "newcomer 1, 2; disposed nothing; the other 1, 2": "subscribed and disposed, then sent",
          "newcomer 2; disposed 1; the other 1, 2": "sent, then subscribed and disposed",
          "newcomer 2; disposed nothing; the other 1, 2": "disposed, sent, subscribed",
        ])
    }

    @Test(
      "J3: a subscriber added during a send and a completion receives the value or not, then the completion")
    func subscribeSendComplete() {
      expectRace(
        setup: { Stage() },
        [
          { it in it.subscribe() },
          { it in it.subject.send(1) },
          { it in it.subject.complete() },
        ],
        outcome: { it in "newcomer \(it.late.text); the others \(it.both)" },
        allowed: [
          "newcomer 1, end; the others 1, end": "subscribed before the value",
          "newcomer end; the others 1, end": "subscribed after the value",
          "newcomer end; the others end": "the end came before the value",
        ])
    }

    @Test("upstreams that a subject adopts while it completes are disposed")
    func adoptComplete() {
      expectRace(
        setup: { (subject: Subject<Int, RaceFailure>(), first: Subscription(), second: Subscription()) },
        [
          { it in it.subject.adopt(it.first) },
          { it in it.subject.adopt(it.second) },
          { it in it.subject.complete() },
        ],
        outcome: { it in "\(it.first.isDisposed), \(it.second.isDisposed)" },
        allowed: ["true, true": "adopted first, and ended with it; or too late, and ended at once"])
    }

    @Test(
      "J5: a weak send during a subject's last release is delivered or not, and the subscription is disposed")
    func releaseSend() {
      expectRace(
        setup: {
          () -> (
            subject: Place<Subject<Int, RaceFailure>>, weak: Weakly, diary: Diary, subscription: Subscription
          ) in
          let (subject, diary) = (Subject<Int, RaceFailure>(), Diary())
          let subscription = diary.listen(to: subject)
          return (Place(subject), Weakly(subject), diary, subscription)
        },
        [{ it in it.subject.empty() }, { it in it.weak.subject?.send(1) }],
        outcome: { it in "\(it.diary.text); \(it.subscription.isDisposed ? "disposed" : "left alone")" },
        allowed: [
          "1; disposed": "the sender's own reference was the last",
          "nothing; disposed": "released first; that ends subscriptions without an event",
        ])
    }

    private final class Weakly: Sendable {
      weak let subject: Subject<Int, RaceFailure>?
      init(_ subject: Subject<Int, RaceFailure>) { self.subject = subject }
    }
  }
}
