// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Recipes.md says of topics that are subscribed at a broker as long as somebody listens.
struct TopicRecipeTests {
  private let frames = Subject<Recipes.Frame, Never>()
  private let sent = Box<[String]>([])

  private func topics() -> Recipes.Topics {
    Recipes.Topics(frames.signal) { [sent] in sent.value.append($0) }
  }

  @Test("a topic is subscribed for its first listener, and no more when the last one has left; then again")
  func listeners() {
    let topics = topics()
    let listeners = ["a", "a", "b"].map { Recorder(topics.topic($0)) }
    frames.send(Recipes.Frame(topic: "a", number: 1))
    frames.send(Recipes.Frame(topic: "c", number: 2))
    #expect(listeners.map { $0.values.map(\.number) } == [[1], [1], []])
    listeners[0].dispose()
    #expect(sent.value == ["SUB a", "SUB b"])
    listeners[1].dispose()
    #expect(sent.value == ["SUB a", "SUB b", "UNSUB a"])
    Recorder(topics.topic("a")).dispose()
    #expect(sent.value == ["SUB a", "SUB b", "UNSUB a", "SUB a", "UNSUB a"])
  }

  @Test("the end of the frames ends all listeners, and sends UNSUB; the topics may be released before")
  func end() {
    var topics: Recipes.Topics? = topics()
    let listener = topics.map { Recorder($0.topic("a")) }
    topics = nil
    frames.complete()
    #expect(listener?.completion == .completed)
    #expect(sent.value == ["SUB a", "UNSUB a"])
  }

  @Test("a frame that is sent inside of `send` comes too early for the first listener")
  func early() {
    let topics = Recipes.Topics(frames.signal) { [frames] _ in
      frames.send(Recipes.Frame(topic: "a", number: 1))
    }
    let listener = Recorder(topics.topic("a"))
    #expect(listener.values.isEmpty)
    frames.send(Recipes.Frame(topic: "a", number: 2))
    #expect(listener.values.map(\.number) == [2])
  }

  @Test("three threads that come and go: SUB and UNSUB alternate, and the last one is UNSUB")
  func threads() {
    let topics = topics()
    withThreads(3) { _ in
      for _ in 0..<2_000 { topics.topic("a").subscribe { _ in }.dispose() }
    }
    let expected = (0..<sent.value.count / 2).flatMap { _ in ["SUB a", "UNSUB a"] }
    #expect(sent.value == expected && !expected.isEmpty)
  }
}
