// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

/// What a source stores of a sink: words with one layout for receivers of both kinds and the untyped handler.
struct HandlerTests {
  private let resources = Resources()
  private let log = Box<[String]>([])

  /// Values go to a closure, which retains a resource.
  private var toClosure: Sink<Int, Oops>.Route {
    .closure { [held = resources.make(), log] value in
      withExtendedLifetime(held) { log.value.append("closure \(value)") }
    }
  }

  /// Values go to a step, which retains a resource, as does its frame.
  private var toStep: Sink<Int, Oops>.Route {
    let frame = Frame<Oops> { [held = resources.make(), log] _ in
      withExtendedLifetime(held) { log.value.append("frame") }
    }
    let step: Step<Int, Oops> = { [held = resources.make(), log] value, frame in
      withExtendedLifetime(held) { log.value.append("step \(value)") }
      frame.terminate(.finished)
    }
    return .step(step, frame)
  }

  /// A handler of a sink with that route; its `terminate` and its subscription retain a resource each.
  private func withHandler(
    to route: Sink<Int, Oops>.Route, _ body: (Handler<Int, Oops>) -> Void
  ) {
    withWords(Handler<Int, Oops>.wordCount) { words in
      let handler = Handler<Int, Oops>(at: words)
      let subscription = resources.follow(Subscription())
      let terminate: @Sendable (Completion<Oops>) -> Void = { [held = resources.make(), log] _ in
        withExtendedLifetime(held) { log.value.append("end") }
      }
      handler.initialize(
        to: Sink(
          route: route, gate: .missing, ending: .early, terminate: terminate, subscription: subscription))
      body(handler)
    }
  }

  @Test("receivers of both kinds end at the offset of the run, and report whether they have a frame")
  func layout() {
    #expect(MemoryLayout<ClosureReceiver<Int, Oops>>.size == AnyHandler.runOffset)
    #expect(MemoryLayout<StepReceiver<String, Never>>.size == AnyHandler.runOffset)
    #expect(AnyHandler.runOffset + MemoryLayout<HandlerRun>.size == 8 * AnyHandler.wordCount)
    #expect(AnyHandler.wordCount <= SnapshotEntry.payloadWords)
    withHandler(to: toClosure) {
      #expect(!$0.receiver.any.hasFrame)
      $0.any.destroy()
    }
    withHandler(to: toStep) {
      #expect($0.receiver.any.hasFrame)
      $0.any.destroy()
    }
  }

  @Test("a handler of a closure delivers a value, completion and disposal, and releases all three parts")
  func ofClosure() {
    withHandler(to: toClosure) { deliver(through: $0, holding: 3) }
    #expect(log.value == ["closure 7", "end"])
    #expect(resources.problem == nil)
  }

  @Test("a handler of a step delivers with its frame, and releases all four parts")
  func ofStep() {
    withHandler(to: toStep) { deliver(through: $0, holding: 4) }
    #expect(log.value == ["step 7", "frame", "end"])
    #expect(resources.problem == nil)
  }

  private func deliver(through handler: Handler<Int, Oops>, holding count: Int) {
    handler.next(7)
    handler.terminate(.finished)
    #expect(!handler.isDisposed)
    handler.any.dispose()
    #expect(handler.isDisposed)
    #expect(resources.alive == count)
    handler.any.destroy()
  }
}
