// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirExplorer

@testable import Weir

/// A subject that is deallocated while its subscribers leave. They use memory that it owned on their way out.
private final class Departure: @unchecked Sendable {  // one thread runs at a time
  private let handlers = Ledger()
  private var subject: Subject<Int, Never>? = Subject()
  private weak var list: SubscriberList?
  private var subscriptions: [Subscription?] = []

  /// - Parameter earlier: how many subscribers have come and left before.
  init(earlier: Int = 0) {
    list = subject?.core.list
    for _ in 0..<earlier { subscribe().dispose() }
    subscriptions = [subscribe(), subscribe()]
  }

  private func subscribe() -> Subscription {
    guard let subject else { preconditionFailure("the subject has gone") }
    return subject.subscribe { [token = handlers.make()] _ in withExtendedLifetime(token) {} }
  }

  func dropSubject() { subject = nil }
  func leave(_ index: Int) { subscriptions[index]?.dispose() }
  /// Leaves the subscriber to the subject.
  func forget(_ index: Int) { subscriptions[index] = nil }

  func finish() -> String? {
    if handlers.alive > 0 { return "\(handlers.alive) subscribers are left" }
    return list == nil ? nil : "the list is left"
  }
}

/// A run that others end while its thread is still subscribing it.
private final class Arrival: @unchecked Sendable {  // one thread runs at a time
  private let handlers = Ledger()
  private let subject = Subject<Int, Never>()
  private let run = Subscription()
  private var received = 0

  func subscribe() {
    let sink = Sink<Int, Never>(
      next: { [self, token = handlers.make()] _ in
        withExtendedLifetime(token) { received += 1 }
      },
      terminate: { [run, token = handlers.make()] _ in
        withExtendedLifetime(token) { _ = run.end() }
      },
      subscription: run)
    subject.attach(sink)
  }

  func dispose() {
    run.dispose()
    subject.send(1)
  }

  func complete() { subject.complete() }

  func finish() -> String? {
    if handlers.alive > 0 { return "\(handlers.alive) closures are left" }
    if subject.subscriberCount > 0 { return "the subscriber is listed" }
    return received == 0 ? nil : "a value came after disposal"
  }
}

extension Exploring {
  @Suite struct LifetimeSuite {
    private let drop = Operation<Departure>("drop the subject") { $0.dropSubject() }
    private func leave(_ index: Int) -> Operation<Departure> {
      Operation("leave \(index)") { $0.leave(index) }
    }
    private let forget = Operation<Departure>("forget 1") { $0.forget(1) }

    @Test(
      "a subject deallocated while subscribers leave releases everything once, and not while it is in use")
    func departure() {
      expectSound(
        Scenario(
          "subject: goes, and one leaves", setup: { Departure() }, threads: [[drop], [leave(0)]],
          check: { $0.finish() }), loads: .newest)
      expectSound(
        Scenario(
          "subject: goes, one leaves, one is forgotten", setup: { Departure() },
          threads: [[drop], [leave(0), forget]], check: { $0.finish() }), loads: .newest)
      expectSound(
        Scenario(
          "subject: goes, and two threads dispose one", setup: { Departure() },
          threads: [[drop], [leave(0), forget], [leave(0)]], check: { $0.finish() }), loads: .newest)
      expectSound(
        Scenario(
          "subject: goes, and two leave", setup: { Departure(earlier: 2) },
          threads: [[drop], [leave(0)], [leave(1)]], check: { $0.finish() }), loads: .newest)
    }

    private let subscribe = Operation<Arrival>("subscribe") { $0.subscribe() }
    private let dispose = Operation<Arrival>("dispose") { $0.dispose() }
    private let complete = Operation<Arrival>("complete") { $0.complete() }

    @Test("a run that is disposed while it is being subscribed is silent, and releases everything once")
    func arrival() {
      expectSound(
        Scenario(
          "subject: a run is disposed while it is subscribed", setup: { Arrival() },
          threads: [[subscribe], [dispose]], check: { $0.finish() }), loads: .newest)
      expectSound(
        Scenario(
          "subject: a run is disposed by two while it is subscribed", setup: { Arrival() },
          threads: [[subscribe], [dispose], [dispose]], check: { $0.finish() }), loads: .newest)
      expectSound(
        Scenario(
          "subject: completes, and a run is disposed, while that is subscribed", setup: { Arrival() },
          threads: [[subscribe], [dispose], [complete]], check: { $0.finish() }), loads: .newest)
    }

    @Test("a subject deallocated while leaving subscribers replace its list releases everything once")
    func crowded() {
      // One more that leaves makes more dead entries than a list may hold.
      expectSound(
        Scenario(
          "subject: goes, and the list is made anew", setup: { Departure(earlier: 16) },
          threads: [[drop], [leave(0), leave(1)]], check: { $0.finish() }), loads: .newest)
    }
  }
}
