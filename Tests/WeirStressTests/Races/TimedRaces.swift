// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

extension Stress.Races {
  /// Operators that change threads or wait: the work of a scheduler in virtual time races with other threads.
  @Suite struct Timed {
    /// A subject whose values go through an operator of a scheduler in virtual time.
    private final class Stage: Sendable {
      let (time, subject) = (VirtualScheduler(), Subject<Int, RaceFailure>())
      let diary = Diary()
      let resources = Resources()
      let subscription: Subscription

      init(_ apply: (Signal<Int, RaceFailure>, VirtualScheduler) -> Signal<Int, RaceFailure>) {
        let token = resources.make()
        subscription = diary.listen(
          to: apply(subject.signal, time).map { value in
            _ = token
            return value
          })
      }

      var text: String {
        "\(diary.text); waiting \(time.waitingCount)\(resources.alive > 0 ? "; leaks" : "")"
      }
    }

    private func sent(
      _ apply: @escaping @Sendable (Signal<Int, RaceFailure>, VirtualScheduler) -> Signal<Int, RaceFailure>
    ) -> @Sendable () -> Stage {
      {
        let stage = Stage(apply)
        stage.subject.send(1)
        stage.subject.send(2)
        return stage
      }
    }

    @Test("observe(on:) disposed during the drain delivers a prefix and releases everything")
    func drainDispose() {
      expectRace(
        setup: sent { $0.observe(on: $1) },
        [{ it in it.time.run() }, { it in it.subscription.dispose() }],
        outcome: { it in it.text },
        allowed: [
          "nothing; waiting 0": "disposed before the drain",
          "1; waiting 0": "disposed between the values, or while the first was delivered",
          "1, 2; waiting 0": "disposed after that",
        ])
    }

    @Test(
      "observe(on:) disposed during the drain, a send and a completion delivers a prefix and releases everything"
    )
    func drainSendDispose() {
      expectRace(
        setup: sent { $0.observe(on: $1) },
        [
          { it in it.time.run() },
          { it in
            it.subject.send(3)
            it.subject.complete()
          },
          { it in it.subscription.dispose() },
        ],
        outcome: { it in
          let during = it.text
          it.time.run()
          return it.text == during || during.contains("waiting 1") ? it.text : "\(during), then \(it.text)"
        },
        allowed: [
          "nothing; waiting 0": "disposed before the drain",
          "1; waiting 0": "disposed after the first value",
          "1, 2; waiting 0": "disposed after the second",
          "1, 2, 3; waiting 0": "disposed after the third",
          "1, 2, 3, end; waiting 0": "disposed last",
        ])
    }

    @Test("E4: delay disposed as its timer fires delivers a prefix and releases everything")
    func delayDispose() {
      expectRace(
        setup: sent { $0.delay(.seconds(1), on: $1) },
        [{ it in it.time.advance(by: .seconds(1)) }, { it in it.subscription.dispose() }],
        outcome: { it in it.text },
        allowed: [
          "nothing; waiting 0": "disposed before the timer",
          "1; waiting 0": "disposed between the values, or while the first was delivered",
          "1, 2; waiting 0": "disposed after that",
        ])
    }

    @Test("debounce delivers both values or just the newer one when its timer fires as the newer one arrives")
    func debounceSend() {
      expectRace(
        setup: sent { $0.debounce(.seconds(1), on: $1) },
        [{ it in it.time.advance(by: .seconds(1)) }, { it in it.subject.send(3) }],
        outcome: { it in
          it.time.run()
          it.subscription.dispose()
          return it.text
        },
        allowed: [
          "2, 3; waiting 0": "the timer came first",
          "3; waiting 0": "the newer value came first, and replaced the one that waited",
        ])
    }

    @Test("E5: timeout delivers one terminal event when its timer fires during a send and a completion")
    func timeoutSend() {
      expectRace(
        setup: sent { $0.timeout(.deadline(.seconds(1)), on: $1, failing: RaceFailure()) },
        [
          { it in it.time.advance(by: .seconds(1)) },
          { it in
            it.subject.send(3)
            it.subject.complete()
          },
        ],
        outcome: { it in
          // The timer that meets the value is set again, for at once.
          it.time.run()
          return it.text
        },
        allowed: [
          "1, 2, failure; waiting 0": "timed out before the value",
          "1, 2, 3, failure; waiting 0": "timed out while the value was delivered, or between it and the end",
          "1, 2, 3, end; waiting 0": "the end came first",
        ])
    }

    @Test("timeout delivers no value of the source after one of the signal that it switches to")
    func timeoutSwitchSend() {
      expectRace(
        setup: sent {
          $0.timeout(
            .deadline(.seconds(1)), on: $1, switchingTo: Signal<Int, RaceFailure>.never().startWith(9))
        },
        [{ it in it.time.advance(by: .seconds(1)) }, { it in it.subject.send(3) }],
        outcome: { it in
          // The timer that meets the value is set again, for at once.
          it.time.run()
          it.subscription.dispose()
          return it.text
        },
        allowed: [
          "1, 2, 9; waiting 0": "timed out before the value, or while it waited",
          "1, 2, 3, 9; waiting 0": "timed out after the value, or while it was delivered",
        ])
    }
  }
}
