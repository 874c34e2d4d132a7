// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// A serial disposable, whose disposables have numbers.
private struct SlotModel: SequentialModel {
  enum Step: Sendable {
    case swapped(Int, for: Int?)
    case read(Int?)
    case wasDisposed(Bool)
    case disposed
    /// Which numbers are disposed at the end.
    case left(disposed: Set<Int>)
  }
  var held: Int? = 0
  var isDisposed = false
  var disposed: Set<Int> = []

  func states(after step: Step) -> [SlotModel] {
    var after = self
    switch step {
    case .swapped(let new, let answer):
      if answer != held { return [] }
      if isDisposed { after.disposed.insert(new) } else { after.held = new }
    case .read(let answer): if answer != held { return [] }
    case .wasDisposed(let answer): if answer != isDisposed { return [] }
    case .disposed:
      if let held { after.disposed.insert(held) }
      after.held = nil
      after.isDisposed = true
    case .left(let all): if all != disposed { return [] }
    }
    return [after]
  }
}

/// A command: how many executions run, and how many may.
private struct CommandModel: SequentialModel {
  enum Step: Sendable {
    case executed(Bool)
    case finished
    case limited(CommandConcurrency)
    case wasExecuting(Bool)
    case wasEnabled(Bool)
  }
  var running = 0
  var concurrency = CommandConcurrency.one

  private var isEnabled: Bool {
    switch concurrency {
    case .one: running == 0
    case .unlimited: true
    default: running < 2
    }
  }

  func states(after step: Step) -> [CommandModel] {
    var after = self
    switch step {
    case .executed(let isAccepted):
      if isAccepted != isEnabled { return [] }
      if isAccepted { after.running += 1 }
    case .finished: after.running -= 1
    case .limited(let limit): after.concurrency = limit
    case .wasExecuting(let answer): if answer != (running > 0) { return [] }
    case .wasEnabled(let answer): if answer != isEnabled { return [] }
    }
    return [after]
  }
}

extension Stress.Histories {
  /// Things that are decided in one word or one exchange.
  @Suite struct Decisions {
    private final class Slot: Sendable {
      let disposables = (0..<40).map { _ in ActionDisposable {} }
      let serial: SerialDisposable
      init() { serial = SerialDisposable(disposables[0]) }

      func number(_ disposable: (any Disposable)?) -> Int? { disposables.firstIndex { $0 === disposable } }
    }

    @Test("O5 O6: a serial disposable is linearizable")
    func slot() {
      expectLinearizable(
        SlotModel(), make: { _ in Slot() },
        act: { actor, index in
          let (slot, new) = (actor.object, actor.fresh(index))
          switch actor.choose(below: 12) {
          case 0:
            actor.record {
              slot.serial.dispose()
              return .disposed
            }
          case 1, 2, 3: actor.record { .read(slot.number(slot.serial.disposable)) }
          case 4: actor.record { .wasDisposed(slot.serial.isDisposed) }
          default: actor.record { .swapped(new, for: slot.number(slot.serial.swap(slot.disposables[new]))) }
          }
        },
        finish: { slot, recorder in
          recorder.record(on: 3) {
            .left(disposed: Set(slot.disposables.indices.filter { slot.disposables[$0].isDisposed }))
          }
        })
    }

    private final class Commanded: Sendable {
      /// What executions do: the work of each is its input.
      let command = Command<Subject<Int, Never>, Int, Never> { $0.signal }
      /// Executions that have begun, by thread.
      let begun = (0..<3).map { _ in Place<Subject<Int, Never>>() }
    }

    @Test("K3 K4: a command accepts an execution exactly when its concurrency allows one more")
    func command() {
      expectLinearizable(
        CommandModel(), make: { _ in Commanded() },
        act: { actor, index in
          let (command, begun) = (actor.object.command, actor.object.begun[actor.thread])
          if let work = begun.value {
            begun.empty()
            return actor.record {
              work.complete()
              return .finished
            }
          }
          switch actor.choose(below: 8) {
          case 0:
            actor.record {
              command.concurrency = .unlimited
              return .limited(.unlimited)
            }
          case 1:
            actor.record {
              let limit: CommandConcurrency = index % 2 == 0 ? .one : .limit(2)
              command.concurrency = limit
              return .limited(limit)
            }
          case 2: actor.record { .wasExecuting(command.isExecuting) }
          case 3: actor.record { .wasEnabled(command.isEnabled) }
          default:
            let work = Subject<Int, Never>()
            let refusals = Counter()
            actor.record {
              command.execute(work).subscribe(failed: { _ in refusals.add() })
              return .executed(refusals.value == 0)
            }
            if refusals.value == 0 { begun.put(work) }
          }
        })
    }
  }
}
