// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import WeirTesting

@testable import Weir

/// A queue, first in, first out.
private struct QueueModel: SequentialModel {
  enum Step: Sendable { case pushed(Int), popped(Int?), wasEmpty(Bool) }
  var items: [Int] = []

  func states(after step: Step) -> [QueueModel] {
    switch step {
    case .pushed(let item): [QueueModel(items: items + [item])]
    case .popped(let item): item == items.first ? [QueueModel(items: Array(items.dropFirst()))] : []
    case .wasEmpty(let answer): answer == items.isEmpty ? [self] : []
    }
  }
}

extension Stress.Histories {
  /// Queues, and the turn.
  @Suite struct Queues {
    private final class Numbered: ScheduledWork {
      let number: Int
      init(_ number: Int) { self.number = number }
      func run() {}
    }

    private final class Work: @unchecked Sendable {  // what is tested
      private let words: UnsafeMutablePointer<UInt64>
      let queue: WorkQueue

      init() {
        words = weir_block_allocate(8 * WorkQueue.wordCount).assumingMemoryBound(to: UInt64.self)
        queue = WorkQueue(words: words)
      }
      deinit {
        queue.destroy()
        weir_block_free(words, 8 * WorkQueue.wordCount)
      }

      func pop() -> Int? { (queue.pop() as? Numbered)?.number }
    }

    @Test("a work queue is linearizable as a first-in, first-out queue")
    func workQueue() {
      expectLinearizable(
        QueueModel(), make: { _ in Work() },
        act: { actor, index in
          let (work, new) = (actor.object, actor.fresh(index))
          switch actor.choose(below: 5) {
          case 0, 1: actor.record { .popped(work.pop()) }
          case 2: actor.record { .wasEmpty(work.queue.isEmpty) }
          default:
            actor.record {
              work.queue.push(Numbered(new))
              return .pushed(new)
            }
          }
        })
    }

    private final class Turned: @unchecked Sendable {  // what is tested
      private let words: UnsafeMutablePointer<UInt64>
      private let turn: DeliveryTurn<Int>
      private let recorder: HistoryRecorder<QueueModel.Step>

      init(_ recorder: HistoryRecorder<QueueModel.Step>) {
        self.recorder = recorder
        words = weir_block_allocate(8 * (2 + DeliveryTurn<Int>.wordCount)).assumingMemoryBound(
          to: UInt64.self)
        turn = DeliveryTurn(words: words + 2)
      }
      deinit {
        turn.destroy()
        weir_block_free(words, 8 * (2 + DeliveryTurn<Int>.wordCount))
      }

      func send(_ item: Int) {
        if turn.enter(as: 1) {
          deliver(item)
          turn.leave()
        } else {
          turn.post(item)
        }
        turn.deliverWaiting(as: 1) { deliver($0) }
      }
      private func deliver(_ item: Int) { recorder.record(on: 3) { .popped(item) } }
    }

    /// The contract: a send puts its item into a queue, at one instant while it runs. Its delivery takes it
    /// out, at one instant while the callback runs, which may be after the send has returned. When all have
    /// returned, nothing is queued.
    @Test("a delivery turn delivers every item sent through it, in order, and leaves none queued")
    func turn() {
      expectLinearizable(
        QueueModel(), make: { Turned($0) },
        act: { actor, index in
          let (turned, new) = (actor.object, actor.fresh(index))
          actor.record {
            turned.send(new)
            return .pushed(new)
          }
        },
        finish: { _, recorder in recorder.record(on: 3) { .wasEmpty(true) } })
    }
  }
}
