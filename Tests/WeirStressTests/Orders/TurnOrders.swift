// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

/// Work that touches itself, and what all work of a scheduler shares.
final class Piece: ScheduledWork {
  private let (own, shared): (Unguarded, Unguarded)
  init(_ shared: Unguarded = Unguarded()) { (own, self.shared) = (Unguarded(), shared) }

  func run() {
    own.touch()
    shared.touch()
  }
  func abandon() { own.touch() }
}

extension Stress.Orders {
  /// A turn whose holders share something.
  private final class Delivery: Sendable {
    private let words = Words(2 + DeliveryTurn<Parcel>.wordCount)
    private let shared = Unguarded()
    private let turn: DeliveryTurn<Parcel>

    init() {
      turn = DeliveryTurn(words: words.words + 2)
      // Allocates the nodes: allocating them later would order threads.
      for _ in 0..<4 { turn.post(Parcel()) }
      deliverWaiting()
    }
    deinit { turn.destroy() }

    static func entered() -> Delivery {
      let delivery = Delivery()
      _ = delivery.enter()
      return delivery
    }

    func deliver() {
      if enter() { finish() } else { turn.post(Parcel()) }
      deliverWaiting()
    }

    private func enter() -> Bool { turn.enter(as: 1) }

    /// What a thread that has entered does.
    func finish() {
      shared.touch()
      turn.leave()
      deliverWaiting()
    }

    private func deliverWaiting() {
      turn.deliverWaiting(as: 1) {
        $0.content.touch()
        shared.touch()
      }
    }
  }

  @Test("the holder of a delivery turn sees each item whole and the writes of the holder before")
  func deliveryTurn() {
    expectOrdered(
      setup: { Delivery() },
      [
        { it in it.deliver() },
        { it in for _ in 0..<2 { it.deliver() } },
      ])
  }

  @Test("a thread that posts an item and finds that the turn's holder has left sees each item whole")
  func deliveryTurnThatIsLeft() {
    expectOrdered(
      setup: { Delivery.entered() },
      between: [{ it in it.finish() }],
      and: [{ it in it.deliver() }])
  }

  /// A queue reduced to the role of its consumer.
  private final class Consumed: Sendable {
    private let words = Words(1)
    private let (queue, reason) = (Unguarded(), Unguarded())
    private var role: DrainRole { DrainRole(AtomicWord(words.words)) }

    /// Appends, and does what has to be done then.
    func append() {
      switch role.request() {
      case .nothing: return
      case .schedule: if role.begin() { consume() }
      case .cleanUp: cleanUp()
      }
    }

    func consumeAtOnce() { if role.enter() { consume() } }

    func consumeTwice() {
      guard role.enter() else { return }
      queue.touch()
      guard role.leaveScheduled() else { return end() }
      if role.begin() { consume() }
    }

    func cut() {
      reason.touch()
      role.setCut()
      append()
    }

    func dispose() { if role.end().isConsumer { cleanUp() } }

    private func consume() {
      queue.touch()
      if !role.leave() { end() }
    }

    private func end() {
      if role.isCut, !role.isEnded { reason.touch() }
      _ = role.end()
      cleanUp()
    }

    private func cleanUp() {
      for _ in 0..<2 {
        queue.touch()
        role.leaveEnded()
        if !role.enterEnded() { return }
      }
      role.leaveEnded()
    }
  }

  private static let fillings: [@Sendable (Consumed) -> Void] = [
    { it in it.append() },
    { it in it.cut() },
  ]
  private static let emptyings: [@Sendable (Consumed) -> Void] = [
    { it in it.consumeAtOnce() },
    { it in it.consumeTwice() },
    { it in it.dispose() },
  ]

  @Test(
    "the consumer of a queue sees the writes of the consumer before and the reason for which the queue was cut"
  )
  func drainRole() {
    expectOrdered(setup: { Consumed() }, between: Self.fillings, and: Self.emptyings)
    expectOrdered(setup: { Consumed() }, Self.emptyings)
  }

  private final class Turn: Sendable {
    private let words = Words(WorkTurn.wordCount)
    let shared = Unguarded()
    let turn: WorkTurn

    init() {
      turn = WorkTurn(words: words.words)
      for _ in 0..<4 { push() }
    }
    deinit { turn.destroy() }

    func push() { if turn.push(Piece(shared)) { run() } }

    /// What a serial scheduler does with the turn.
    private func run() {
      while true {
        var left = 8
        switch turn.run(atMost: &left, waking: {}) {
        case .limit: continue
        case .empty: if turn.leave() { return }
        case .ended: return
        }
      }
    }
  }

  @Test("work of a serial scheduler sees the writes of the work before it; abandoned work is seen whole")
  func workTurn() {
    expectOrdered(
      setup: { Turn() },
      [
        { it in it.push() },
        { it in for _ in 0..<2 { it.push() } },
        { it in _ = it.turn.end() },
      ])
  }

  @Test("work pushed by one thread and taken by another is seen whole by a third thread that abandons it")
  func workTurnOfThree() {
    expectOrdered(setup: { Turn() }, { $0.push() }, by: { $0.push() }, then: { _ = $0.turn.end() })
  }
}
