// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Channels and their terminals.
struct ChannelTests {
  private let channel = Channel<Int, Oops>()

  @Test(
    "M1 AC65: the following terminal begins with the last value sent by the leading one, the leading one with none"
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

  @Test("M1: before anything was sent, the following terminal has nothing to begin with")
  func empty() { #expect(Recorder(channel.following).events.isEmpty) }

  @Test("M3 AC65: what is sent to one terminal comes out at the other, and never at itself")
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
    "M2 J14 AC65: the end of either side ends both, and is told to those who come later",
    arguments: [true, false])
  func end(byLeading: Bool) {
    for completion in [Completion<Oops>.finished, .failed(Oops(code: 4))] {
      let channel = Channel<Int, Oops>()
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

  @Test("M2: the first end counts; a failure that comes second is reported")
  func secondEnd() {
    let recorder = Recorder(channel.leading)
    channel.following.complete()
    channel.leading.fail(Oops(code: 5))
    channel.following.complete()
    #expect(recorder.events == [.completed])
  }

  @Test("M2: what is sent in answer to the end comes too late, also for the side that has yet to be told")
  func answerToEnd() {
    let leading = Recorder(channel.leading)
    channel.following.subscribe(completed: { [back = channel.following] in back.send(1) })
    channel.leading.complete()
    #expect(leading.events == [.completed])
  }

  @Test("M4 DD-25: what a channel has adopted ends when both of its terminals have gone")
  func adoption() {
    let source = Subject<Int, Never>()
    let feeding: Subscription
    do {
      let following: ChannelTerminal<Int, Oops>
      do {
        let channel = Channel<Int, Oops>()
        following = channel.following
        feeding = source.subscribe { [weak end = channel.leading] in end?.send($0) }
        channel.leading.adopt(feeding)
      }
      withExtendedLifetime(following) { #expect(!feeding.isDisposed) }
    }
    #expect(feeding.isDisposed)
  }

  @Test(
    "M2: what feeds a terminal ends with the channel, whichever side is ended, and is not asked after that")
  func feeding() {
    let (first, second) = (Subject<Int, Oops>(), Subject<Int, Oops>())
    let subscriptions = [first.forward(to: channel.leading), second.forward(to: channel.following)]
    let (leading, following) = (Recorder(channel.leading), Recorder(channel.following))
    first.send(1)
    second.send(2)
    #expect(following.values == [1] && leading.values == [2])
    second.complete()
    #expect(subscriptions.allSatisfy { $0.isDisposed })
    #expect(leading.completion == .finished && following.completion == .finished)
    #expect(first.forward(to: channel.leading).isDisposed)
  }

  @Test("a value that a subscriber sends back arrives at the other end, and nobody hears an echo")
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

  @Test(
    "M4: a channel is released with its terminals; subscriptions end without an event and release what they hold"
  )
  func release() {
    let resources = Resources()
    weak var gone: ChannelTerminal<Int, Oops>?
    let events = Counter()
    let subscription: Subscription
    do {
      let channel = Channel<Int, Oops>()
      gone = channel.leading
      subscription = channel.following.subscribe(
        next: { [token = resources.make()] _ in _ = token }, failed: { _ in events.add() },
        completed: { events.add() })
      channel.leading.send(1)
      #expect(resources.alive == 1 && !subscription.isDisposed)
    }
    #expect(gone == nil && subscription.isDisposed && resources.alive == 0 && events.value == 0)
  }

  @Test(
    "M4: two channels that feed each other are released when one of the two subscriptions is disposed and they are dropped"
  )
  func crossed() {
    weak var gone: ChannelTerminal<Int, Oops>?
    do {
      let other = Channel<Int, Oops>()
      let channel = Channel<Int, Oops>()
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

  @Test("M4: two channels that feed each other are released when they end")
  func crossedEnd() {
    weak var gone: ChannelTerminal<Int, Oops>?
    do {
      let (channel, other) = (Channel<Int, Oops>(), Channel<Int, Oops>())
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
