// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing
import Weir
import WeirTesting

/// The pictures in the articles show what the operators do.
struct PictureTests {
  @Test("the committed picture shows what the operator does", arguments: Picture.all)
  func committed(picture: Picture) throws {
    let svg = try picture.draw().svg
    let path = Self.folder + "/marbles-\(picture.file).svg"
    if getenv("WEIR_UPDATE_MARBLES") != nil { try #require(write(svg, to: path)) }
    let isSame = contents(of: path) == svg
    #expect(
      isSame,
      """
      marbles-\(picture.file).svg does not show what \(picture.file) does now. If that is right, draw all pictures again with
        WEIR_UPDATE_MARBLES=1 swift test --filter PictureTests
      look at the new ones, and commit them.
      """)
  }

  @Test("each picture has a file of its own")
  func distinct() {
    #expect(Set(Picture.all.map(\.file)).count == Picture.all.count)
  }

  @Test("a picture is drawn identically each time, and text with a meaning in SVG is escaped")
  func drawing() throws {
    let lane = MarbleDiagram.Lane("a & b", [Recorded<String, Never>(.seconds(1), .next("<x>"))])
    let picture = MarbleDiagram("map { $0 > 1 }", sources: [lane], results: [])
    #expect(picture.svg == picture.svg)
    for part in ["a &amp; b", "&lt;x&gt;", "map { $0 &gt; 1 }"] { #expect(picture.svg.contains(part)) }
  }

  @Test(
    "scalars with a meaning in XML are escaped whatever combines with them; those not allowed are replaced")
  func scalars() {
    let text = "<\u{338}&\u{FE0F}\t\u{0}\u{1B}\u{FFFE}\u{FFFF}"
    let lane = MarbleDiagram.Lane("", [Recorded<String, Never>(.seconds(1), .next(text))])
    let drawn = MarbleDiagram("", sources: [lane], results: []).svg.unicodeScalars
    let wanted = "&lt;\u{338}&amp;\u{FE0F}\t\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}</text>"
    #expect(drawn.contains(wanted.unicodeScalars))
  }

  @Test(
    "what is no place, or is before the start, is drawn at the start",
    arguments: [Double.nan, -Double.infinity, -3, -Double.greatestFiniteMagnitude])
  func nowhere(tick: Double) {
    func picture(at tick: Double) -> String {
      let mark = MarbleDiagram.Lane.Mark(tick: tick, kind: .value, text: "a")
      let end = MarbleDiagram.Lane.Mark(tick: 2, kind: .completed)
      let lane = MarbleDiagram.Lane(marks: [mark, end], beginning: tick)
      return MarbleDiagram("", sources: [lane], results: []).svg
    }
    let start = picture(at: 0).split(separator: "\n").filter { $0.contains(">a<") }
    #expect(!start.isEmpty)
    #expect(picture(at: tick).split(separator: "\n").filter { $0.contains(">a<") } == start)
  }

  @Test("a lane of marks is drawn as one of the events that they stand for")
  func marks() {
    let marks: [MarbleDiagram.Lane.Mark] = [
      .init(tick: 1, kind: .value, text: "a"), .init(tick: 2.5, kind: .completed),
    ]
    let events: [Recorded<String, Never>] = [
      Recorded(.seconds(1), .next("a")), Recorded(.milliseconds(2_500), .completed),
    ]
    let lanes = [MarbleDiagram.Lane("x", marks: marks), MarbleDiagram.Lane("x", events)]
    let pictures = lanes.map { MarbleDiagram("", sources: [$0], results: []).svg }
    #expect(pictures[0] == pictures[1])
  }

  @Test("a lane whose subscriber leaves before it comes traps with a clear message")
  func lane() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var interval = SubscriptionInterval(start: .seconds(5))
      interval.end = .seconds(1)
      _ = MarbleDiagram.Lane("", [Recorded<Int, Never>](), listening: interval)
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("a lane with a subscriber from 5.0 seconds until 1.0 seconds: swap them"))
  }

  @Test("an event at the last instant is drawn at the right edge, also relative to a later subscription")
  func never() {
    let scheduler = VirtualScheduler()
    /// A picture of an event that comes late.
    func picture(_ late: Duration) -> String {
      let source = ColdSignal<Int, Never>(
        [Recorded(.seconds(1), .next(1)), Recorded(late, .completed)], on: scheduler)
      let recorder = TimedRecorder(source, on: scheduler)
      return MarbleDiagram("", sources: source.lanes(), results: [recorder.lane()]).svg
    }
    #expect(picture(Duration(attoseconds: .max)) == picture(.seconds(2)))
    scheduler.advance(by: .seconds(5))
    #expect(picture(Duration(attoseconds: .max)) == picture(.seconds(2)))
  }

  @Test("lanes are made from sent events, recordings and subscription intervals")
  func lanes() throws {
    let scheduler = VirtualScheduler()
    let hot = try HotSignal<Int, TestFailure>("-1-2-3-|", on: scheduler)
    let cold = try ColdSignal<Int, TestFailure>("-#", on: scheduler)
    let recorder = TimedRecorder(hot.take(first: 2), on: scheduler)
    let retried = TimedRecorder(cold.retry(upTo: 1), on: scheduler)
    scheduler.run()
    #expect(hot.lane().marks.map(\.tick) == [1, 3, 5, 7])
    #expect(hot.lane().listening == 0...3)
    #expect(recorder.lane("taken", text: { "n\($0)" }).marks.map(\.text) == ["n1", "n2", ""])
    #expect(cold.lanes().map(\.beginning) == [0, 1])
    #expect(cold.lanes().map { $0.marks.map(\.tick) } == [[1], [2]])
    #expect(retried.lane().marks.map(\.tick) == [2])
  }

  private static let folder =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(5).joined(separator: "/")
    + "/Sources/Weir/Weir.docc/Resources"

  private func contents(of path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(byte)) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func write(_ text: String, to path: String) -> Bool {
    guard let file = fopen(path, "w") else { return false }
    defer { fclose(file) }
    return fputs(text, file) >= 0
  }
}
