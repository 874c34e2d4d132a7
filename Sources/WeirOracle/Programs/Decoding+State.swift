// Part of Weir. SPDX-License-Identifier: Apache-2.0

// The parts of programs that only the shapes `state` and `objects` have.

extension Program.Shape {
  /// How many bytes a random program has. Those with more parts need more, or there would be few steps.
  var lengths: ClosedRange<Int> { hasState ? 32...160 : 8...96 }
  package var hasState: Bool { self == .state || self == .objects }
}

extension ProgramDecoder {
  mutating func addSource() {
    let index = program.sources.count
    switch number(below: 9) {
    case 0, 1: program.sources.append(source())
    case 2, 3: program.sources += [.leading, .following]
    case 4, 5: program.sources.append(.property(number(below: 4)))
    case 6: program.sources += [.property(number(below: 4)), .terminal(of: index)]
    case 7: program.sources += [.property(number(below: 4)), .terminal(of: index), .terminal(of: index)]
    default: program.sources += [.control(number(below: 4)), .terminal(of: index)]
    }
  }

  mutating func command() -> CommandPlan {
    CommandPlan(
      condition: number(below: 2) == 0 ? nil : tree(), limit: limit(), isScheduled: number(below: 3) == 2,
      work: (0...number(below: 2)).map { _ in tree() })
  }

  private mutating func limit() -> Int? {
    switch number(below: 4) {
    case 0, 1: 1
    case 2: 2
    default: nil
    }
  }

  /// A signal of a command, or nil.
  mutating func commandView() -> Node? {
    if program.commands.isEmpty || number(below: 2) == 0 { return nil }
    let index = number(below: program.commands.count)
    switch number(below: 8) {
    case 4: return .command(index, .begun)
    case 0: return .command(index, .executing)
    case 1: return .command(index, .enabled)
    case 2: return .command(index, .errors)
    case 3: return .command(index, .executions)
    default: return .command(index, .execute(number(below: 4)))
    }
  }

  /// Time passes between steps only.
  mutating func stateAction(depth: Int) -> Action {
    switch number(below: 8) {
    case 4, 5: if let binding = binding() { return .bindBothWays(binding) }
    case 6 where !program.commands.isEmpty:
      return .limit(number(below: program.commands.count), to: limit())
    case 7 where !program.commands.isEmpty: return .releaseCommand(number(below: program.commands.count))
    case 3 where depth == 0: return .advance(1)
    case 2: if number(below: 4) == 3 { return .shutDown }
    default: break
    }
    return forward()
  }

  /// Mostly not into a circle: such programs never end, and are not compared.
  private mutating func forward() -> Action {
    let tree = number(below: program.trees.count)
    let fed = places(in: program.trees[tree])
    let others = number(below: 8) == 7 ? [] : program.sources.indices.filter { !fed.contains(place(of: $0)) }
    if others.isEmpty { return .forward(tree: tree, to: number(below: program.sources.count)) }
    return .forward(tree: tree, to: others[number(below: others.count)])
  }

  /// The number of a source, or of the property whose terminal it is.
  private func place(of source: Int) -> Int {
    if case .terminal(let property) = program.sources[source] { property } else { source }
  }

  /// What is sent there comes out of the signal of this source.
  private func origin(of source: Int) -> Int {
    switch program.sources[source] {
    case .leading: source + 1
    case .following: source - 1
    default: place(of: source)
    }
  }

  /// The places whose values a signal sends.
  func places(in node: Node) -> Set<Int> {
    func all(_ nodes: [Node]) -> Set<Int> { nodes.reduce(into: []) { $0.formUnion(places(in: $1)) } }
    return switch node {
    case .source(let index): [origin(of: index)]
    case .cold, .never: []
    case .shared(let index): places(in: program.shared[index].node)
    case .one(_, let node), .timed(_, let node), .cleaned(_, let node), .during(_, let node):
      places(in: node)
    case .derived(let index, _): places(of: .derived(index))
    case .lifted, .life: []
    case .two(_, let first, let second): all([first, second])
    case .many(_, let nodes), .further(_, let nodes): all(nodes)
    case .flat(_, let node, let inner): all([node] + inner)
    case .command(let index, _):
      all(program.commands[index].work + (program.commands[index].condition.map { [$0] } ?? []))
    }
  }

  private mutating func binding() -> Binding? {
    let properties = properties
    if properties.count < 2 { return nil }
    let right = 1 + number(below: properties.count - 1)
    return Binding(
      left: properties[number(below: right)], right: properties[right], converts: number(below: 3) == 2)
  }

  /// The sources that are properties or controls.
  var properties: [Int] {
    program.sources.indices.filter {
      switch program.sources[$0] {
      case .property, .control: true
      default: false
      }
    }
  }
}
