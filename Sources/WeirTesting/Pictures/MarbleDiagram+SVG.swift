// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension MarbleDiagram {
  /// The picture as an SVG document. The same picture gives the same text, on every machine. Its background
  /// is transparent, and its colours follow the light or dark appearance of the reader. Anything after 10,000
  /// ticks is drawn at the right edge, one tick after everything else.
  public var svg: String { Sheet(self).document }
}

/// The layout of a picture in pixels, and the SVG elements that draw it.
private struct Sheet {
  private let tickWidth = 38.0
  private let radius = 15
  private let stackHeight = 34
  private let laneMargin = 12
  private let boxHeight = 38
  private let inset = 14
  /// Some instants stand for events that never come, and no picture is that wide.
  private static let farthest = 10_000.0

  private let diagram: MarbleDiagram
  private let width: Int
  private let left: Int
  /// Where anything beyond the farthest tick is drawn, in ticks.
  private let edge: Double
  private var colors: [String: Int] = [:]

  init(_ diagram: MarbleDiagram) {
    self.diagram = diagram
    let lanes = diagram.sources + diagram.results
    let longestLabel = lanes.map(\.label.count).max() ?? 0
    left = inset + (longestLabel == 0 ? 0 : longestLabel * 8 + 12)
    let ticks = lanes.flatMap(\.marks).map(\.tick).filter { !$0.isNaN }
    edge = 1 + (ticks.filter { $0 <= Self.farthest }.max() ?? 0)
    let last = max(0, min(ticks.max() ?? 1, edge))
    width = max(left + Int((last + 1.8) * tickWidth) + inset, diagram.name.count * 9 + 4 * inset)
    for mark in lanes.flatMap(\.marks) where mark.kind == .value && colors[mark.text] == nil {
      colors[mark.text] = colors.count % 10
    }
  }

  var document: String {
    var (elements, y): ([String], Int) = ([], inset / 2)
    for lane in diagram.sources { elements += draw(lane, top: &y) }
    elements += box(top: &y)
    for lane in diagram.results { elements += draw(lane, top: &y) }
    let height = y + inset / 2
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" role="img">
      <title>\(escaped(diagram.name))</title>
      <style>\(style)</style>
      \(elements.joined(separator: "\n"))
      </svg>

      """
  }

  /// What is no place, or is before the start, is drawn at the start.
  private func x(_ tick: Double) -> Int {
    let place = tick > Self.farthest ? edge : tick > 0 ? tick : 0
    return left + radius + Int((place * tickWidth).rounded())
  }

  /// Where a terminal mark is drawn: to the right of the values of its tick.
  private func x(ofTerminal mark: MarbleDiagram.Lane.Mark, in lane: MarbleDiagram.Lane) -> Int {
    let beside = lane.marks.filter { $0.kind == .value && $0.tick == mark.tick }.map { halfWidth($0) + 10 }
    return x(mark.tick) + (beside.max() ?? 0)
  }

  private func halfWidth(_ mark: MarbleDiagram.Lane.Mark) -> Int { max(radius, mark.text.count * 4 + 7) }

  private func box(top y: inout Int) -> [String] {
    defer { y += boxHeight + laneMargin }
    y += laneMargin / 2
    return [
      """
      <rect class="box" x="\(inset)" y="\(y)" width="\(width - 2 * inset)" height="\(boxHeight)" rx="8"/>
      """,
      """
      <text class="name" x="\(width / 2)" y="\(y + boxHeight / 2 + 5)">\(escaped(diagram.name))</text>
      """,
    ]
  }

  private func draw(_ lane: MarbleDiagram.Lane, top y: inout Int) -> [String] {
    let stacks = Dictionary(grouping: lane.marks.filter { $0.kind == .value }, by: \.tick)
    let height = stackHeight * max(1, stacks.values.map(\.count).max() ?? 1)
    defer { y += height + laneMargin }
    let line = y + stackHeight / 2
    var elements: [String] = []
    if !lane.label.isEmpty {
      elements.append("<text class=\"label\" x=\"\(inset)\" y=\"\(line + 5)\">\(escaped(lane.label))</text>")
    }
    elements += self.line(lane, y: line)
    for mark in lane.marks where mark.kind == .completed {
      elements.append(
        bar(x(ofTerminal: mark, in: lane), line, height: height, faint: isFaint(mark, in: lane)))
    }
    var stacked: [Double: Int] = [:]
    for mark in lane.marks where mark.kind == .value {
      let above = stacked[mark.tick, default: 0]
      stacked[mark.tick] = above + 1
      elements.append(marble(mark, line + above * stackHeight, faint: isFaint(mark, in: lane)))
    }
    for mark in lane.marks where mark.kind == .failed {
      elements.append(cross(x(ofTerminal: mark, in: lane), line, faint: isFaint(mark, in: lane)))
    }
    return elements
  }

  private func isFaint(_ mark: MarbleDiagram.Lane.Mark, in lane: MarbleDiagram.Lane) -> Bool {
    lane.listening.map { !$0.contains(mark.tick) } ?? false
  }

  /// The line itself, up to its terminal mark or an arrow at the end; dashed where there is no subscriber.
  private func line(_ lane: MarbleDiagram.Lane, y: Int) -> [String] {
    let terminal = lane.marks.first { $0.kind != .value }
    let beginning = x(lane.beginning) - (lane.beginning == 0 ? radius : 0)
    let end = terminal.map { x(ofTerminal: $0, in: lane) } ?? width - inset
    let from = max(
      beginning, lane.listening.map { $0.lowerBound == 0 ? beginning : x($0.lowerBound) } ?? beginning)
    let until = max(
      from, min(end, lane.listening.map { $0.upperBound.isFinite ? x($0.upperBound) : end } ?? end))
    var elements: [String] = []
    if beginning < from { elements.append(segment("line faint", beginning, from, y)) }
    if from < until { elements.append(segment("line", from, until, y)) }
    if until < end { elements.append(segment("line faint", until, end, y)) }
    if terminal == nil {
      let faint = until < end ? " faint" : ""
      elements.append(
        "<path class=\"arrow\(faint)\" d=\"M\(end - 7) \(y - 5) L\(end) \(y) L\(end - 7) \(y + 5)\"/>")
    }
    return elements
  }

  private func segment(_ style: String, _ from: Int, _ until: Int, _ y: Int) -> String {
    "<path class=\"\(style)\" d=\"M\(from) \(y) H\(until)\"/>"
  }

  private func marble(_ mark: MarbleDiagram.Lane.Mark, _ y: Int, faint: Bool) -> String {
    let (half, center) = (halfWidth(mark), x(mark.tick))
    return """
      <g\(faint ? " class=\"faint\"" : "")>\
      <rect class="marble c\(colors[mark.text] ?? 0)" x="\(center - half)" y="\(y - radius)" \
      width="\(2 * half)" height="\(2 * radius)" rx="\(radius)"/>\
      <text class="value" x="\(center)" y="\(y + 5)">\(escaped(mark.text))</text></g>
      """
  }

  private func bar(_ x: Int, _ y: Int, height: Int, faint: Bool) -> String {
    let bottom = y - stackHeight / 2 + height
    return
      "<path class=\"end\(faint ? " faint" : "")\" d=\"M\(x) \(y - stackHeight / 2 - 3) V\(bottom + 3)\"/>"
  }

  private func cross(_ x: Int, _ y: Int, faint: Bool) -> String {
    """
    <path class="failure\(faint ? " faint" : "")" \
    d="M\(x - 8) \(y - 8) L\(x + 8) \(y + 8) M\(x + 8) \(y - 8) L\(x - 8) \(y + 8)"/>
    """
  }
}

/// Text escaped for XML. Scalar by scalar, as a parser reads it: `<` keeps its meaning whatever combining
/// scalar follows. Scalars that XML cannot express, even escaped, are replaced.
private func escaped(_ text: String) -> String {
  text.unicodeScalars.map { scalar in
    switch scalar {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\t", "\n", "\r": String(scalar)
    case "\0"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
    default: String(scalar)
    }
  }.joined()
}

/// Colours and type, for light and dark pages.
private let style = """
  text{font:14px system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;text-anchor:middle}
  .name{font:15px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1f2328}
  .label{text-anchor:start;fill:#57606a}
  .value{fill:#1f2328}
  .box{fill:#f3f5f8;stroke:#8c959f;stroke-width:1.5}
  .line,.arrow,.end{fill:none;stroke:#57606a;stroke-width:2}
  .end{stroke-width:3}
  .line.faint{stroke-dasharray:3 5}
  .failure{fill:none;stroke:#d1242f;stroke-width:3}
  .faint{opacity:.4}
  .marble{stroke:#57606a;stroke-width:1.5}
  .c0{fill:#ffd8a8}.c1{fill:#a5d8ff}.c2{fill:#b2f2bb}.c3{fill:#fcc2d7}.c4{fill:#d0bfff}
  .c5{fill:#ffec99}.c6{fill:#99e9f2}.c7{fill:#d8f5a2}.c8{fill:#ffc9c9}.c9{fill:#dee2e6}
  @media (prefers-color-scheme:dark){
  .name{fill:#e6edf3}.label{fill:#9aa4af}.box{fill:#20262d;stroke:#6e7681}
  .line,.arrow,.end{stroke:#9aa4af}.marble{stroke:#c9d1d9}.failure{stroke:#ff7b72}}
  """
