// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirExplorer
import WeirTesting

@testable import Weir

/// A shared signal with one subscriber, and another one that comes while the run ends.
private final class Meeting: @unchecked Sendable {  // one thread runs at a time
  private let early = Listener()
  private let late = Listener()
  private let grace = Log<any ScheduledWork>()
  private let runs = Log<Sink<Int, Never>?>()
  private var shared: Signal<Int, Never>?
  private let first: Subscription
  private var second: Subscription?

  enum Disconnecting { case atOnce, late }

  init(_ lifetime: ShareLifetime, _ disconnecting: Disconnecting = .atOnce) {
    let lingering = DisconnectPolicy(grace: { [grace] work in
      grace.add(work)
      return ActionDisposable { grace.elements.removeAll() }
    })
    let signal = Signal<Int, Never>.attaching { [runs] in runs.add($0) }
      .share(
        replay: 1, lifetime: lifetime, disconnecting: disconnecting == .atOnce ? .atOnce : lingering)
    (shared, first) = (signal, early.subscribe(to: signal))
  }

  /// Retains only what it calls: another thread may let go of the run meanwhile.
  func send(_ number: Int) { runs.elements[0]?.next(number) }
  func letGo() { runs.elements[0] = nil }
  func complete() { runs.elements[0]?.terminate(.completed) }
  /// Somebody else than the subscribers ends the run.
  func stop() { runs.elements[0]?.subscription.dispose() }
  func leave() { first.dispose() }
  func come() { second = shared.map(late.subscribe) }
  func passTime() { if let work = grace.elements.popLast() { work.run() } }
  func drop() { shared = nil }

  /// The run is over, and so the first subscriber is, and the one that came has ended with it or is in the
  /// next one.
  ///
  /// - Parameter sent: what both should have got who were in the run.
  func problem(sent: [Int], completions: Int) -> String? {
    if let problem = early.problem ?? late.problem { return problem }
    if !first.isDisposed { return "the first waits for ever" }
    if early.numbers != sent || early.completions != completions {
      return "the first got \(early.numbers) and \(early.completions) completions"
    }
    guard let second, !second.isDisposed else {
      return late.numbers == sent && late.completions == completions
        ? nil : "the second ended with \(late.numbers) and \(late.completions) completions"
    }
    return problemOfNextRun()
  }

  /// The same where two have sent. From its first value on, the second has all that the first got. What is
  /// sent while the run ends may reach only the second, which may end later.
  func problemOfTwo() -> String? {
    let (all, part) = (early.numbers, late.numbers)
    if let problem = early.problem ?? late.problem { return problem }
    if !first.isDisposed { return "the first waits for ever" }
    guard let second, !second.isDisposed else {
      let start = part.first.flatMap { all.firstIndex(of: $0) }
      let isComplete = start.map { part.starts(with: all[$0...]) } ?? !part.isEmpty
      return isComplete ? nil : "the first got \(all), and the second \(part)"
    }
    return problemOfNextRun()
  }

  /// The last to come is in a run that is alive, the only one.
  func problemOfNextRun() -> String? {
    if let problem = early.problem ?? late.problem { return problem }
    let alive = runs.elements.compactMap { $0 }.filter { !$0.subscription.isDisposed }
    if alive.count != 1 { return "\(alive.count) of \(runs.elements.count) runs are alive" }
    alive[0].next(2)
    return late.numbers.last == 2 ? nil : "the second got \(late.numbers)"
  }

  /// Nobody is there, and nobody can come.
  func problemOfEnd() -> String? {
    let isAlive = runs.elements[0]?.subscription.isDisposed == false
    return isAlive ? "the source goes on" : nil
  }
}

extension Exploring {
  @Suite struct SharedRunSuite {
    private func send(_ number: Int) -> Operation<Meeting> {
      Operation("send \(number)") { $0.send(number) }
    }
    private let letGo = Operation<Meeting>("let go") { $0.letGo() }
    private let complete = Operation<Meeting>("complete") { $0.complete() }
    private let stop = Operation<Meeting>("stop") { $0.stop() }
    private let leave = Operation<Meeting>("leave") { $0.leave() }
    private let come = Operation<Meeting>("come") { $0.come() }
    private let passTime = Operation<Meeting>("pass time") { $0.passTime() }

    @Test("DD-12: who comes while a shared source lets go gets what was sent and ends, or is in the next run")
    func letGoAndCome() {
      for lifetime in [ShareLifetime.whileConnected, .forever] {
        expectSound(
          Scenario(
            "share: let go and come, \(lifetime)", setup: { Meeting(lifetime) },
            threads: [[send(1), letGo], [come]], check: { $0.problem(sent: [1], completions: 0) }),
          loads: .newest)
        expectSound(
          Scenario(
            "share: stop and come, \(lifetime)", setup: { Meeting(lifetime) },
            threads: [[send(1), stop], [come]], check: { $0.problem(sent: [1], completions: 0) }),
          loads: .newest)
      }
    }

    @Test("DD-12: who comes while a shared source lets go and its values are still queued gets these, too")
    func letGoQueued() {
      expectSound(
        Scenario(
          "share: two send, let go and come", setup: { Meeting(.whileConnected) },
          threads: [[send(1), letGo], [send(2)], [come]], check: { $0.problemOfTwo() }), effort: 4,
        loads: .newest)
    }

    @Test("DD-12: who comes while a shared source completes is completed, too, or starts the next run")
    func completeAndCome() {
      expectSound(
        Scenario(
          "share: complete and come", setup: { Meeting(.whileConnected) },
          threads: [[send(1), complete], [come]], check: { $0.problem(sent: [1], completions: 1) }),
        loads: .newest)
    }

    @Test("DD-12: who comes while the last one leaves, or a grace period passes, is in the only run")
    func leaveAndCome() {
      expectSound(
        Scenario(
          "share: leave and come", setup: { Meeting(.whileConnected) }, threads: [[leave], [come]],
          check: { $0.problemOfNextRun() }), loads: .newest)
      expectSound(
        Scenario(
          "share: leave, come and pass time", setup: { Meeting(.whileConnected, .late) },
          threads: [[leave, passTime], [come]], check: { $0.problemOfNextRun() }), loads: .newest)
    }

    @Test("when the last subscriber and the shared signal go, the source ends, whichever of them is last")
    func leaveAndDrop() {
      expectSound(
        Scenario(
          "share: leave, and the signal is released", setup: { Meeting(.whileConnected, .late) },
          threads: [[leave], [Operation("drop") { $0.drop() }]], check: { $0.problemOfEnd() }),
        loads: .newest)
    }
  }
}
