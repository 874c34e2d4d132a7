// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

/// What a source stores of a sink: words with one layout for receivers of both kinds and the untyped handler.
struct HandlerTests {
  /// Where the route of a handler is, and where the rest of it.
  enum Placement: CaseIterable {
    case together, apart

    func handler(in words: UnsafeMutablePointer<UInt64>) -> AnyHandler {
      switch self {
      case .together: AnyHandler(at: words)
      case .apart: AnyHandler(AnyReceiver(AnyStoredRoute(at: words + 5), rear: words + 1))
      }
    }
  }

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
      frame.terminate(.completed)
    }
    return .step(step, frame)
  }

  /// A handler of a sink with that route; its `terminate` and its subscription retain a resource each.
  private func withHandler(
    _ placement: Placement, to route: Sink<Int, Oops>.Route, _ body: (Handler<Int, Oops>) -> Void
  ) {
    withWords(2 + AnyHandler.wordCount) { words in
      let handler = Handler<Int, Oops>(placement.handler(in: words))
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

  @Test("routes of both kinds have one size, and report whether they have a frame")
  func layout() {
    let routeSize = 8 * AnyStoredRoute.wordCount
    #expect(MemoryLayout<ClosureRoute<Int>>.size == routeSize)
    #expect(MemoryLayout<StepRoute<String, Never>>.size == routeSize)
    #expect(MemoryLayout<EndingRoute<Oops>>.size + MemoryLayout<HandlerRun>.size == AnyHandler.rearSize)
    #expect(routeSize + AnyHandler.rearSize == 8 * AnyHandler.wordCount)
    #expect(MemoryLayout<AnyReceiver.Words>.size == 8 * AnyReceiver.wordCount)
    withHandler(.together, to: toClosure) {
      #expect(!$0.receiver.route.any.hasFrame)
      $0.any.destroy()
    }
    withHandler(.apart, to: toStep) {
      #expect($0.receiver.route.any.hasFrame)
      $0.any.destroy()
    }
  }

  @Test("the payload of an entry has room for a handler")
  func room() {
    let payload = (MemoryLayout<SnapshotFront>.size - 8, SnapshotEntry.ordinalOffset)
    #expect(payload == (8 * AnyStoredRoute.wordCount, AnyHandler.rearSize))
  }

  @Test(
    "a handler of a closure delivers a value, completion and disposal, and releases all three parts",
    arguments: Placement.allCases)
  func ofClosure(placement: Placement) {
    withHandler(placement, to: toClosure) { deliver(through: $0, holding: 3) }
    #expect(log.value == ["closure 7", "end"])
    #expect(resources.problem == nil)
  }

  @Test(
    "a handler of a step delivers with its frame, and releases all four parts", arguments: Placement.allCases)
  func ofStep(placement: Placement) {
    withHandler(placement, to: toStep) { deliver(through: $0, holding: 4) }
    #expect(log.value == ["step 7", "frame", "end"])
    #expect(resources.problem == nil)
  }

  private func deliver(through handler: Handler<Int, Oops>, holding count: Int) {
    handler.next(7)
    handler.terminate(.completed)
    #expect(!handler.isDisposed)
    handler.any.dispose()
    #expect(handler.isDisposed)
    #expect(resources.alive == count)
    handler.any.destroy()
  }
}
