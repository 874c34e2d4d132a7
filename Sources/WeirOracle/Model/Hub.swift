// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The model of a hot source: subject, replay subject and current value.
final class Hub: ObservingSource {
  private struct Listener {
    let number: Int
    let target: Target
  }

  /// How many values a new subscriber receives; nil for a subject, which replays nothing.
  private let capacity: Int?
  private var history: [Int]
  /// How long a value is replayed, and when each was sent, if not for ever.
  private let age: (limit: Int, clock: ModelClock)?
  private var times: [Int] = []
  private(set) var end: Happening?
  private var listeners: [Listener] = []
  private var listenersEver = 0
  private let line = Line()
  private var newcomers: [() -> Void] = []
  let upstreams = Upstreams()
  let canFail = true

  init(replaying capacity: Int?, from history: [Int] = []) {
    self.capacity = capacity
    self.history = history
    age = nil
  }

  init(replaying capacity: Int, for limit: Int, _ clock: ModelClock) {
    self.capacity = capacity
    history = []
    age = (limit, clock)
  }

  /// How many values are too old. One of exactly that age is.
  private var oldCount: Int {
    age.map { age in times.prefix { age.clock.now - $0 >= age.limit }.count } ?? 0
  }

  /// Runs `work` when all events that were accepted before have been delivered.
  func afterEvents(_ work: @escaping () -> Void) { line.act(work) }

  /// What feeds it ends as soon as an end is accepted, even if that has to wait.
  func take(_ event: Happening) {
    if event.isEnd { upstreams.end() }
    let limit = capacity == nil ? listenersEver : .max
    line.act {
      if self.end != nil { return }
      let listeners = self.listeners
      if case .value(let value) = event { self.keep(value) } else { self.close(with: event) }
      for listener in listeners where event.isEnd || listener.number < limit { listener.target(event) }
    }
  }

  private func keep(_ value: Int) {
    history.append(value)
    if let age { times.append(age.clock.now) }
  }

  private func close(with event: Happening) {
    end = event
    listeners = []
  }

  func listen(_ target: Target) {
    guard let capacity else { return enlist(target) }
    var position = max(oldCount, history.count - capacity)
    func catchUp(to goal: Int) {
      while position < goal, !target.scope.isEnded {
        position += 1
        target(history[position - 1])
      }
    }
    // It becomes live when nothing is left to replay, or when it does not get closer to the end.
    var left = Int.max
    while history.count > position, history.count - position <= left / 2 {
      left = history.count - position
      catchUp(to: history.count)
      if target.scope.isEnded { return }
    }
    if let end, position == history.count { return target(end) }
    comeIn {
      catchUp(to: self.history.count)
      if !target.scope.isEnded { self.enlist(target) }
    }
  }

  /// Makes new subscribers live. All that are waiting become live in the place of the first one.
  private func comeIn(_ work: @escaping () -> Void) {
    if !line.isBusy { return line.act(work) }
    newcomers.append(work)
    if newcomers.count == 1 { line.act { self.letIn() } }
  }

  private func letIn() {
    let all = newcomers
    newcomers = []
    for newcomer in all { newcomer() }
  }

  /// Its owner has released it. All runs end, and then what they retain is released, both in order.
  func letGo() {
    upstreams.end()
    var before = listeners
    listeners = []
    for listener in before { listener.target.scope.endAsLetGo() }
    while !before.isEmpty { before.removeFirst() }
  }

  private func enlist(_ target: Target) {
    if let end { return target(end) }
    let number = listenersEver
    listenersEver += 1
    listeners.append(Listener(number: number, target: target))
    target.scope.onEndFirst { self.leave(number) }
  }

  /// The listener is released after the change: that may end another run, whose listener leaves, too.
  private func leave(_ number: Int) {
    let before = listeners
    listeners = before.filter { $0.number != number }
    withExtendedLifetime(before) {}
  }
}

/// A hub for one sender: what is sent while it is sending is not passed to it.
final class ModelUnserialized: SourceModel {
  private let hub = Hub(replaying: nil)
  private var isSending = false

  func take(_ event: Happening) {
    if isSending { return }
    isSending = true
    hub.take(event)
    isSending = false
  }

  func listen(_ target: Target) { hub.listen(target) }
  func feed(from flow: Flow, in scope: Scope, held: Tenure) {}
  func letGo() { hub.letGo() }
}
