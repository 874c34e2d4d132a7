// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

extension Stress {
  /// Random trees of numbers and texts that are bound both ways, with observers that set them, too. No value
  /// is set twice; so one that is delivered twice, or is not the same everywhere, is seen.
  @Suite struct BindingTreeStress {
    init() { perturb() }

    @Test(
      "M6: properties bound as a tree end up equal and deliver no value twice, even if observers set them",
      arguments: 1...3)
    func trees(threads: Int) {
      for seed in 1...UInt64(roundCount(2_000)) {
        if let problem = BindingTree(seed: seed).run(threads: threads) {
          Issue.record("\(problem), seed \(seed)")
          return
        }
      }
    }
  }
}

private struct BindingTree: Sendable {
  private let numbers: [MutableProperty<Int>]
  private let texts: [MutableProperty<String>]
  private let selected: Property<Int>
  private let seen: [Gathered<Int>]
  private let seenSelected = Gathered<Int>()
  private let last = Counter()
  /// The observers retain what they observe, since they set it.
  private let observers = CompoundDisposable()
  private let seed: UInt64

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let count = Int.random(in: 2...6, using: &random)
    let numbers = (0..<count).map { MutableProperty(-1 - $0) }
    self.seed = random.next()
    self.numbers = numbers
    texts = (0..<count).map { MutableProperty("\(-1 - $0)") }
    seen = (0..<count).map { _ in Gathered() }
    selected = numbers[0].flatMap { numbers[abs($0) % count] }
    for index in 1..<count {
      let other = numbers[Int.random(in: 0..<index, using: &random)]
      if Bool.random(using: &random) { numbers[index] <-> other } else { other <-> numbers[index] }
    }
    for text in texts {
      let number = numbers[Int.random(in: 0..<count, using: &random)]
      if Bool.random(using: &random) {
        number.bindBothWays(with: text, mapping: { "\($0)" }, back: { Int($0) })
      } else {
        text.bindBothWays(with: number, mapping: { Int($0) }, back: { "\($0)" })
      }
    }
    observers.add(selected.signal.subscribe { [seenSelected] in seenSelected.append($0) })
    for index in numbers.indices {
      observe(index, reactions: Int.random(in: 0...2, using: &random))
    }
  }

  /// Gathers the values of a number, and sets another one inside as many of them.
  private func observe(_ index: Int, reactions: Int) {
    let count = Counter()
    let other = seen.count - 1 - index
    let observer = numbers[index].signal.subscribe { [self] value in
      seen[index].append(value)
      if value > 3, count.value < reactions {
        count.add()
        set(other, asText: value % 2 == 0)
      }
    }
    observers.add(observer)
  }

  private func set(_ index: Int, asText: Bool) {
    let value = last.add() + 1
    if asText { texts[index].value = "\(value)" } else { numbers[index].value = value }
  }

  /// Sets numbers and texts; returns what is wrong afterwards, nil if nothing is.
  func run(threads: Int) -> String? {
    defer { observers.dispose() }
    withThreads(threads) { thread in
      var random = SplitMix64(seed: seed &+ UInt64(thread))
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        set(Int.random(in: numbers.indices, using: &random), asText: Bool.random(using: &random))
        for _ in 0..<Int.random(in: 0..<40, using: &random) { weir_pause() }
      }
    }
    let final = numbers[0].value
    if numbers.contains(where: { $0.value != final }) || texts.contains(where: { $0.value != "\(final)" }) {
      return "not equal: \(numbers), \(texts)"
    }
    for values in seen.map(\.all) {
      if values.last != final { return "the last value, \(final), did not come last: \(values)" }
      if Set(values).count < values.count { return "a value came twice: \(values)" }
    }
    if seenSelected.all.last != selected.value {
      return "flatMap stopped at \(seenSelected.all), not \(selected)"
    }
    return nil
  }
}
