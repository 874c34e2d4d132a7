// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

extension Stress.Races {
  /// Sources that several share: how often they run, and for whom.
  @Suite struct Connections {
    /// A source that counts its runs, and ends with the subject behind it.
    private final class Source: Sendable {
      let subject = Subject<Int, RaceFailure>()
      let (begun, ended) = (Counter(), Counter())

      var signal: Signal<Int, RaceFailure> {
        Signal.create { [subject, begun, ended] observer in
          begun.add()
          let subscription = subject.signal.forward(to: observer)
          return ActionDisposable {
            subscription.dispose()
            ended.add()
          }
        }
      }
      var runs: String { "run \(begun.value), ended \(ended.value)" }
    }

    private final class Published: Sendable {
      let source = Source()
      let connection: MulticastConnection<Int, RaceFailure>
      let diary = Diary()
      let (answer, otherAnswer) = (Place<Subscription>(), Place<Subscription>())

      init() {
        connection = source.signal.publish()
        diary.listen(to: connection.signal)
      }
    }

    private final class Autoconnecting: Sendable {
      let source = Source()
      let connection: MulticastConnection<Int, RaceFailure>
      let (diary, subscription) = (Diary(), Place<Subscription>())

      init() { connection = source.signal.publish() }

      func come() { subscription.put(diary.listen(to: connection.autoconnect())) }
    }

    @Test("L1 L3: concurrent connect calls start one run and return one connection")
    func connectConnect() {
      expectRace(
        setup: { Published() },
        [
          { it in it.answer.put(it.connection.connect()) },
          { it in it.otherAnswer.put(it.connection.connect()) },
        ],
        outcome: { it in
          it.source.subject.send(1)
          let isOne = it.answer.value === it.otherAnswer.value
          return "\(it.source.runs), \(isOne ? "one connection" : "two connections"), \(it.diary.text)"
        },
        allowed: ["run 1, ended 0, one connection, 1": "one of them connects, both get the connection"])
    }

    @Test(
      "L2: when connect races with disposal of the connection, the source does not run, or its run is disposed"
    )
    func connectDispose() {
      expectRace(
        setup: { Published() },
        [{ it in it.connection.connect() }, { it in it.connection.connect().dispose() }],
        outcome: { it in
          it.source.subject.send(1)
          return "\(it.source.runs), \(it.diary.text)"
        },
        allowed: [
          "run 0, ended 0, nothing": "disposed before the one who connects has subscribed",
          "run 1, ended 1, nothing": "disposed after that",
        ])
    }

    @Test(
      "L5: when autoconnect's first subscription races with disposal of the connection, it is disposed, too")
    func autoconnectDispose() {
      expectRace(
        setup: { Autoconnecting() },
        [{ it in it.come() }, { it in it.connection.connect().dispose() }],
        outcome: { it in
          let isOver = it.subscription.value?.isDisposed == true
          return "\(it.source.runs), \(isOver ? "over" : "waiting")"
        },
        allowed: [
          "run 0, ended 0, over": "disposed before the one who connects has subscribed",
          "run 1, ended 1, over": "disposed after that",
        ])
    }

    @Test("a subscriber receives the completion of a source that completes concurrently with connect")
    func connectComplete() {
      expectRace(
        setup: { Published() },
        [{ it in it.connection.connect() }, { it in it.source.subject.complete() }],
        outcome: { it in "\(it.source.runs), \(it.diary.text)" },
        allowed: ["run 1, ended 1, end": "the source tells the end, also when it is subscribed after it"])
    }

    /// A shared signal with one subscriber, and one that is added in the race.
    private final class Shared: Sendable {
      let source = Source()
      let signal: Signal<Int, RaceFailure>
      let (first, late) = (Diary(), Diary())
      let subscription: Subscription
      let lateSubscription = Place<Subscription>()

      init(_ share: (Signal<Int, RaceFailure>) -> Signal<Int, RaceFailure>) {
        signal = share(source.signal)
        subscription = first.listen(to: signal)
      }

      func subscribe() { lateSubscription.put(late.listen(to: signal)) }
      /// Sends a value at the end, and tells what became of it.
      func finish() -> String {
        source.subject.send(9)
        let isOver = lateSubscription.value?.isDisposed == true
        return "\(source.runs); left \(first.text); came \(late.text)\(isOver ? ", over" : "")"
      }
    }

    @Test(
      "L4: when a subscriber arrives as autoconnect's last one leaves, the connection goes on or ends for good"
    )
    func autoconnect() {
      expectRace(
        setup: { Shared { $0.publish().autoconnect() } },
        [{ it in it.subscription.dispose() }, { it in it.subscribe() }],
        outcome: { it in it.finish() },
        allowed: [
          "run 1, ended 0; left nothing; came 9": "the newcomer was counted before the other one left",
          "run 1, ended 1; left nothing; came nothing, over": "the connection was over before he was counted",
        ])
    }

    @Test(
      "share: when a subscriber arrives as the last one leaves, one run is active, and it receives its values"
    )
    func share() {
      expectRace(
        setup: { Shared { $0.share() } },
        [{ it in it.subscription.dispose() }, { it in it.subscribe() }],
        outcome: { it in it.finish() },
        allowed: [
          "run 1, ended 0; left nothing; came 9": "the newcomer was counted before the other one left",
          "run 2, ended 1; left nothing; came 9": "he came after that, and began another run",
        ])
    }

    @Test(
      "share(replay:): when a subscriber arrives as the last one leaves, each gets a concurrent value once at most"
    )
    func shareSend() {
      expectRace(
        setup: { Shared { $0.share(replay: 1) } },
        [
          { it in it.subscription.dispose() },
          { it in it.subscribe() },
          { it in it.source.subject.send(1) },
        ],
        outcome: { it in it.finish() },
        allowed: [
          "run 1, ended 0; left 1; came 1, 9":
            "sent while the first one listened, for both: live, or as history",
          "run 1, ended 0; left nothing; came 1, 9": "sent after the first one left, in the same run",
          "run 2, ended 1; left 1; came 9": "sent to the first run, whose history went with it",
          "run 2, ended 1; left nothing; came 9": "sent between the runs",
          "run 2, ended 1; left nothing; came 1, 9": "sent to the second run",
        ])
    }

    @Test(
      "share: a subscriber that arrives as the source completes receives the completion, also in a run of its own"
    )
    func shareComplete() {
      expectRace(
        setup: { Shared { $0.share() } },
        [{ it in it.source.subject.complete() }, { it in it.subscribe() }],
        outcome: { it in it.finish() },
        allowed: [
          "run 1, ended 1; left end; came end, over": "he came while the run went on",
          "run 2, ended 2; left end; came end, over": "he began another run, of a source that has ended",
        ])
    }
  }
}
