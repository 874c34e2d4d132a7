// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// As ``expectNothingLeft``; the round that is not counted is short.
private func expectNothingLeftOfMany(
  _ name: String, _ body: (_ resources: Resources, _ kept: Box<[any Disposable]>, _ count: Int) -> Int
) {
  var count = 1_000
  expectNothingLeft(name) { resources, kept in
    defer { count = roundsOfEach }
    return body(resources, kept, count)
  }
}

/// Ten thousand of everything that can depend on something else, on a small stack: all of it is ended and
/// released in a loop.
extension Retention {
  @Suite struct Chains {
    @Test("contract 5: ten thousand rounds or inner signals run on a small stack, and all is released")
    func rounds() async {
      await #expect(processExitsWith: .success) {
        withSmallStack {
          for (name, signal) in Self.signals {
            expectNothingLeftOfMany(name) { resources, kept, count in
              let (values, alive) = (Counter(), Counter())
              kept.value.append(
                signal(resources, count).subscribe(
                  next: { [token = resources.make()] _ in
                    _ = token
                    if values.add() == count / 2 { alive.add(resources.alive) }
                  }, failed: { _ in }))
              #expect(values.value == count, "\(name)")
              return alive.value
            }
          }
        }
      }
    }

    /// Each sends so many values.
    private static var signals: [(String, @Sendable (Resources, Int) -> Signal<Int, Oops>)] {
      let one: @Sendable (Resources) -> Signal<Int, Oops> = { resources in
        Signal<Int, Oops>.just(1).map { [token = resources.make()] value in
          _ = token
          return value
        }
      }
      return [
        ("repeat", { one($0).repeat(times: $1) }),
        ("concat", { .concat([Signal<Int, Oops>](repeating: one($0), count: $1)) }),
        (
          "retry",
          { resources, count in
            one(resources).concat(Signal<Int, Oops>.fail(Oops())).retry(upTo: count - 1)
          }
        ),
        ("flatMap", { resources, count in Signal<Int, Oops>(0..<count).flatMap { _ in one(resources) } }),
        (
          "flatMap(.concat)",
          { resources, count in Signal<Int, Oops>(0..<count).flatMap(.concat) { _ in one(resources) } }
        ),
        (
          "flatMap(.ordered(limit:))",
          { resources, count in
            Signal<Int, Oops>(0..<count).flatMap(.ordered(limit: 2)) { _ in one(resources) }
          }
        ),
        (
          "switchToLatest",
          { resources, count in Signal<Int, Oops>(0..<count).map { _ in one(resources) }.switchToLatest() }
        ),
        (
          "group(by:), a group each",
          { resources, count in
            one(resources).repeat(times: count).scan(0) { sum, _ in sum + 1 }
              .group(by: { $0 }).flatMap { $0.signal }
          }
        ),
        (
          "group(by:lifetime:), a group each",
          { resources, count in
            one(resources).repeat(times: count).scan(0) { sum, _ in sum + 1 }
              .group(by: { $0 }, lifetime: .until { $0 }).flatMap { $0.signal }
          }
        ),
        (
          "window(count:), a window each",
          { resources, count in one(resources).repeat(times: count).window(count: 1).flatten() }
        ),
        ("merge of as many", { .merge([Signal<Int, Oops>](repeating: one($0), count: $1)) }),
      ]
    }

    private enum Ending: CaseIterable { case disposal, completion, dropped }

    @Test(
      "contract 5: ten thousand subscribers of one source are released on a small stack, however they end")
    func subscribers() async {
      await #expect(processExitsWith: .success) {
        withSmallStack {
          for ending in Ending.allCases {
            expectNothingLeftOfMany("subscribers: \(ending)") { resources, kept, count in
              var subject: Subject<Int, Never>? = Subject()
              for _ in 0..<count {
                subject.map {
                  kept.value.append($0.subscribe { [token = resources.make()] _ in _ = token })
                }
              }
              let alive = resources.alive
              switch ending {
              case .disposal: for subscription in kept.value { subscription.dispose() }
              case .completion: subject?.complete()
              case .dropped: subject = nil
              }
              withExtendedLifetime(subject) {}
              return alive
            }
          }
        }
      }
    }

    @Test("contract 5: ten thousand buffered values are released on a small stack with their subscription")
    func waiting() async {
      await #expect(processExitsWith: .success) {
        withSmallStack {
          for boundary in Boundary.all {
            for isDropped in [false, true] {
              expectNothingLeftOfMany("\(boundary.name), dropped: \(isDropped)") { resources, kept, count in
                let scheduler = VirtualScheduler()
                var subject: Subject<Payload, Oops>? = Subject()
                let subscription = subject.map {
                  boundary.apply($0.signal, .unbounded, scheduler)
                    .subscribe(next: { _ in }, failed: { _ in })
                }
                if let subscription { kept.value.append(subscription) }
                for _ in 0..<count { subject?.send(resources.make()) }
                let alive = resources.alive
                // Two of them may be in progress.
                #expect(alive >= count - 2, "\(boundary.name)")
                if isDropped { subject = nil }
                subscription?.dispose()
                withExtendedLifetime((subject, scheduler)) {}
                return alive
              }
            }
          }
        }
      }
    }

    @Test(
      "contract 5: a history of ten thousand values, and as many pieces of work, are released on a small stack"
    )
    func stored() async {
      await #expect(processExitsWith: .success) {
        withSmallStack {
          expectNothingLeftOfMany("history") { resources, kept, count in
            let subject = ReplaySubject<Payload, Never>(capacity: .unbounded)
            for _ in 0..<count { subject.send(resources.make()) }
            kept.value.append(subject.take(first: 1).subscribe { _ in })
            return resources.alive
          }
          expectNothingLeftOfMany("work on the own thread") { resources, _, count in
            let most = Counter()
            TrampolineScheduler.trampoline.schedule {
              for _ in 0..<count {
                TrampolineScheduler.trampoline.schedule { [token = resources.make()] in _ = token }
              }
              most.add(resources.alive)
            }
            return most.value
          }
          expectNothingLeftOfMany("work in virtual time") { resources, _, count in
            let scheduler = VirtualScheduler()
            for number in 0..<count {
              scheduler.schedule(after: .seconds(number)) { [token = resources.make()] in _ = token }
            }
            return resources.alive
          }
        }
      }
    }
  }
}
