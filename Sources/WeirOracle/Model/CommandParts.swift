// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// One execution: forwards what its work sends.
final class ModelExecution {
  private let (flow, output): (Flow, Hub)
  private let command: ModelCommand
  private let scope: Scope
  private var isOver = false
  /// Whether its clean-ups may do something that others notice.
  var mayAct = false

  init(_ flow: @escaping Flow, _ output: Hub, of command: ModelCommand, _ means: Means) {
    (self.flow, self.output, self.command) = (flow, output, command)
    scope = Scope(means)
  }

  func start() {
    // Its source has let go of it. Whether its clean-ups come before or after what the command tells of that
    // is left open.
    scope.onEnd {
      if self.isOver { return }
      if self.mayAct { self.scope.means.noteDoubt() } else { self.scope.means.noteOpenOrder() }
      self.interrupt()
    }
    flow(
      Target(feeding: scope) { event in
        if !event.isEnd { return self.output.take(event) }
        if case .failed(let code) = event { self.end(event, announcing: code) } else { self.end(event) }
      })
  }

  func interrupt() { end(.failed(Refusal.interrupted)) }

  private func end(_ event: Happening, announcing error: Int? = nil) {
    if isOver { return }
    isOver = true
    scope.end()
    command.end(announcing: error)
    output.take(event)
  }
}

extension Node {
  /// Whether clean-ups may be in it.
  var mayCleanUp: Bool {
    switch self {
    case .source, .cold, .never, .derived, .lifted, .life: false
    case .cleaned, .shared, .command: true
    case .one(_, let node), .timed(_, let node), .during(_, let node): node.mayCleanUp
    case .two(_, let first, let second): first.mayCleanUp || second.mayCleanUp
    case .many(_, let nodes), .further(_, let nodes): nodes.contains { $0.mayCleanUp }
    case .flat(_, let node, let inner): node.mayCleanUp || inner.contains { $0.mayCleanUp }
    }
  }
}

/// A state of a command, which its signal sends at once, and then whenever it changes.
final class ModelState {
  private var value: Bool
  private let news = Hub(replaying: nil)
  var visit: (() -> Void) -> Void = { $0() }

  init(_ value: Bool) { self.value = value }

  func announce(_ value: Bool) {
    if value == self.value { return }
    self.value = value
    news.take(.value(value ? 1 : 0))
  }

  func complete() { news.take(.completed) }
  func letGo() { news.letGo() }

  func listen(_ target: Target) {
    let turns = Turns(target)
    visit {
      turns.act {
        turns.listen(to: self.news.listen, values: turns.send, completed: { turns.end(.completed) })
        turns.pass(self.value ? 1 : 0)
      }
    }
  }
}
