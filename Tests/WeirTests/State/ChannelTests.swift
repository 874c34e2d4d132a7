// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Channels and their terminals.
struct ChannelTests {
  private let channel = TwoWayChannel<Int, Oops>()

  @Test(
    "M1 AC65: the following terminal replays the last value sent to the leading one; the leading one replays none"
  )
  func replay() {
    channel.leading.send(1)
    channel.leading.send(2)
    channel.following.send(10)
    let (leading, following) = (Recorder(channel.leading), Recorder(channel.following))
    #expect(following.values == [2] && leading.values == [])
    channel.leading.send(3)
    channel.following.send(11)
    #expect(following.values == [2, 3] && leading.values == [11])
  }

  @Test("M1: the following terminal replays nothing before a value has been sent")
  func empty() { #expect(Recorder(channel.following).events.isEmpty) }

  @Test("M3 AC65: a value sent to one terminal is delivered by the other, and not echoed by the first")
  func noEcho() {
    let (leading, following) = (Recorder(channel.leading), Recorder(channel.following))
    for value in 1...3 {
      channel.leading.send(value)
      channel.following.send(-value)
    }
    #expect(following.values == [1, 2, 3] && leading.values == [-1, -2, -3])
    channel.following.send(.next(7))
    #expect(leading.values.last == 7 && Recorder(channel.following).values == [3])
  }

  @Test(
    "M2 J14 AC65: completion or failure of either terminal ends both, and is delivered to later subscribers",
    arguments: [true, false])
  func end(byLeading: Bool) {
    for completion in [Completion<Oops>.completed, .failed(Oops(code: 4))] {
      let channel = TwoWayChannel<Int, Oops>()
      let (leading, following) = (Recorder(channel.leading), Recorder(channel.following))
      channel.leading.send(1)
      (byLeading ? channel.leading : channel.following).terminate(completion)
      channel.leading.send(2)
      channel.following.send(3)
      let (lateLeading, lateFollowing) = (Recorder(channel.leading), Recorder(channel.following))
      #expect(leading.events == [Event(completion)] && lateLeading.events == [Event(completion)])
      #expect(following.events == [.next(1), Event(completion)])
      #expect(lateFollowing.events == [.next(1), Event(completion)])
    }
  }

  @Test(
    "M2: only the first terminal event is delivered; a later completion is dropped, a failure is reported")
  func secondEnd() async {
    await #expect(processExitsWith: .success) {
      let reported = Box<[Int]>([])
      UnhandledErrors.setHandler { reported.value.append(($0.error as? Oops)?.code ?? -1) }
      let channel = TwoWayChannel<Int, Oops>()
      let (leading, following) = (Recorder(channel.leading), Recorder(channel.following))
      channel.following.complete()
      #expect(reported.value == [])
      channel.leading.fail(Oops(code: 5))
      channel.following.fail(Oops(code: 6))
      channel.following.complete()
      #expect(leading.events == [.completed] && following.events == [.completed])
      #expect(reported.value == [5, 6])
    }
  }

  @Test("M2: a value sent in a completion handler is dropped, even if the other terminal has yet to complete")
  func answerToEnd() {
    let leading = Recorder(channel.leading)
    channel.following.subscribe(completed: { [back = channel.following] in back.send(1) })
    channel.leading.complete()
    #expect(leading.events == [.completed])
  }

  @Test(
    "M2: an end ends what feeds the channel first, then the other side, then that of the sender",
    arguments: [true, false])
  func orderOfEnds(byLeading: Bool) {
    let (sender, other) =
      byLeading ? (channel.leading, channel.following) : (channel.following, channel.leading)
    let (log, feeding) = (Box<[String]>([]), Subscription())
    feeding.add(ActionDisposable { log.value.append("feeding") })
    sender.adopt(feeding)
    sender.subscribe(completed: { log.value.append("sender") })
    other.subscribe(completed: { log.value.append("other") })
    sender.complete()
    #expect(log.value == ["feeding", "other", "sender"])
  }

  @Test("the sender's side ends after the other one, also if that is just getting a value")
  func orderOfEndsInDelivery() {
    let log = Box<[String]>([])
    channel.leading.subscribe(completed: { log.value.append("sender") })
    channel.following.subscribe(
      next: { [channel] _ in channel.leading.complete() }, completed: { log.value.append("other") })
    channel.leading.send(1)
    #expect(log.value == ["other", "sender"])
  }

  @Test(
    "M4 DD-25: a subscription that a terminal adopts is disposed only when both terminals have been released")
  func adoption() {
    let source = Subject<Int, Never>()
    let feeding: Subscription
    do {
      let following: ChannelTerminal<Int, Oops>
      do {
        let channel = TwoWayChannel<Int, Oops>()
        following = channel.following
        feeding = source.subscribe { [weak end = channel.leading] in end?.send($0) }
        channel.leading.adopt(feeding)
      }
      withExtendedLifetime(following) { #expect(!feeding.isDisposed) }
    }
    #expect(feeding.isDisposed)
  }

  @Test(
    "M2: completion of one source ends the channel and what feeds either terminal; later forwarding ends at once"
  )
  func feeding() {
    let (first, second) = (Subject<Int, Oops>(), Subject<Int, Oops>())
    let subscriptions = [first.forward(to: channel.leading), second.forward(to: channel.following)]
    let (leading, following) = (Recorder(channel.leading), Recorder(channel.following))
    first.send(1)
    second.send(2)
    #expect(following.values == [1] && leading.values == [2])
    second.complete()
    #expect(subscriptions.allSatisfy { $0.isDisposed })
    #expect(leading.completion == .completed && following.completion == .completed)
    #expect(first.forward(to: channel.leading).isDisposed)
  }

  @Test("a value that a subscriber sends back reaches the other terminal and is not echoed")
  func nested() {
    let leading = Recorder(channel.leading)
    let values = Box<[Int]>([])
    let back = channel.following
    _ = channel.following.subscribe(next: { value in
      values.value.append(value)
      if value < 100 { back.send(value * 100) }
    })
    channel.leading.send(1)
    #expect(values.value == [1] && leading.values == [100])
  }

  @Test("M4: releasing a channel deallocates its terminals, and ends subscriptions without an event")
  func release() {
    let resources = Resources()
    weak var gone: ChannelTerminal<Int, Oops>?
    let events = Counter()
    let subscription: Subscription
    do {
      let channel = TwoWayChannel<Int, Oops>()
      gone = channel.leading
      subscription = channel.following.subscribe(
        next: { [token = resources.make()] _ in _ = token }, failed: { _ in events.add() },
        completed: { events.add() })
      channel.leading.send(1)
      #expect(resources.alive == 1 && !subscription.isDisposed)
    }
    #expect(gone == nil && subscription.isDisposed && resources.alive == 0 && events.value == 0)
  }

  @Test("M4: a signal made of a terminal and another signal does not retain the channel")
  func combined() {
    let other = Subject<Int, Oops>()
    let combinations: [(ChannelTerminal<Int, Oops>) -> Signal<Int, Oops>] = [
      { $0.map { $0 } }, { $0.merge(with: other) }, { other.merge(with: $0) }, { $0.race(with: other) },
      { .race(other, $0) }, { $0.concat(other) }, { $0.combineLatest(with: other).map { $0.0 } },
      { $0.zip(with: other).map { $0.0 } }, { $0.take(until: other) }, { other.sample(on: $0) },
    ]
    for combine in combinations {
      weak var gone: ChannelTerminal<Int, Oops>?
      let adopted = Subscription()
      let signal: Signal<Int, Oops>
      do {
        let channel = TwoWayChannel<Int, Oops>()
        gone = channel.leading
        channel.leading.adopt(adopted)
        signal = combine(channel.leading)
      }
      withExtendedLifetime(signal) { #expect(gone == nil && adopted.isDisposed) }
    }
  }

  @Test("M4: two channels that feed each other are deallocated once both subscriptions are disposed")
  func crossed() {
    weak var gone: ChannelTerminal<Int, Oops>?
    do {
      let other = TwoWayChannel<Int, Oops>()
      let channel = TwoWayChannel<Int, Oops>()
      gone = channel.leading
      let subscriptions = [
        channel.following.forward(to: other.leading), other.leading.forward(to: channel.following),
      ]
      let (near, far) = (Recorder(channel.leading), Recorder(other.following))
      channel.leading.send(1)
      other.following.send(2)
      #expect(near.values == [2] && far.values == [1])
      for subscription in subscriptions { subscription.dispose() }
    }
    #expect(gone == nil)
  }

  @Test("M4: two channels that feed each other are deallocated after completion")
  func crossedEnd() {
    weak var gone: ChannelTerminal<Int, Oops>?
    do {
      let (channel, other) = (TwoWayChannel<Int, Oops>(), TwoWayChannel<Int, Oops>())
      gone = channel.leading
      channel.following.forward(to: other.leading)
      other.leading.forward(to: channel.following)
      let far = Recorder(other.following)
      channel.leading.complete()
      #expect(far.events == [.completed])
    }
    #expect(gone == nil)
  }
}
