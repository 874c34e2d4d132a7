// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirOracle

/// Stands for a wrong operator: the model misreads programs, and the oracle must detect that.
struct Misreading: Sendable, CustomTestStringConvertible {
  let testDescription: String
  var shape = Program.Shape.anything
  var node: @Sendable (Node) -> Node = { $0 }
  var source: @Sendable (Source) -> Source = { $0 }
  var form: @Sendable (Shared.Form) -> Shared.Form = { $0 }
  var action: @Sendable (Action) -> Action = { $0 }
  var command: @Sendable (CommandPlan) -> CommandPlan = { $0 }
  var derived: @Sendable (DerivedPlan) -> DerivedPlan = { $0 }

  static let all = operators + states

  private static let operators = [
    Misreading(
      testDescription: "take of one more",
      node: { if case .one(.take(let count), let node) = $0 { .one(.take(count + 1), node) } else { $0 } }),
    Misreading(
      testDescription: "zip the other way round",
      node: { if case .two(.zip, let first, let second) = $0 { .two(.zip, second, first) } else { $0 } }),
    Misreading(
      testDescription: "switching that goes on with the old signals",
      node: { if case .flat(.latest, let node, let inner) = $0 { .flat(.merge, node, inner) } else { $0 } }),
    Misreading(
      testDescription: "combineLatest that waits for nobody but the first",
      node: {
        if case .two(.combineLatest, let first, let second) = $0 {
          .two(.combineLatest, first, .one(.startWith(0), second))
        } else {
          $0
        }
      }),
    Misreading(
      testDescription: "retry that gives up too early",
      node: { if case .one(.retry(2), let node) = $0 { .one(.retry(1), node) } else { $0 } }),
    Misreading(
      testDescription: "a replay subject that keeps one value more",
      source: { if case .replay(let capacity) = $0 { .replay(capacity + 1) } else { $0 } }),
    Misreading(
      testDescription: "a shared signal that is never disconnected",
      form: { if case .share(let count) = $0, count > 0 { .replayLast(count) } else { $0 } }),
    Misreading(
      testDescription: "a source that completes where it lets go",
      node: {
        guard case .cold(var cold) = $0, cold.ending == .letsGo else { return $0 }
        cold.ending = .sends(.completed)
        return .cold(cold)
      }),
    Misreading(
      testDescription: "partitions that lose a value",
      node: {
        if case .one(.partition, let node) = $0 { .one(.group(3), .one(.skip(1), node)) } else { $0 }
      }),
    Misreading(
      testDescription: "a clean-up that runs before the terminal event",
      node: {
        guard case .cleaned(var cleanUp, let node) = $0 else { return $0 }
        cleanUp.occasion = .finally
        return .cleaned(cleanUp, node)
      }),
    Misreading(
      testDescription: "a clean-up that disposes nobody",
      node: {
        guard case .cleaned(var cleanUp, let node) = $0, case .dispose = cleanUp.deed else { return $0 }
        cleanUp.deed = .dispose(.max)
        return .cleaned(cleanUp, node)
      }),
    Misreading(
      testDescription: "debounce that is a microsecond late", shape: .timed,
      node: {
        if case .timed(.debounce(let time), let node) = $0 { .timed(.debounce(time + 1), node) } else { $0 }
      }),
    Misreading(
      testDescription: "rateLimit that sends the first value of an interval too", shape: .timed,
      node: {
        guard case .timed(.rateLimit(let time, .trailing), let node) = $0 else { return $0 }
        return .timed(.rateLimit(time, .both), node)
      }),
    Misreading(
      testDescription: "a hop that drops the newest value in place of the oldest", shape: .timed,
      node: {
        guard case .timed(.hop(var room?, let whenNeeded, let failsAtOnce), let node) = $0,
          room.excess == .oldest
        else { return $0 }
        room.excess = .newest
        return .timed(.hop(room, whenNeeded: whenNeeded, failsAtOnce: failsAtOnce), node)
      }),
    Misreading(
      testDescription: "a shared signal that ends as soon as its last subscriber leaves", shape: .timed,
      form: {
        if case .shareLonger(let count, _, isForever: false) = $0 { .share(replay: count) } else { $0 }
      }),
    Misreading(
      testDescription: "an iteration that drops the newest value in place of the oldest", shape: .timed,
      node: {
        guard case .timed(.values(var room?), let node) = $0, room.excess == .oldest else { return $0 }
        room.excess = .newest
        return .timed(.values(room), node)
      }),
    Misreading(
      testDescription: "firstValue() that waits for the end", shape: .timed,
      node: { if case .timed(.awaited(.first), let node) = $0 { .timed(.awaited(.last), node) } else { $0 } }),
    Misreading(
      testDescription: "debounce that goes on when the scheduler has been shut down", shape: .timed,
      node: {
        guard case .timed(.debounce(let time), let node) = $0 else { return $0 }
        return .timed(.group(time, divisor: 1), node)
      }),
  ]

  private static let states = [
    Misreading(
      testDescription: "a channel that replays nothing", shape: .state,
      source: { [.leading, .following].contains($0) ? .subject : $0 }),
    Misreading(
      testDescription: "two properties that start with the value of the left one", shape: .state,
      action: {
        guard case .bindBothWays(let pair) = $0 else { return $0 }
        return .bindBothWays(Binding(left: pair.right, right: pair.left, converts: pair.converts))
      }),
    Misreading(
      testDescription: "two properties that are kept equal without their conversions", shape: .state,
      action: {
        guard case .bindBothWays(var pair) = $0 else { return $0 }
        pair.converts = false
        return .bindBothWays(pair)
      }),
    Misreading(
      testDescription: "a command that lets one execution more run", shape: .state,
      command: { plan in
        var plan = plan
        plan.limit = plan.limit.map { $0 + 1 }
        return plan
      }),
    Misreading(
      testDescription: "a command that its condition disables for ever", shape: .state,
      command: { plan in
        var plan = plan
        plan.condition = plan.condition.map { .one(.takeWhile(below: 3), $0) }
        return plan
      }),
    Misreading(
      testDescription: "a command that keeps errors to itself", shape: .state,
      node: { if case .command(_, .errors) = $0 { .one(.ignore, $0) } else { $0 } }),
    Misreading(
      testDescription: "a command that is not released", shape: .state,
      action: { if case .releaseCommand(let index) = $0 { .limit(index, to: 9) } else { $0 } }),
  ]

  func callAsFunction(_ program: Program) -> Program {
    var program = program
    program.sources = program.sources.map(source)
    program.trees = program.trees.map(misread)
    program.shared = program.shared.map { Shared(form: form($0.form), node: misread($0.node)) }
    program.commands = program.commands.map {
      var plan = command($0)
      plan.work = plan.work.map(misread)
      plan.condition = plan.condition.map(misread)
      return plan
    }
    program.derived = program.derived.map {
      let plan = derived($0)
      return if case .following(let initial, let node) = plan {
        .following(initial: initial, misread(node))
      } else { plan }
    }
    program.steps = program.steps.map(action)
    return program
  }

  func disagreement(on program: Program) -> Disagreement? {
    let misread = self(program)
    if misread == program { return nil }
    // One that never ends as it is, but does as it is misread, would be run.
    if Oracle().precision(on: program).isNothing { return nil }
    return Oracle(reading: { _ in misread }).disagreement(on: program)
  }

  private func misread(_ tree: Node) -> Node {
    switch tree {
    case .source, .cold, .shared, .never, .command, .derived, .lifted, .life: node(tree)
    case .during(let object, let only): node(.during(object, misread(only)))
    case .further(let name, let nodes): node(.further(name, nodes.map(misread)))
    case .one(let name, let only): node(.one(name, misread(only)))
    case .two(let name, let first, let second): node(.two(name, misread(first), misread(second)))
    case .many(let name, let nodes): node(.many(name, nodes.map(misread)))
    case .timed(let name, let only): node(.timed(name, misread(only)))
    case .cleaned(let cleanUp, let only): node(.cleaned(cleanUp, misread(only)))
    case .flat(let strategy, let source, let inner):
      node(.flat(strategy, misread(source), inner.map(misread)))
    }
  }
}

@Suite struct MisreadingTests {
  @Test(
    "a misread operator is detected, and the replay in the report reproduces the disagreement",
    arguments: Misreading.all)
  func misreading(_ misreading: Misreading) throws {
    let trials = Trials(misreading.shape) { misreading.disagreement(on: $0).map { "\($0)" } }
    let report = try #require(trials.run(6_000, seed: 1))
    let digits = try #require(report.firstMatch(of: /WEIR_ORACLE_REPLAY=([0-9a-f]+)/)).output.1
    let smallest = try #require(bytes(fromHexadecimal: String(digits)))
    #expect(smallest.count < 32, "the report should have become smaller: \(report)")
    let program = Program(decoding: smallest, misreading.shape)
    #expect(Oracle(reading: { misreading($0) }).disagreement(on: program) != nil)
    #expect(Oracle().disagreement(on: program) == nil)
  }
  // Without a report: to reduce forty more programs takes longer than all other tests of the oracle.
  @Test(
    "a misread part that came later is detected", arguments: Misreading.objects + Misreading.further)
  func misreadingLater(_ misreading: Misreading) {
    var found: Program?
    let trials = Trials(misreading.shape) { program in
      if found == nil, misreading.disagreement(on: program) != nil { found = program }
      return nil
    }
    for seed in 1...60 where found == nil { _ = trials.run(100, seed: UInt64(seed)) }
    #expect(found.map { Oracle().disagreement(on: $0) == nil } == true)
  }
}
