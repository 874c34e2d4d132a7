// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir
import WeirTesting

/// What one trial of a law is made of: random signals and functions, and subjects that are driven by a random
/// schedule.
///
/// Two worlds of the same trial are equal, so that each side of a law can run in one of its own.
struct LawWorld {
  /// What distinguishes one trial from another.
  struct Trial: CustomStringConvertible {
    let seed: UInt64
    /// How many values a cold signal has at most.
    var size: Int
    /// How many events are sent to subjects.
    var steps: Int

    var description: String { "trial \(seed), up to \(size) values, \(steps) scheduled events" }
  }

  private let trial: Trial
  private var random: SplitMix64
  private let subjects = (0..<3).map { _ in Subject<Int, Oops>() }
  private(set) var notes: [String] = []

  init(_ trial: Trial) {
    self.trial = trial
    random = SplitMix64(seed: trial.seed)
  }

  // MARK: The schedule

  /// Sends the scheduled events, and calls `step` after each.
  func run(_ step: () -> Void) {
    for (index, event) in schedule {
      subjects[index].send(event)
      step()
    }
  }

  var scheduleDescription: String {
    schedule.map { "subject \($0.0): \($0.1)" }.joined(separator: ", ")
  }

  private var schedule: [(Int, Event<Int, Oops>)] {
    // Numbers of its own, so that a shorter schedule is the beginning of a longer one.
    var random = SplitMix64(seed: ~trial.seed)
    return (0..<trial.steps).map { _ in
      let index = Int.random(in: subjects.indices, using: &random)
      let value = Int.random(in: -3...3, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0: return (index, .completed)
      case 1: return (index, .failed(Oops(code: value)))
      default: return (index, .next(value))
      }
    }
  }

  // MARK: Signals

  /// Any signal: a cold one, or a subject.
  mutating func signal() -> Signal<Int, Oops> {
    guard Int.random(in: 0..<3, using: &random) == 0 else { return coldSignal() }
    let index = Int.random(in: subjects.indices, using: &random)
    notes.append("subject \(index)")
    return subjects[index].signal
  }

  /// A signal that does the same for each subscriber, which completes, fails, or does not end.
  mutating func coldSignal() -> Signal<Int, Oops> {
    let end: Completion<Oops>? =
      switch Int.random(in: 0..<6, using: &random) {
      case 0: nil
      case 1: .failed(Oops(code: Int.random(in: 0...9, using: &random)))
      default: .completed
      }
    return coldSignal(end)
  }

  /// A cold signal that completes.
  mutating func completingSignal() -> Signal<Int, Oops> { coldSignal(.completed) }

  /// Any signal, completed where it would fail.
  mutating func unfailingSignal() -> Signal<Int, Oops> { signal().catch { _ in .empty() } }

  private mutating func coldSignal(_ end: Completion<Oops>?) -> Signal<Int, Oops> {
    let values = (0..<Int.random(in: 0...trial.size, using: &random)).map { _ in value() }
    let isCreated = Bool.random(using: &random)
    notes.append("\(isCreated ? "created" : "plain") \(values), then \(end.map { "\($0)" } ?? "nothing")")
    if isCreated { return created(values, end) }
    return end == .completed ? Signal(values) : plain(values, end)
  }

  private func created(_ values: [Int], _ end: Completion<Oops>?) -> Signal<Int, Oops> {
    .create { observer in
      for value in values { observer.send(value) }
      if let end { observer.terminate(end) }
      // Without a terminal event it stays open as long as it has a subscriber.
      return ActionDisposable { withExtendedLifetime(observer) {} }
    }
  }

  private func plain(_ values: [Int], _ end: Completion<Oops>?) -> Signal<Int, Oops> {
    Signal.attaching { sink in
      for value in values {
        if sink.isEnded { return }
        sink.next(value)
      }
      if let end, !sink.isEnded { sink.terminate(end) }
    }
  }

  // MARK: Values and functions

  mutating func value() -> Int { Int.random(in: -3...3, using: &random) }

  mutating func count(from least: Int = 0) -> Int { Int.random(in: least...(least + 4), using: &random) }

  mutating func transform() -> @Sendable (Int) -> Int {
    let (factor, summand) = (value(), value())
    notes.append("{ $0 * \(factor) + \(summand) }")
    return { $0 &* factor &+ summand }
  }

  mutating func predicate() -> @Sendable (Int) -> Bool {
    let (divisor, rest) = (Int.random(in: 2...3, using: &random), Int.random(in: 0...1, using: &random))
    notes.append("{ abs($0) % \(divisor) != \(rest) }")
    return { abs($0) % divisor != rest }
  }

  /// A function that returns one of three signals.
  mutating func kleisli() -> @Sendable (Int) -> Signal<Int, Oops> {
    notes.append("a function to one of:")
    let table = [signal(), signal(), signal()]
    return { table[abs($0) % 3] }
  }

  /// A signal of functions.
  mutating func functions() -> Signal<Arrow<Int, Int>, Oops> {
    let functions = [Arrow(call: transform()), Arrow(call: transform()), Arrow(call: transform())]
    return signal().map { functions[abs($0) % 3] }
  }
}
