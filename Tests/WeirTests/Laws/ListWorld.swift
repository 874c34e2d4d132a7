// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Random lists and functions for the laws of lists, the same for the same seed.
struct ListWorld {
  private var random: SplitMix64
  private(set) var notes: [String] = []

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func value() -> Int { random.number(below: 7) - 3 }
  mutating func count() -> Int { random.number(below: 6) }

  mutating func array() -> [Int] {
    let array = (0..<count()).map { _ in value() }
    notes.append("\(array)")
    return array
  }

  /// A list, made in one of many ways.
  mutating func list() -> LazyList<Int> { list(of: array()) }

  mutating func list(of array: [Int]) -> LazyList<Int> {
    let way = random.number(below: 10)
    notes.append("made in way \(way)")
    let middle = random.number(below: array.count + 1)
    switch way {
    case 0: return LazyList(array)
    case 1: return LazyList(array).evaluated()
    case 2: return .deferred { LazyList(array) }
    case 3: return LazyList(array[..<middle]).concat(LazyList(array[middle...]))
    case 4: return array.reversed().reduce(LazyList()) { $0.startWith($1) }
    case 5:
      return array.reversed().reduce(LazyList()) { rest, value in
        LazyList(head: { value }, tail: { rest })
      }
    case 6:
      return .generate(0, while: { $0 < array.count }, next: { $0 + 1 }, result: { array[$0] })
    case 7: return LazyList(array.map { $0 + 1 }).map { $0 - 1 }
    case 8: return LazyList(array.flatMap { [99, $0, 99] }).filter { $0 != 99 }
    default: return LazyList(array.flatMap { [nil, $0] }).compactMap { $0 }
    }
  }

  mutating func transform() -> @Sendable (Int) -> Int {
    let (factor, summand) = (value(), value())
    notes.append("{ $0 * \(factor) + \(summand) }")
    return { $0 &* factor &+ summand }
  }

  mutating func predicate() -> @Sendable (Int) -> Bool {
    let (divisor, rest) = (2 + random.number(below: 2), random.number(below: 2))
    notes.append("{ abs($0) % \(divisor) != \(rest) }")
    return { abs($0) % divisor != rest }
  }

  /// A function that returns one of three lists.
  mutating func kleisli() -> @Sendable (Int) -> LazyList<Int> {
    let table = [list(), list(), list()]
    return { table[abs($0) % 3] }
  }
}

/// Expects that two sequences have the same elements, in random trials; a failure names the seed that repeats
/// it (`WEIR_LAW_SEED`).
func expectListLaw<Left: Sequence, Right: Sequence>(
  sourceLocation: SourceLocation = #_sourceLocation, _ law: (inout ListWorld) -> (Left, Right)
) where Left.Element == Right.Element, Left.Element: Equatable {
  expectListLaw(sourceLocation: sourceLocation, comparing: ==, law)
}

/// The same for elements that are compared by `areEqual`, as tuples are.
func expectListLaw<Left: Sequence, Right: Sequence>(
  sourceLocation: SourceLocation = #_sourceLocation,
  comparing areEqual: (Left.Element, Right.Element) -> Bool,
  _ law: (inout ListWorld) -> (Left, Right)
) {
  if let report = listCounterexample(seed: lawSeed, comparing: areEqual, law) {
    Issue.record("\(report)", sourceLocation: sourceLocation)
  }
}

/// A report of the first trial in which the sides of a law differ; nil if it held in all.
func listCounterexample<Left: Sequence, Right: Sequence>(
  seed: UInt64, comparing areEqual: (Left.Element, Right.Element) -> Bool,
  _ law: (inout ListWorld) -> (Left, Right)
) -> String? {
  var seeds = SplitMix64(seed: seed)
  for _ in 0..<300 {
    var world = ListWorld(seed: seeds.next())
    let (left, right) = law(&world)
    if left.elementsEqual(right, by: areEqual) { continue }
    return """
      the sides differ; repeat with WEIR_LAW_SEED=\(seed)
      made of: \(world.notes.joined(separator: "; "))
      left:  \(Array(left))
      right: \(Array(right))
      """
  }
  return nil
}
