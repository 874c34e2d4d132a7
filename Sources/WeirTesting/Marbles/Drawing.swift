// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Draws timelines as marble diagrams that use the same characters for the same values, and lists what a line
/// cannot show.
struct Drawing<Value: Sendable, Failure: Error> {
  typealias Line = Timeline<Value, Failure>

  /// A line longer than this is hard to read: its events are listed instead.
  private var longest: Int { 160 }
  private let tick: Duration
  private let values: MarbleValues<Value>
  /// The characters in use, and the values they stand for.
  private var characters: [(character: Character, value: Value)] = []
  /// The characters that values to be drawn have of their own.
  private var reserved: Set<Character> = []

  /// A drawing of `timelines`, in which the characters of diagrams stand for what they do there.
  init(_ timelines: [Line], tick: Duration, values: MarbleValues<Value>) {
    requireTick(tick)
    self.tick = tick
    self.values = values
    for (character, value) in timelines.flatMap(\.characters)
    where !characters.contains(where: { $0.character == character }) {
      characters.append((character, value))
    }
    for case .value(let value) in timelines.flatMap(\.happenings).map(\.what) {
      if let own = values.character(value) { reserved.insert(own) }
    }
  }

  /// The tick at an instant; nil if that is between two ticks, or too far away to draw.
  func tick(at time: Duration) -> Int? {
    // Exactly: a floating-point quotient may be slightly less than the whole number that it should be.
    let (count, rest) = time.attoseconds.quotientAndRemainder(dividingBy: tick.attoseconds)
    return rest == 0 && 0..<Int128(longest) ~= count ? Int(count) : nil
  }

  /// The part of a timeline that fits into a line of characters, and the rest in words.
  mutating func draw(_ timeline: Line) -> (marbles: Marbles, rest: [String]) {
    var (marks, rest): ([Marbles.Placed], [String]) = ([], [])
    let end = instant(ofTick: longest, tick)
    let isShort = timeline.happenings.allSatisfy { $0.time < end }
    for (time, what) in timeline.happenings {
      if isShort, let tick = tick(at: time), let mark = mark(for: what) {
        marks.append(Marbles.Placed(tick, mark))
      } else {
        rest.append("\(time): \(words(for: what))")
      }
    }
    return (Marbles(marks), rest)
  }

  /// What each character stands for, unless its value is described by just that.
  var legend: [String] {
    characters.filter { "\($0.value)" != String($0.character) }.map { "\($0.character) = \($0.value)" }
  }

  private mutating func mark(for what: Line.Happening) -> Marbles.Mark? {
    switch what {
    case .subscribed: .subscribed
    case .completed: .completed
    case .failed: .failed
    case .disposed: .disposed
    case .value(let value): character(for: value).map { .value($0) }
    }
  }

  private mutating func character(for value: Value) -> Character? {
    if let known = characters.first(where: { isAlike($0.value, value) }) { return known.character }
    let used = characters.map(\.character)
    let own = values.character(value).flatMap { isForValues($0) && !used.contains($0) ? $0 : nil }
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".filter {
      !used.contains($0) && !reserved.contains($0)
    }
    // One that stands for nothing, if there is one: as strings, all letters stand for themselves.
    let free = letters.first { values.value($0) == nil } ?? letters.first
    guard let character = own ?? free else { return nil }
    characters.append((character, value))
    return character
  }

  private func words(for what: Line.Happening) -> String {
    switch what {
    case .subscribed: "subscribed"
    case .value(let value): "\(value)"
    case .failed(let error): error.map { "failed with \($0)" } ?? "failed"
    case .completed: "completed"
    case .disposed: "disposed"
    }
  }
}

/// Diagrams as lines with each tick in one column, and the columns where the ticks start.
func aligned(_ diagrams: [Marbles]) -> (lines: [String], columns: [Int]) {
  let cells = diagrams.map(\.cells)
  var columns = [0]
  var lines = Array(repeating: "", count: cells.count)
  for tick in 0..<(cells.map(\.count).max() ?? 0) {
    let width = cells.map { $0.count > tick ? $0[tick].count : 0 }.max() ?? 0
    for line in cells.indices where cells[line].count > tick {
      lines[line] += cells[line][tick]
      lines[line] += String(repeating: " ", count: width - cells[line][tick].count)
    }
    columns.append(columns[tick] + width)
  }
  return (lines, columns)
}
