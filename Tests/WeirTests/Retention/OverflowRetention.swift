// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// An operator that buffers values. Nothing in here ever takes them: no partner comes, no time passes, no
/// scheduler runs.
struct Boundary: Sendable {
  let name: String
  let apply: @Sendable (Signal<Payload, Oops>, Backlog<Oops>, any TimedScheduler) -> Signal<Void, Oops>

  /// Those that buffer values until their scheduler runs retain them when the source ends as well.
  static let all = [
    Boundary(name: "observe(on:)") { source, backlog, scheduler in
      source.observe(on: scheduler, waiting: backlog).mapReplace(())
    },
    Boundary(name: "observe(on:), when needed, failing at once") { source, backlog, scheduler in
      source.observe(on: scheduler, .whenNeeded, waiting: backlog, failures: .atOnce).mapReplace(())
    },
    Boundary(name: "zip, left") { source, backlog, _ in
      source.zip(with: Signal<Int, Oops>.never(), waiting: backlog).mapReplace(())
    },
    Boundary(name: "zip, right") { source, backlog, _ in
      Signal<Int, Oops>.never().zip(with: source, waiting: backlog).mapReplace(())
    },
    Boundary(name: "zip of three") { source, backlog, _ in
      source.zip(with: source, Signal<Int, Oops>.never(), waiting: backlog).mapReplace(())
    },
    Boundary(name: "flatMap(.concat)") { source, backlog, _ in
      source.flatMap(.concat(waiting: backlog)) { _ in Signal<Void, Oops>.never() }
    },
    Boundary(name: "flatMap(.merge(limit:))") { source, backlog, _ in
      source.flatMap(.merge(limit: 2, waiting: backlog)) { _ in Signal<Void, Oops>.never() }
    },
    Boundary(name: "flatMap(.ordered(limit:))") { source, backlog, _ in
      source.flatMap(.ordered(limit: 2, waiting: backlog)) { _ in Signal<Void, Oops>.never() }
    },
    Boundary(name: "collect(within:)") { source, backlog, scheduler in
      Self.collect(source, backlog, scheduler)
    },
    Boundary(name: "delay") { source, backlog, scheduler in Self.delay(source, backlog, scheduler) },
  ]

  private static func collect(
    _ source: Signal<Payload, Oops>, _ backlog: Backlog<Oops>, _ scheduler: some TimedScheduler
  ) -> Signal<Void, Oops> {
    source.collect(within: .seconds(1), on: scheduler, waiting: backlog).mapReplace(())
  }

  private static func delay(
    _ source: Signal<Payload, Oops>, _ backlog: Backlog<Oops>, _ scheduler: some TimedScheduler
  ) -> Signal<Void, Oops> {
    source.delay(.seconds(1), on: scheduler, waiting: backlog).mapReplace(())
  }
}

extension Retention {
  /// What is buffered at a boundary, and what exceeds its bound.
  @Suite struct Overflowing {
    private enum Ending: CaseIterable {
      case disposal, failure, completion
      /// The source is dropped without a terminal event, and then the subscription is disposed.
      case dropped
    }

    private static let bound = 4
    private static let policies: [(name: String, overflow: Overflow<Oops>)] = [
      ("dropOldest", .dropOldest), ("dropNewest", .dropNewest), ("fail", .fail(Oops())),
    ]

    @Test(
      "contract 6 and 7: each boundary respects its bound under each policy, and releases all after each ending"
    )
    func overflow() async {
      await #expect(processExitsWith: .success) {
        for boundary in Boundary.all {
          for policy in Self.policies {
            for ending in Ending.allCases {
              let name = "\(boundary.name), \(policy.name): \(ending)"
              expectNothingLeft(name) { resources, kept in
                Self.run(name, boundary, policy.overflow, until: ending, resources, kept)
              }
            }
          }
        }
      }
    }

    private static func run(
      _ name: String, _ boundary: Boundary, _ overflow: Overflow<Oops>, until ending: Ending,
      _ resources: Resources, _ kept: Box<[any Disposable]>
    ) -> Int {
      let scheduler = VirtualScheduler()
      var subject: Subject<Payload, Oops>? = Subject()
      let closures = Resources()
      if let source = subject?.signal {
        kept.value.append(
          boundary.apply(source, .bounded(bound, onOverflow: overflow), scheduler).subscribe(
            next: { [token = closures.make()] _ in _ = token },
            failed: { [token = closures.make()] _ in _ = token }))
      }
      subject?.send(resources.make())
      let alive = closures.alive
      for _ in 0..<100 { subject?.send(resources.make()) }
      // The values of two of the three sources of a zip are buffered.
      #expect(resources.alive <= 2 * bound, "\(name)")
      if case .fail = overflow {
        // A failure that waits for the scheduler drops the values buffered before it, at the latest when the
        // scheduler runs.
        scheduler.run()
        #expect(closures.problem == nil && resources.problem == nil, "\(name)")
      }
      switch ending {
      case .disposal: break
      case .failure: subject?.fail(Oops())
      case .completion: subject?.complete()
      case .dropped: subject = nil
      }
      if ending == .failure {
        scheduler.run()
        #expect(closures.problem == nil && resources.problem == nil, "\(name)")
      }
      // Without the scheduler ever running again.
      for subscription in kept.value { subscription.dispose() }
      withExtendedLifetime((subject, scheduler)) {
        #expect(closures.problem == nil && resources.problem == nil, "\(name)")
      }
      return alive
    }
  }
}
