// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
@_spi(Benchmarks) import WeirTesting

extension Retention {
  /// Tasks that wait for Weir and are cancelled.
  @Suite struct Tasks {
    private enum Phase: CaseIterable {
      /// Before the task asks for anything.
      case before
      /// While the work is being subscribed.
      case inside
      /// While it waits.
      case waiting
      /// When values have come.
      case midway
      /// When the work has ended.
      case after
      /// Never: the work is released without an event.
      case dropped
    }

    @Test(
      "contract 7: a task cancelled in any phase of Command.run leaves no closures, values or blocks")
    func commands() async {
      await #expect(processExitsWith: .success) {
        // Cancelling a task that is still subscribing uses the pool, whose own blocks stay.
        for _ in 0..<100 { WorkerPool.shared.schedule {} }
        // The first round makes what the process makes once.
        for round in 1...2 {
          for phase in Phase.allCases {
            let (blocks, resources) = (RuntimeMemory.blocks, Resources())
            let outcome = await Self.run(phase, resources)
            #expect(outcome == (phase == .after ? "value" : "interrupted"), "\(phase)")
            // The task has ended; its thread may release what it retained a moment later.
            let patience = ContinuousClock.now + .seconds(20)
            while resources.alive > 0 || RuntimeMemory.blocks > blocks, ContinuousClock.now < patience {
              weir_yield()
            }
            #expect(resources.problem == nil, "\(phase)")
            #expect(round == 1 || RuntimeMemory.blocks == blocks, "\(phase)")
          }
        }
      }
    }

    private static func run(_ phase: Phase, _ resources: Resources) async -> String {
      let work = Box<Subject<Payload, Never>?>(Subject())
      let (starts, hasStarted) = AsyncStream.makeStream(of: Void.self)
      let command = Command<Payload, Payload, Never> { [token = resources.make()] _ in
        _ = token
        return Signal.attaching { sink in
          work.value?.signal.attach(sink)
          if phase == .inside { withUnsafeCurrentTask { $0?.cancel() } }
          hasStarted.finish()
        }
      }
      let task = Task { [token = resources.make()] in
        if phase == .before { withUnsafeCurrentTask { $0?.cancel() } }
        defer { hasStarted.finish() }
        do {
          let answer = try await command.run(resources.make())
          return withExtendedLifetime(token) { answer == nil ? "none" : "value" }
        } catch { return "interrupted" }
      }
      for await _ in starts {}
      if phase == .waiting { task.cancel() }
      work.value?.send(resources.make())
      if phase == .midway { task.cancel() }
      if phase == .dropped { work.value = nil } else { work.value?.complete() }
      let outcome = await task.value
      task.cancel()
      return outcome
    }

    /// The ways in which a task waits for a signal, or a signal for a task.
    private enum Way: CaseIterable {
      case values, chunks, all, first, task, sequence

      func wait(for source: Signal<Payload, Never>) async {
        switch self {
        case .values: for await _ in source.values() {}
        case .chunks: for await _ in source.values().chunks {}
        case .all: _ = await source.allValues()
        case .first: _ = await source.firstValue()
        case .task: await Signal<Payload?, Never>.task { await source.lastValue() }.completion()
        case .sequence: await Signal<Payload, Never>(source.values()).completion()
        }
      }
    }

    @Test(
      "contract 7: a task cancelled in any phase of waiting for a signal leaves no closures, values or blocks"
    )
    func waiting() async {
      await #expect(processExitsWith: .success) {
        // Cancelling a task that is still subscribing uses the pool, whose own blocks stay.
        for _ in 0..<100 { WorkerPool.shared.schedule {} }
        for round in 1...2 {
          for way in Way.allCases {
            for phase in Phase.allCases where phase != .inside {
              let (blocks, resources) = (RuntimeMemory.blocks, Resources())
              await Self.wait(way, phase, resources)
              // A task releases what it retained a moment after it has ended or was cancelled.
              let patience = ContinuousClock.now + .seconds(20)
              while resources.alive > 0 || RuntimeMemory.blocks > blocks, ContinuousClock.now < patience {
                await Task.yield()
              }
              #expect(resources.problem == nil, "\(way), \(phase)")
              #expect(round == 1 || RuntimeMemory.blocks == blocks, "\(way), \(phase)")
            }
          }
        }
      }
    }

    @Test(
      "contract 6 and 7: values buffered for a task respect the bound under each policy, and all are released"
    )
    func overflow() async {
      await #expect(processExitsWith: .success) {
        for overflow in [Overflow<Oops>.dropOldest, .dropNewest, .fail(Oops())] {
          for ending in 0..<4 {
            expectNothingLeft("\(overflow), \(ending)") { resources, _ in
              var subject: Subject<Payload, Oops>? = Subject()
              let iteration = (subject?.values(waiting: .bounded(4, onOverflow: overflow))).map {
                Iteration($0)
              }
              for _ in 0..<100 { subject?.send(resources.make()) }
              let alive = resources.alive
              #expect(alive <= 4)
              switch ending {
              case 0: subject?.complete()
              case 1: subject?.fail(Oops())
              case 2: subject = nil
              default: break
              }
              iteration?.leave()
              withExtendedLifetime(subject) { #expect(resources.problem == nil) }
              return alive
            }
          }
        }
      }
    }

    private static func wait(_ way: Way, _ phase: Phase, _ resources: Resources) async {
      let source = Box<Subject<Payload, Never>?>(Subject())
      let (starts, hasStarted) = AsyncStream.makeStream(of: Void.self)
      let signal = Signal<Payload, Never>.attaching { [token = resources.make()] sink in
        withExtendedLifetime(token) { source.value?.attach(sink) }
        hasStarted.finish()
      }
      let task = Task { [token = resources.make()] in
        if phase == .before { withUnsafeCurrentTask { $0?.cancel() } }
        await way.wait(for: signal)
        hasStarted.finish()
        withExtendedLifetime(token) {}
      }
      for await _ in starts {}
      if phase == .waiting { task.cancel() }
      source.value?.send(resources.make())
      if phase == .midway { task.cancel() }
      if phase == .dropped { source.value = nil } else { source.value?.complete() }
      await task.value
      source.value = nil
      task.cancel()
    }
  }
}
