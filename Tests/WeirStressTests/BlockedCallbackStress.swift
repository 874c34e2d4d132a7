// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

/// A hot source that can be told to send.
private struct Crowd: Sendable {
  let name: String
  let make: @Sendable () -> (signal: Signal<Int, Never>, send: @Sendable (Int) -> Void)

  static let all = [
    Crowd(name: "subject") {
      let subject = Subject<Int, Never>()
      return (subject.signal, { subject.send($0) })
    },
    Crowd(name: "replay subject") {
      let subject = ReplaySubject<Int, Never>(capacity: 16)
      for value in 0..<16 { subject.send(-value) }
      return (subject.signal, { subject.send($0) })
    },
    Crowd(name: "current value") {
      let current = CurrentValue<Int, Never>(0)
      return (current.signal, { current.send($0) })
    },
    Crowd(name: "property") {
      let property = MutableProperty(0)
      return (property.signal, { property.value = $0 })
    },
    Crowd(name: "share") {
      let subject = Subject<Int, Never>()
      return (subject.share(), { subject.send($0) })
    },
  ]
}

extension Stress {
  @Suite struct BlockedCallbackStress {
    init() { perturb() }

    /// What may be alive of the subscribers that came and went while the callback blocked: those that fitted
    /// into the array that is walked, and a few blocks: of later arrays, and of pools that open their first
    /// chunks.
    private static let most = (objects: 64, blocks: 20)

    /// In a process of its own: the numbers are exact, and small.
    @Test("contract 2: while a callback blocks, subscribers come and go in bounded memory")
    func blocked() async {
      await #expect(processExitsWith: .success) {
        perturb()
        for crowd in Crowd.all {
          let before = blocksAlive()
          Self.run(crowd)
          #expect(weir_blocks_alive() == before, "\(crowd.name)")
        }
      }
    }

    /// The turn of the source is taken then, but nobody walks its list.
    @Test(
      "contract 2: while a disposal action blocks a source's delivery, subscribers come and go in bounded memory"
    )
    func blockedCleanUp() async {
      await #expect(processExitsWith: .success) {
        perturb()
        let (subject, source) = (Subject<Int, Never>(), Held<Sink<Int, Never>>())
        let resources = Resources()
        let shared = Signal<Int, Never>.attaching { source.value = $0 }.multicast(subject).autoconnect()
        let (gate, entered) = (Counter(), Counter())
        let member = shared.subscribe { _ in source.value = nil }
        member.add(
          ActionDisposable {
            entered.add()
            while gate.value == 0 { weir_yield() }
          })
        let send = source.value?.next
        withThreads(2) { index in
          if index == 0 {
            send?(1)
          } else {
            while entered.value == 0 { weir_yield() }
            Self.comeAndGo(on: subject.signal, "subject", resources)
            gate.add()
          }
        }
        #expect(member.isDisposed && resources.problem == nil)
      }
    }

    /// A value that one thread stores and another thread takes later.
    private final class Held<Value>: @unchecked Sendable { var value: Value? }

    private static func run(_ crowd: Crowd) {
      let (signal, send) = crowd.make()
      let resources = Resources()
      let (gate, entered) = (Counter(), Counter())
      let blocker = signal.subscribe { value in
        if value != 1 { return }
        entered.add()
        while gate.value == 0 { weir_yield() }
      }
      withThreads(2) { index in
        if index == 0 { return send(1) }
        while entered.value == 0 { weir_yield() }
        comeAndGo(on: signal, crowd.name, resources)
        gate.add()
      }
      #expect(resources.problem == nil, "\(crowd.name)")
      blocker.dispose()
    }

    /// Adds and disposes three thousand subscribers with something that `resources` counts.
    private static func comeAndGo(on signal: Signal<Int, Never>, _ name: String, _ resources: Resources) {
      let blocksBefore = blocksAlive()
      var (objects, blocks) = (0, Int64(0))
      for number in 0..<(3_000 * scale) {
        signal.subscribe { [token = resources.make()] _ in _ = token }.dispose()
        if number % 64 == 0 {
          objects = max(objects, resources.alive)
          blocks = max(blocks, weir_blocks_alive() - blocksBefore)
        }
      }
      let seen = "\(name): \(objects) objects, \(blocks) blocks at most while a callback blocked"
      #expect(objects <= most.objects, "\(seen)")
      #expect(blocks <= most.blocks, "\(seen)")
    }
  }
}
