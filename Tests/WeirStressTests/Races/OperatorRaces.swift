// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir

extension Stress.Races {
  /// Operators with several upstreams.
  @Suite struct Operators {
    /// Two subjects, and an operator that combines them.
    private final class Stage: Sendable {
      let (first, second) = (Subject<Int, RaceFailure>(), Subject<Int, RaceFailure>())
      let diary = Diary()
      let subscription: Subscription

      init(
        _ combine: (Subject<Int, RaceFailure>, Subject<Int, RaceFailure>) -> Signal<Int, RaceFailure>
      ) { subscription = diary.listen(to: combine(first, second)) }

      var text: String { "\(diary.text)\(subscription.isDisposed ? "" : ", goes on")" }
    }

    @Test(
      "C8: merge delivers both values, then completes, when its two sources send and complete concurrently")
    func mergeSend() {
      expectRace(
        setup: { Stage { $0.merge(with: $1) } },
        [
          { it in
            it.first.send(1)
            it.first.complete()
          },
          { it in
            it.second.send(2)
            it.second.complete()
          },
        ],
        outcome: { it in it.text },
        allowed: ["1, 2, end": "in this order", "2, 1, end": "in the other order"])
    }

    @Test(
      "C5: combineLatest of concurrent sends ends with both values, and no row is older than the one before")
    func latestRow() {
      expectRace(
        setup: { () -> Stage in
          let stage = Stage { $0.combineLatest(with: $1).map { 10 * $0 + $1 } }
          stage.first.send(1)
          stage.second.send(1)
          return stage
        },
        [{ it in it.first.send(2) }, { it in it.second.send(2) }],
        outcome: { it in it.diary.text },
        allowed: ["11, 21, 22": "first, second", "11, 12, 22": "second, first"])
    }

    @Test("D1: take(until:) delivers a value concurrent with the trigger before the completion or not at all")
    func triggerSend() {
      expectRace(
        setup: { Stage { $0.take(until: $1) } },
        [{ it in it.first.send(1) }, { it in it.second.send(0) }],
        outcome: { it in
          it.first.send(2)
          return it.text
        },
        allowed: ["1, end": "sent before the trigger", "end": "sent after it"])
    }

    @Test("race delivers the values of the source that sends first, and none of the other")
    func firstWins() {
      expectRace(
        setup: { Stage { $0.race(with: $1) } },
        [{ it in it.first.send(1) }, { it in it.second.send(2) }],
        outcome: { it in
          it.first.send(3)
          it.second.send(4)
          return it.text
        },
        allowed: ["1, 3, goes on": "the first won", "2, 4, goes on": "the second won"])
    }

    @Test(
      "G4: switchToLatest delivers no value of the old inner signal after a concurrent switch"
    )
    func switchSend() {
      expectRace(
        setup: { () -> (outer: Subject<Int, RaceFailure>, inner: [Subject<Int, RaceFailure>], diary: Diary) in
          let outer = Subject<Int, RaceFailure>()
          let inner = (0..<2).map { _ in Subject<Int, RaceFailure>() }
          let diary = Diary()
          diary.listen(to: outer.map { [inner] in inner[$0].startWith(10 * $0) }.switchToLatest())
          outer.send(0)
          return (outer, inner, diary)
        },
        [{ it in it.outer.send(1) }, { it in it.inner[0].send(1) }],
        outcome: { it in
          it.inner[0].send(2)
          it.inner[1].send(11)
          return it.diary.text
        },
        allowed: [
          "0, 1, 10, 11": "sent before the switch",
          "0, 10, 11": "sent after it, or while it was made",
        ])
    }
  }
}
