// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Why this is right: it follows the documentation of `Command` sentence by sentence. `execute` finds the
// command enabled and counts the execution, calls the closure, announces, and then subscribes the work. What
// is announced is delivered in one order, through the scheduler, and each announcement tells the state as it
// is then. An execution that a handler of the command's own signals requests starts after that delivery, and
// after what has been requested before. A new subscriber of a state gets it at once, and what is announced
// meanwhile afterwards. The command notes an end before the subscribers of the execution get it. What the
// scheduler gives up is not told, unless it is delivered together with what the scheduler still runs; and an
// execution that it gives up is interrupted.
//
// Not said there, and so taken from Weir: an error is announced before the state that follows from it; and of
// what waits for the scheduler, the first piece of work tells all.

/// A command.
final class ModelCommand {
  /// The signals of one execution by its number, and all values that they replay.
  private var executions: [Hub] = []
  private let (executing, enabled): (ModelState, ModelState)
  private let (begun, failures) = (Hub(replaying: nil), Hub(replaying: nil))
  private var running = 0
  private var outstanding = 0
  private var limit: Int?
  private var isAllowed = true
  private var isReleased = false
  private let work: (Int) -> Flow
  private let means: Means
  private let condition: Scope
  private let isScheduled: Bool
  /// Whether clean-ups of the work may do something that others notice.
  private let workMayAct: Bool
  private var waiting: [Item] = []
  private var isPublishing = false
  /// How many pieces of work have neither been run nor given up.
  private var unanswered = 0
  /// Whether a handler of one of the command's signals may be running, or work is being started, and what is
  /// to start after that.
  private var isVisited = false
  private var starts: [() -> Void] = []
  private var tenure: Tenure?

  init(_ plan: CommandPlan, condition flow: Flow?, work: @escaping (Int) -> Flow, means: Means) {
    (self.work, self.means) = (work, means)
    (limit, isScheduled) = (plan.limit, plan.isScheduled)
    workMayAct = plan.work.contains { $0.mayCleanUp }
    condition = Scope(means)
    (executing, enabled) = (ModelState(false), ModelState(true))
    executing.visit = { [unowned self] in visit($0) }
    enabled.visit = executing.visit
    flow?(
      Target(condition) { [unowned self] event in
        if case .value(let value) = event { allow(remainder(value, 2) == 1) } else { condition.end() }
      })
    waiting.append(Item { self.tell() })
    publish()
    tenure = Tenure { [unowned self] in end() }
  }

  private var isEnabled: Bool { isAllowed && limit.map { running < $0 } ?? true }

  // MARK: What its owner does

  func release() {
    tenure.take()?.drop()
  }

  /// Holds it, if its owner has not released it.
  func hold() -> Tenure.Hold? { tenure?.hold() }

  /// All is over. A scheduler that was shut down tells no end, so subscribers may be left that retain this.
  func letGo() {
    executing.letGo()
    enabled.letGo()
    for hub in executions + [begun, failures] { hub.letGo() }
  }

  func limit(to limit: Int?) {
    if tenure == nil || limit == self.limit { return }
    self.limit = limit
    post(Item { self.tell() })
  }

  private func allow(_ isAllowed: Bool) {
    if isAllowed == self.isAllowed { return }
    self.isAllowed = isAllowed
    post(Item { self.tell() })
  }

  /// Nobody holds it.
  private func end() {
    condition.end()
    post(
      Item(count: { self.isReleased = true }) {
        self.enabled.complete()
        self.begun.take(.completed)
      })
  }

  // MARK: Signals

  func listen(_ view: CommandView, _ target: Target) {
    switch view {
    case .executing: executing.listen(target)
    case .enabled: enabled.listen(target)
    case .errors: failures.listen(target)
    case .begun: begun.listen(Target(target.scope) { target($0.isEnd ? $0 : .value(8)) })
    case .executions:
      flatten(.merge, begun.listen) { number in
        let output = self.executions[number]
        return { target in output.listen(Target(target.scope) { target($0.isEnd ? .completed : $0) }) }
      }(target)
    case .run(let input): ran(self, input)(target)
    case .execute(let input):
      // Nobody can execute a command that nobody holds.
      guard let tenure else { return target(.completed) }
      tenure.during { execute(input)(target) }
    }
  }

  private func execute(_ input: Int) -> Flow {
    if !isEnabled {
      let reason = isAllowed ? Refusal.busy : Refusal.disabled
      return { $0(.failed(reason)) }
    }
    if !means.burn() { return { _ in } }
    running += 1
    let flow = work(input)
    let output = Hub(replaying: .max)
    executions.append(output)
    let number = executions.count - 1
    let execution = ModelExecution(flow, output, of: self, means)
    execution.mayAct = workMayAct
    post(
      Item(count: { self.outstanding += 1 }) {
        self.tell()
        self.begun.take(.value(number))
      }, for: execution)
    return output.listen
  }

  /// An execution has ended. The command notes that before the subscribers of the execution get it.
  func end(announcing error: Int?) {
    running -= 1
    post(
      Item(count: { self.outstanding -= 1 }) {
        if let error { self.failures.take(.value(error)) }
        self.tell()
      })
  }

  // MARK: Deliveries

  /// Tells its subscribers how it is now.
  private func tell() {
    executing.announce(running > 0)
    enabled.announce(isEnabled)
  }

  /// What is told, and what it means for the end of all.
  private struct Item {
    var count: () -> Void = {}
    let announce: () -> Void
  }

  /// What is posted is told in one order, each item with a piece of work; the first of these to be run tells
  /// all that waits. What the scheduler gives up is not told, unless it still runs another piece.
  private func post(_ item: Item, for execution: ModelExecution? = nil) {
    waiting.append(item)
    unanswered += 1
    if !isScheduled { return answer(for: execution) }
    means.clock.schedule(abandon: {
      execution?.interrupt()
      self.unanswered -= 1
      if self.unanswered > 0 { return }
      for item in self.waiting { item.count() }
      self.waiting = []
    }) {
      self.answer(for: execution)
    }
  }

  private func answer(for execution: ModelExecution?) {
    visit(
      {
        publish()
        unanswered -= 1
        if unanswered == 0 { publish() }
      }, then: execution.map { $0.start })
  }

  private func publish() {
    if isPublishing { return }
    isPublishing = true
    while !waiting.isEmpty {
      let item = waiting.removeFirst()
      item.count()
      item.announce()
      if !isReleased || outstanding > 0 { continue }
      executing.complete()
      failures.take(.completed)
    }
    isPublishing = false
  }

  /// Calls handlers, and then starts work: after the outer delivery and its work, if one of these asks for
  /// it.
  private func visit(_ deliver: () -> Void, then start: (() -> Void)? = nil) {
    let isOutermost = !isVisited
    isVisited = true
    means.whileDelivering(deliver)
    if let start { if isOutermost { start() } else { starts.append(start) } }
    if !isOutermost { return }
    while !starts.isEmpty { starts.removeFirst()() }
    isVisited = false
  }
}
