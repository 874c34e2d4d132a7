// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Weir
import WeirTesting

/// A program whose steps several threads take at once.
///
/// Checked for each program: every observer receives its events one at a time, none nested, none after the
/// end or its disposal; all sources are released, and nothing is leaked. For trees that ``Explanation`` can
/// explain, each observer must also have received what the model delivers for one of the orders that the
/// events may have had. So nothing is lost, duplicated or out of order.
///
/// Threads that do so little hardly overlap. So each step and each event takes a random time, and what other
/// threads send meanwhile is queued.
package struct ThreadedRun {
  /// How many threads take the steps in turn.
  private static let threadCount = 3

  private let program: Program
  private let resources = Resources()
  private let opened = Counter()
  private let closed = Counter()
  private let choices = Counter()

  /// The number of explained observers for which several orders were possible.
  package var explained: Int { choices.value }

  package init(_ program: Program) { self.program = program }

  /// Runs the program; returns what is wrong, nil if nothing is.
  package func problem() -> String? {
    let problem = observe()
    if let problem {
      return problem + "\nin this program, its steps taken by \(Self.threadCount) threads:\n\(program)"
    }
    if let problem = resources.problem { return "\(problem)\nafter this program:\n\(program)" }
    if opened.value != closed.value {
      return "sources had \(opened.value) subscriptions, but \(closed.value) releases:\n\(program)"
    }
    return nil
  }

  private func observe() -> String? {
    let signals = WeirSignals(program, resources, on: StoppableScheduler()) { [opened, closed] note in
      switch note {
      case .opened: opened.add()
      case .closed: closed.add()
      default: break
      }
    }
    let witnesses = signals.sources.map { ThreadedObserver($0) }
    let observers = program.trees.indices.flatMap { tree in
      (0..<2).map { _ in ThreadedObserver(signals.trees[tree]) }
    }
    let shares = Self.shares(of: program.steps)
    let newcomers = shares.map { $0.map { _ in ThreadedObserver() } }
    withThreads(Self.threadCount) { index in
      var pace = Pace()
      for (step, newcomer) in zip(shares[index], newcomers[index]) {
        pace.linger()
        Self.take(step, signals, observers, newcomer)
      }
    }
    let problem = program.trees.indices.lazy.compactMap { tree in
      explain(Array(observers[2 * tree..<2 * tree + 2]), of: tree, witnesses)
    }.first
    let all = witnesses + observers + Array(newcomers.joined())
    for observer in all { observer.dispose() }
    signals.end()
    return problem ?? all.lazy.compactMap { $0.problem }.first
  }

  private static func shares(of steps: [Action]) -> [[Action]] {
    (0..<threadCount).map { thread in
      steps.indices.filter { $0 % threadCount == thread }.map { steps[$0] }
    }
  }

  private static func take(
    _ step: Action, _ signals: WeirSignals, _ observers: [ThreadedObserver], _ newcomer: ThreadedObserver
  ) {
    switch step {
    case .send(let event, let source): signals.hot[source].send(event)
    case .subscribe(let plan): newcomer.subscribe(to: signals.trees[plan.tree])
    case .dispose(let index): observers[index % observers.count].dispose()
    case .connect(let index): signals.shared[index].connect()
    case .disconnect(let index): signals.shared[index].disconnect()
    // Programs for threads have no time.
    case .advance, .shutDown: break
    // Sources are released by one thread only.
    case .release, .releaseCommand: break
    // Nor do they have parts of the shapes `state` and `objects`.
    case .forward, .bindBothWays, .limit: break
    case .read, .releaseDerived, .releaseObject, .endLifetime, .lift, .releaseLifted, .bind: break
    }
  }

  private func explain(_ observers: [ThreadedObserver], of tree: Int, _ witnesses: [ThreadedObserver])
    -> String?
  {
    guard let sources = program.trees[tree].explainingSources else { return nil }
    let explanation = Explanation(
      program: program, tree: tree, witnessed: sources.map { ($0, Array(witnesses[$0].eventsSent)) })
    if explanation.orderCount > Explanation.mostOrders { return nil }
    if explanation.orderCount > 1 { choices.add(observers.count) }
    let unexplained = observers.first { !explanation.explains($0.events, isWhole: !$0.wasDisposed) }
    guard let unexplained else { return nil }
    let orders = explanation.witnessed.map { "s\($0.source): \($0.events)" }.joined(separator: "; ")
    return """
      no order of the events explains what an observer of t\(tree) received\(unexplained.wasDisposed ? " before it was disposed" : ""):
        \(unexplained.events)
      the sources sent \(orders)
      """
  }
}

/// A subscriber that checks the rules of signals and records its events.
private final class ThreadedObserver: @unchecked Sendable {
  // Unchecked: events are written in serial delivery, which is what is tested, the rest by the one thread
  // that subscribes; all is read after all threads have ended. A counter marks a disposal.
  private(set) var events: [Happening] = []
  private var pace = Pace()
  private var countAtStart = 0
  private var grammar: Grammar<Int, TestFailure>?
  private var subscription: Subscription?
  private let disposals = Counter()

  init() {}

  /// For use before there are threads.
  init(_ signal: Numbers) {
    subscribe(to: signal)
    countAtStart = events.count
  }

  /// The events that arrived after `subscribe` had returned.
  var eventsSent: ArraySlice<Happening> { events.dropFirst(countAtStart) }
  var wasDisposed: Bool { disposals.value > 0 }
  var problem: String? { grammar?.problem.map { "\($0)" } }

  func subscribe(to signal: Numbers) {
    let grammar = Grammar<Int, TestFailure>(
      next: { [unowned self] in take(.value($0)) },
      terminated: { [unowned self] in take(Happening(Event($0))) })
    self.grammar = grammar
    subscription = grammar.subscribe(to: signal)
  }

  private func take(_ event: Happening) {
    events.append(event)
    pace.linger()
  }

  /// Only the first call disposes: a second one may return while the first is still in progress, before the
  /// subscriber has been released.
  func dispose() {
    if disposals.add() == 0, let subscription { grammar?.dispose(subscription) }
  }
}

/// Random delays, of a few microseconds at most.
private struct Pace {
  private static let runs = Counter()
  private var random: SplitMix64

  init() { random = SplitMix64(seed: UInt64(Self.runs.add())) }

  mutating func linger() {
    for _ in 0..<random.number(below: 64) { weir_pause() }
  }
}
