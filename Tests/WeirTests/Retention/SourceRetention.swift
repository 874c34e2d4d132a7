// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// A kind of hot source of counted values.
private struct HotSource: Sendable {
  struct Instance: Sendable {
    let signal: Signal<Payload, Oops>
    let send: @Sendable (Payload) -> Void
    /// Nil if it ends with its owner only.
    let end: (@Sendable (Completion<Oops>) -> Void)?
  }

  let name: String
  /// A new one. Sources that always have a value begin with the one given.
  let make: @Sendable (Payload) -> Instance

  /// A subject, used through what `derive` makes of it.
  static func of<Hub: ObserverProtocol & SignalConvertible>(
    _ name: String, _ hub: @escaping @Sendable () -> Hub,
    _ derive: @escaping @Sendable (Hub) -> Signal<Payload, Oops> = { $0.signal }
  ) -> HotSource where Hub.Value == Payload, Hub.Failure == Oops {
    HotSource(name: name) { _ in
      let hub = hub()
      return Instance(signal: derive(hub), send: { hub.send($0) }, end: { hub.terminate($0) })
    }
  }

  static var all: [HotSource] {
    let subject: @Sendable () -> Subject<Payload, Oops> = { Subject() }
    let capacities: [ReplayCapacity] = [0, 3, .unbounded, .within(.seconds(3_600), last: 2)]
    return capacities.map { capacity in of("replay subject") { ReplaySubject(capacity: capacity) } } + [
      of("subject", subject),
      of("unserialized subject", { UnserializedSubject() }),
      HotSource(name: "current value") { first in
        let current = CurrentValue<Payload, Oops>(first)
        return Instance(signal: current.signal, send: { current.send($0) }, end: { current.terminate($0) })
      },
      HotSource(name: "property") { first in
        let property = MutableProperty(first)
        return Instance(
          signal: property.signal.setFailureType(to: Oops.self), send: { property.value = $0 }, end: nil)
      },
      HotSource(name: "derived property") { first in
        let property = MutableProperty(first)
        let derived = property.map { $0 }.combined(with: property)
        return Instance(
          signal: derived.signal.map(\.0).setFailureType(to: Oops.self), send: { property.value = $0 },
          end: nil)
      },
      HotSource(name: "channel") { _ in
        let channel = TwoWayChannel<Payload, Oops>()
        return Instance(
          signal: channel.following.signal, send: { channel.leading.send($0) },
          end: { channel.leading.terminate($0) })
      },
      of("publish", subject) { $0.publish().autoconnect() },
      of("replay", subject) { $0.replay() },
      of("replayLast", subject) { $0.replayLast(2) },
      of("replayLazily", subject) { $0.replayLazily() },
      of("share", subject) { $0.share() },
      of("share(replay:)", subject) { $0.share(replay: 2) },
      of("share(replay:), for ever", subject) { $0.share(replay: 2, lifetime: .forever) },
      of("group(by:)", subject) { $0.group(by: { _ in 0 }).flatMap { $0.signal } },
      of("group(by:lifetime:)", subject) {
        $0.group(by: { _ in 0 }, lifetime: .until { $0 }).flatMap { $0.signal }
      },
      of("window(count:)", subject) { $0.window(count: 2).flatten() },
    ]
  }
}

extension Retention {
  /// Values, subscribers and blocks of every kind of hot source.
  @Suite struct Sources {
    private enum Ending: CaseIterable { case disposal, completion, failure, dropped }

    @Test(
      "contract 7: every hot source releases its sinks at each ending, and its values when it is deallocated")
    func endings() async {
      await #expect(processExitsWith: .success) {
        for ending in Ending.allCases {
          for source in HotSource.all {
            expectNothingLeft("\(source.name): \(ending)") { resources, kept in
              Self.run(source, until: ending, resources, kept)
            }
          }
        }
      }
    }

    private static func run(
      _ source: HotSource, until ending: Ending, _ resources: Resources, _ kept: Box<[any Disposable]>
    ) -> Int {
      var instance: HotSource.Instance? = source.make(resources.make())
      let closures = Resources()
      let subscribe: (HotSource.Instance) -> Void = { instance in
        kept.value.append(
          instance.signal.subscribe(
            next: { [token = closures.make()] _ in _ = token },
            failed: { [token = closures.make()] _ in _ = token },
            completed: { [token = closures.make()] in _ = token }))
      }
      for _ in 0..<20 { if let instance { subscribe(instance) } }
      for _ in 0..<10 { instance?.send(resources.make()) }
      // These subscribe late.
      for _ in 0..<2 { if let instance { subscribe(instance) } }
      #expect(closures.alive == 66, "\(source.name): \(ending)")
      let alive = resources.alive + closures.alive
      if let end = instance?.end {
        switch ending {
        case .completion: end(.completed)
        case .failure: end(.failed(Oops()))
        case .disposal, .dropped: break
        }
      }
      if ending == .disposal { for subscription in kept.value { subscription.dispose() } }
      if ending == .disposal || ending != .dropped && instance?.end != nil {
        // The source is still there, and may retain values; its subscribers are gone.
        #expect(closures.problem == nil, "\(source.name): \(ending)")
        if let instance, ending != .disposal { subscribe(instance) }
      }
      instance = nil
      #expect(closures.problem == nil, "\(source.name): \(ending)")
      return alive
    }
  }
}
