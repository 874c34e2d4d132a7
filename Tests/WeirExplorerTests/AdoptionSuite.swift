// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirExplorer

@testable import Weir

/// A run with several parents. The first one has it in its list by the run's link, each other by a node of
/// its own, which has a place in the run's list.
private final class Adopted: @unchecked Sendable {  // one thread runs at a time
  let subject = Subject<Int, Never>()
  let parents = [Subscription(), Subscription(), Subscription()]
  private let listener = Listener()
  private let subscribers = Ledger()
  private(set) var run: Subscription?
  private weak var kept: Subscription?
  /// What the subject knows of the subscriber.
  private let entry: SnapshotEntry?
  private var problemOfDisposal: String?

  /// - Parameter count: how many of the parents have adopted it from the beginning.
  init(by count: Int) {
    let run = subject.subscribe(
      next: { [listener, token = subscribers.make()] number in
        withExtendedLifetime(token) { listener.take(number) }
      }, completed: { [listener] in listener.complete() })
    for parent in parents.prefix(count) { parent.adopt(run) }
    (self.run, kept) = (run, run)
    entry = SnapshotSlot(bits: subject.core.list.cell.cell.currentBlock().payload.pointee[0].load()).entry
  }

  func adopt(by index: Int) { if let run { parents[index].adopt(run) } }
  func sweepRun() { run?.list.sweep() }

  /// Nothing that is sent afterwards may be delivered. Looking takes no step: a scenario that sends would be
  /// too large for two interruptions.
  func dispose(_ ending: Subscription?) {
    ending?.dispose()
    if let entry, entry.mark.pointee & SnapshotEntry.dead == 0 {
      problemOfDisposal = "the subscriber gets values when dispose() has returned"
    }
  }

  /// Parents that are alive forget the run; the first one does so when it sweeps.
  func problem() -> String? {
    if let problem = listener.problem ?? problemOfDisposal { return problem }
    if run?.isDisposed == false { return "the run goes on" }
    if subscribers.alive > 0 { return "the subscriber is still there" }
    parents[0].list.sweep()
    run = nil
    return kept == nil ? nil : "the run is still there"
  }
}

/// Does something when it is released.
private final class Deed: @unchecked Sendable {  // one thread runs at a time
  private let action: () -> Void
  init(_ action: @escaping () -> Void) { self.action = action }
  deinit { action() }
}

/// A run with a parent that is disposed in the middle of the run's end, on that thread.
private final class SelfEnding: @unchecked Sendable {  // one thread runs at a time
  enum Moment: String, CaseIterable {
    case inCleanUp = "in a clean-up"
    case atRelease = "when the subscriber is released"
  }
  enum Parenthood: String, CaseIterable { case first, second }

  private let subject = Subject<Int, Never>()
  private let parent = Subscription()
  private let run = Subscription()
  private var hasDisposed = false
  private(set) var problem: String?

  init(_ moment: Moment, _ parenthood: Parenthood) {
    if parenthood == .second { Subscription().adopt(run) }
    let deed = moment == .atRelease ? Deed { [unowned self] in disposeParent() } : nil
    subject.attach(
      Sink(next: { _ in withExtendedLifetime(deed) {} }, terminate: { _ in }, subscription: run))
    parent.adopt(run)
    // Behind the place of the parent, which must last until then nevertheless.
    if moment == .inCleanUp { run.add(ActionDisposable { [unowned self] in disposeParent() }) }
  }

  private func disposeParent() {
    parent.dispose()
    hasDisposed = true
  }

  func end() {
    run.end(with: Completion<Never>.completed) { _ in
      problem = hasDisposed ? "completed after dispose() had returned" : "never disposed"
    }
  }

  func sweep() {
    parent.list.sweep()
    run.list.sweep()
  }
}

extension Exploring {
  @Suite struct AdoptionSuite {
    private func adopt(by index: Int) -> Operation<Adopted> {
      Operation("adopt by \(index)") { $0.adopt(by: index) }
    }
    private func dispose(_ index: Int) -> Operation<Adopted> {
      Operation("dispose parent \(index)") { $0.dispose($0.parents[index]) }
    }
    private let disposeRun = Operation<Adopted>("dispose the run") { $0.dispose($0.run) }
    private let sweepRun = Operation<Adopted>("sweep the run") { $0.sweepRun() }
    private let complete = Operation<Adopted>("complete") { $0.subject.complete() }

    @Test("when dispose() of one of two parents returns, their run is silent, whoever else is ending it")
    func parents() {
      expectSound(
        Scenario(
          "adoption: both parents are disposed", setup: { Adopted(by: 2) },
          threads: [[dispose(0)], [dispose(1)]], check: { $0.problem() }), loads: .newest)
      expectSound(
        Scenario(
          "adoption: the run and a second parent are disposed", setup: { Adopted(by: 2) },
          threads: [[disposeRun], [dispose(1)]], check: { $0.problem() }), loads: .newest)
      expectSound(
        Scenario(
          "adoption: the source ends, and two parents are disposed", setup: { Adopted(by: 3) },
          threads: [[complete], [dispose(1)], [dispose(2)]], check: { $0.problem() }), loads: .newest)
    }

    @Test("dispose() of a second parent silences the run also while the list of either is being swept")
    func sweeps() {
      expectSound(
        Scenario(
          "adoption: a run that sweeps and a second parent are disposed", setup: { Adopted(by: 2) },
          threads: [[sweepRun], [disposeRun], [dispose(1)]], check: { $0.problem() }), preemptions: 2,
        effort: 3, loads: .newest)
      for (parent, name) in [(0, "first"), (1, "second")] {
        expectSound(
          Scenario(
            "adoption: a \(name) parent that sweeps and the run are disposed", setup: { Adopted(by: 2) },
            threads: [
              [Operation("sweep parent \(parent)") { $0.parents[parent].list.sweep() }], [disposeRun],
              [dispose(parent)],
            ], check: { $0.problem() }), preemptions: 2, loads: .newest)
      }
    }

    @Test("when dispose() of a parent returns that has adopted a run while others end it, the run is silent")
    func late() {
      for (parents, name) in [(0, "a first"), (1, "a second")] {
        expectSound(
          Scenario(
            "adoption: by \(name) parent, while the run is disposed", setup: { Adopted(by: parents) },
            threads: [[disposeRun], [adopt(by: parents), dispose(parents)]], check: { $0.problem() }),
          loads: .newest)
        expectSound(
          Scenario(
            "adoption: by \(name) parent, while the source ends", setup: { Adopted(by: parents) },
            threads: [[complete], [adopt(by: parents), dispose(parents)]], check: { $0.problem() }),
          loads: .newest)
      }
      expectSound(
        Scenario(
          "adoption: two parents come", setup: { Adopted(by: 0) },
          threads: [[adopt(by: 0), dispose(0)], [adopt(by: 1), dispose(1)]], check: { $0.problem() }),
        loads: .newest)
      expectSound(
        Scenario(
          "adoption: by a second parent, while the first one is disposed", setup: { Adopted(by: 1) },
          threads: [[dispose(0)], [adopt(by: 1), dispose(1)]], check: { $0.problem() }), loads: .newest)
      expectSound(
        Scenario(
          "adoption: by two parents, while the run is disposed", setup: { Adopted(by: 1) },
          threads: [[disposeRun], [adopt(by: 1), dispose(1)], [adopt(by: 2), dispose(2)]],
          check: { $0.problem() }), loads: .newest)
      // Whoever comes last sees to it that the parent forgets the run.
      expectSound(
        Scenario(
          "adoption: a second parent stays", setup: { Adopted(by: 1) },
          threads: [[disposeRun], [adopt(by: 1)], [sweepRun]], check: { $0.problem() }), preemptions: 2,
        loads: .newest)
    }

    @Test("a run whose end disposes a parent is not completed after that, also while the lists are swept")
    func endingParents() {
      let end = Operation<SelfEnding>("end") { $0.end() }
      let sweep = Operation<SelfEnding>("sweep") { $0.sweep() }
      for moment in SelfEnding.Moment.allCases {
        for parenthood in SelfEnding.Parenthood.allCases {
          expectSound(
            Scenario(
              "adoption: the \(parenthood) parent is disposed \(moment.rawValue)",
              setup: { SelfEnding(moment, parenthood) }, threads: [[end], [sweep]], check: { $0.problem }),
            loads: .newest)
        }
      }
    }
  }
}
