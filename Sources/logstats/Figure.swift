// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc

/// A line of the summary, for people and for programs.
struct Figure {
  let name: String
  let text: String
  let json: String
  static func count(_ name: String, _ count: Int) -> Figure {
    func grouped(_ count: Int) -> String {
      count < 1000 ? "\(count)" : "\(grouped(count / 1000)),\("\(count % 1000 + 1000)".dropFirst())"
    }
    return Figure(name: name, text: grouped(count), json: "\(count)")
  }
  /// A count that may be too large by `error`, which the text shows as ≤.
  static func most(_ name: String, _ count: Int, tooManyBy error: Int) -> Figure {
    let figure = Figure.count(name, count)
    return error == 0 ? figure : Figure(name: name, text: "≤\(figure.text)", json: figure.json)
  }
  /// A number; in text with the largest suitable unit. Each unit is a thousand of the one before.
  static func measure(_ name: String, _ value: Double?, _ units: [String]) -> Figure {
    guard let value else { return Figure(name: name, text: "not in the log", json: "null") }
    var (scaled, rest) = (value, units[...])
    while scaled >= 999.95, rest.count > 1 { (scaled, rest) = (scaled / 1000, rest.dropFirst()) }
    let text = "\((scaled * 10).rounded() / 10) \(rest.first ?? "")"
    let json = Int(exactly: value).map { "\($0)" } ?? "\((value * 1000).rounded() / 1000)"
    return Figure(name: name, text: text, json: json)
  }

  static func time(_ name: String, _ seconds: Int) -> Figure {
    var (seconds, parts, text) = (seconds, tm(), [CChar](repeating: 0, count: 32))
    let length = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &parts))
    return .text(name, String(decoding: text.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self))
  }

  static func text(_ name: String, _ text: String) -> Figure {
    let clean = cleaned(text)
    let json = clean.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }
    return Figure(name: name, text: clean, json: "\"\(json.joined())\"")
  }

  /// In text a table whose last column is flush left, in JSON an array of objects.
  static func rows(_ name: String, _ rows: [[Figure]]) -> Figure {
    let cells = rows.prefix(1).map { $0.map(\.name) } + rows.map { $0.map(\.text) }
    let widths = (cells.first ?? []).indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
    let lines = cells.map { row in
      let flushRight = zip(row, widths).map { String(repeating: " ", count: $1 - $0.count) + $0 }
      return "\n  " + (flushRight.dropLast() + row.suffix(1)).joined(separator: "  ")
    }
    return Figure(name: name, text: lines.joined(), json: "[\(rows.map(\.json).joined(separator: ","))]")
  }
}

/// Replaces control characters, which must reach neither a terminal nor JSON.
func cleaned(_ text: String) -> String {
  text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : "\($0)" }.joined()
}

extension [Figure] {
  /// One JSON object.
  var json: String { "{\(map { "\"\($0.name)\":\($0.json)" }.joined(separator: ","))}" }
  /// One line, in which every figure has its name.
  var line: String { map { "\($0.name) \($0.text)" }.joined(separator: "  ") + "\n" }

  /// A line for each figure; escape sequences may emphasise its name.
  func table(_ emphasis: (String, String)) -> String {
    let gap = String(repeating: " ", count: 16)
    let (on, off) = emphasis
    return map { "\(on)\($0.name)\(off)\(gap.dropFirst($0.name.count)) \($0.text)\n" }.joined()
  }
}
