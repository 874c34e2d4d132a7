// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Why this is right: `GroupLifetime.until` says that a signal that belongs to the group is subscribed right
// before the group is announced, and disposed when it has ended; that the group ends when it sends a value
// or completes; that a value that makes it fire is still sent, and is the last one, whatever is queued
// behind it; and that the group lasts as long as the source if that signal fails or lets go.
// `group(by:lifetime:)` says that the groups that are open at the end complete after the outer signal, and
// that the next value of a key opens another group.

/// The digits of each group of values with the same remainder; `trigger` returns what ends a group.
func groups(of flow: @escaping Flow, by divisor: Int, until trigger: @escaping (Hub) -> Flow) -> Flow {
  { target in
    let turns = Turns(target)
    let open = TriggeredGroups()
    turns.listen(to: flow) { value in
      turns.act {
        let key = remainder(value, divisor)
        open.send(value, to: open.group(key) ?? open.begin(key, trigger, turns))
        open.closeAll(to: turns)
      }
    } completed: {
      turns.complete {
        for group in open.groups { turns.pass(digits(group.values)) }
        open.groups = []
      }
    }
  }
}

private final class TriggeredGroup {
  let key: Int
  var values: [Int] = []
  /// What its trigger may be made of.
  let hub = Hub(replaying: nil)
  let waiting: Scope

  init(_ key: Int, _ waiting: Scope) {
    self.key = key
    self.waiting = waiting
  }
}

private final class TriggeredGroups {
  /// In the order in which they were opened.
  var groups: [TriggeredGroup] = []
  /// Those whose ends were told inside of a delivery.
  private var ending: [TriggeredGroup] = []

  func group(_ key: Int) -> TriggeredGroup? { groups.first { $0.key == key } }

  func begin(_ key: Int, _ trigger: (Hub) -> Flow, _ turns: Turns) -> TriggeredGroup {
    let group = TriggeredGroup(key, turns.upstreams.child())
    groups.append(group)
    let waiting = group.waiting
    trigger(group.hub)(
      Target(feeding: waiting) { [weak self, weak group, weak turns] event in
        guard waiting.end() else { return }
        if event.isEnd, event != .completed { return }
        if let self, let group, let turns { self.end(group, turns) }
      })
    return group
  }

  func send(_ value: Int, to group: TriggeredGroup) {
    group.values.append(value)
    group.hub.take(.value(value))
  }

  private func end(_ group: TriggeredGroup, _ turns: Turns) {
    ending.append(group)
    if !turns.isBusy { turns.act { self.closeAll(to: turns) } }
  }

  func closeAll(to turns: Turns) {
    while !ending.isEmpty {
      let group = ending.removeFirst()
      guard let place = groups.firstIndex(where: { $0 === group }) else { continue }
      groups.remove(at: place)
      turns.pass(digits(group.values))
    }
  }
}
