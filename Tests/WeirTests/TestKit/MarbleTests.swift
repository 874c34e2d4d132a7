// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Reading marble diagrams, and writing them.
struct MarbleTests {
  @Test("each character is a tick, and so is a group; spaces are ignored")
  func ticks() throws {
    let marks = try Marbles("  -a (bc) - | ").marks
    #expect(
      marks == [.init(1, .value("a")), .init(2, .value("b")), .init(2, .value("c")), .init(4, .completed)])
    #expect(try Marbles("^#").marks == [.init(0, .subscribed), .init(1, .failed)])
    #expect(
      try Marbles("(^a)-!").marks == [.init(0, .subscribed), .init(0, .value("a")), .init(2, .disposed)])
    #expect(try Marbles("").marks == [] && Marbles("---").marks == [])
  }

  @Test("a diagram made of marks has them in the order of ticks, and of the array within one tick")
  func marks() throws {
    let made = Marbles([
      .init(3, .completed), .init(0, .value("c")), .init(2, .value("b")), .init(0, .value("a")),
    ])
    #expect(made.description == "(ca)-b|")
    #expect(try Marbles(made.description) == made)
  }

  @Test("a mark before tick 0 traps with a clear message")
  func negativeTick() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Marbles([.init(0, .value("a")), .init(-1, .completed)])
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("weir: a mark at tick -1: a diagram begins with tick 0"))
  }

  #if compiler(>=6.3)  // Closures of exit tests capture values from 6.3 on.
  @Test(
    "a tick of zero traps with a clear message, when diagrams are read and when they are drawn",
    arguments: 0..<4)
  func noTick(place: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [place] in
      switch place {
      case 0: _ = try [Recorded<Character, Never>](marbles: "-a", tick: .zero)
      case 1: _ = try SubscriptionInterval("-^-!", tick: .zero)
      case 2: _ = SubscriptionInterval(start: .zero).marbles(tick: .zero)
      default: _ = MarbleDiagram.Lane("", [Recorded<Int, Never>](), tick: .zero)
      }
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      message.contains("weir: a tick of 0.0 seconds: the time from one tick to the next must be positive"))
  }
  #endif

  @Test(
    "a diagram that is written and read again is equal",
    arguments: ["", "a", "-a-b-|", "--(ab)-#", "(^ab)-!", "^--!", "(|)", "é-7-|"])
  func roundTrip(diagram: String) throws {
    let marbles = try Marbles(diagram)
    #expect(try Marbles(marbles.description) == marbles)
    #expect(marbles.description == (diagram == "(|)" ? "|" : diagram))
  }

  @Test(
    "a bad diagram throws an error with the position, what was found, and a remedy",
    arguments: [
      ("-a)b", 3, "closes no group"), ("-(ab", 2, "not closed"), ("(a(b))", 3, "begins at character 1"),
      ("(a-b)", 3, "inside a group"), ("a()", 2, "empty group"), ("-|-a", 4, "'a' after '|'"),
      ("#|", 2, "'|' after '#'"), ("-!a", 3, "'a' after '!'"), ("a^", 2, "'^' after 'a'"),
      ("^^", 2, "'^' after '^'"), ("a\tb", 2, "not a space"), ("(|a)", 3, "'a' after '|'"),
    ])
  func bad(diagram: String, position: Int, found: String) {
    let error = #expect(throws: MarbleError.self) { try Marbles(diagram) }
    #expect(error?.position == position)
    #expect(error?.found.contains(found) == true)
    #expect(error?.remedy.isEmpty == false)
  }

  @Test("the description of an error shows the position below the diagram")
  func words() {
    let error = #expect(throws: MarbleError.self) { try Marbles("-a)b") }
    #expect(
      error?.description == """
        bad marble diagram, character 3: ')' closes no group
          -a)b
            ^
        remove it, or put '(' before the first of the events that come together
        """)
  }

  @Test(
    "events: digits, characters, strings and Booleans stand for themselves; the length of a tick can be given"
  )
  func automatic() throws {
    #expect(
      try [Recorded<Int, Never>](marbles: "-1 -|") == [
        Recorded(.seconds(1), .next(1)), Recorded(.seconds(3), .completed),
      ])
    #expect(
      try [Recorded<String, TestFailure>](marbles: "a#", tick: .milliseconds(5)) == [
        Recorded(.zero, .next("a")), Recorded(.milliseconds(5), .failed(TestFailure())),
      ])
    #expect(try [Recorded<Character, Never>](marbles: "x").map(\.event) == [.next("x")])
    #expect(try [Recorded<Bool, Never>](marbles: "tf").map(\.event) == [.next(true), .next(false)])
    #expect([true, false].map(MarbleValues.automatic.character) == ["t", "f"])
  }

  @Test("events: values come from a dictionary or a closure, the error is the one given")
  func values() throws {
    let byName = try [Recorded<Int, Oops>](
      marbles: "ab#", values: ["a": 10, "b": 20], failure: Oops(code: 7))
    #expect(byName.map(\.event) == [.next(10), .next(20), .failed(Oops(code: 7))])
    let doubled = MarbleValues<Int> { character in character.wholeNumberValue.map { $0 * 2 } }
    #expect(try [Recorded<Int, Never>](marbles: "12", values: doubled).map(\.event) == [.next(2), .next(4)])
  }

  @Test("events: characters without a value, an error that is not given, and subscriptions throw")
  func refused() {
    func refusal<Failure: Error>(of diagram: String, _: Failure.Type) -> MarbleError? {
      #expect(throws: MarbleError.self) { try [Recorded<Int, Failure>](marbles: diagram) }
    }
    let unknown = refusal(of: "-1 (2x)", Never.self)
    #expect(unknown?.position == 6 && unknown?.found == "'x' stands for no Int")
    #expect(refusal(of: "-#", Never.self)?.remedy == "this signal cannot fail: remove it")
    #expect(refusal(of: "-#", Oops.self)?.remedy == "pass it as `failure:`")
    #expect(refusal(of: "^1", Never.self)?.position == 1)
    #expect(refusal(of: "1!", Never.self)?.position == 2)
    // The position in the middle is no mistake of its own, whose remedy would be refused in turn.
    let late = refusal(of: "-1-^-2|", Never.self)
    #expect(late?.position == 4 && late?.remedy.contains("during:") == true)
  }

  @Test("characters stand for no optional, unless a mapping says so: not all of them for nil")
  func optionals() {
    #expect(MarbleValues<Int?>.automatic.value("7") == nil)
    #expect(MarbleValues<Bool?>.automatic.value("t") == nil)
    #expect(MarbleValues<Bool?>.automatic.character(true) == nil)
    #expect(MarbleValues<any Sendable>.automatic.value("a") == nil)
    let error = #expect(throws: MarbleError.self) { try [Recorded<Int?, Never>](marbles: "-7-8-|") }
    #expect(error?.found == "'7' stands for no Optional<Int>")
  }

  @Test("subscription intervals are read and written; diagrams that are no interval throw")
  func intervals() throws {
    #expect(try SubscriptionInterval("--^--!") == SubscriptionInterval(start: .seconds(2), end: .seconds(5)))
    #expect(try SubscriptionInterval("-^").end == nil)
    for diagram in ["^", "--^---!", "-(^!)"] {
      #expect(try SubscriptionInterval(diagram).description == diagram)
    }
    let short = try SubscriptionInterval("-^!", tick: .milliseconds(10))
    #expect(short.marbles(tick: .milliseconds(10)) == "-^!")
    #expect(short.description == "from 0.01 seconds until 0.02 seconds")
    for tick in [Duration.seconds(1) / 7, .nanoseconds(123_456_789)] {
      for count in 0..<100 {
        let line = String(repeating: "-", count: count) + "^"
        #expect(try SubscriptionInterval(line, tick: tick).marbles(tick: tick) == line)
      }
    }
    #expect(throws: MarbleError.self) { try SubscriptionInterval("^-a") }
    let unbegun = #expect(throws: MarbleError.self) { try SubscriptionInterval("---!") }
    #expect(unbegun?.position == 5)
    // A line of more than 160 characters is hard to read.
    #expect(SubscriptionInterval(start: .seconds(159)).description.count == 160)
    #expect(SubscriptionInterval(start: .seconds(160)).description == "from 160.0 seconds on")
  }

  @Test("a subscription interval whose end is before its start traps with a clear message")
  func endBeforeStart() async {
    #expect(SubscriptionInterval(start: .seconds(1), end: .seconds(1)).description == "-(^!)")
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = SubscriptionInterval(start: .seconds(2), end: .seconds(1))
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      message.contains(
        "weir: SubscriptionInterval(start: 2.0 seconds, end: 1.0 seconds): it ends before it begins"))
  }

  @Test("with ticks of centuries, instants that no duration can hold are the longest one; nothing overflows")
  func farTicks() async {
    await #expect(processExitsWith: .success) {
      let (tick, longest) = (Duration.seconds(Int64.max), Duration(attoseconds: .max))
      let pause = String(repeating: "-", count: 100)
      let interval = try SubscriptionInterval("^\(pause)!", tick: tick)
      #expect(interval == SubscriptionInterval(start: .zero, end: longest))
      let events = try [Recorded<Int, Never>](marbles: "-1\(pause)|", tick: tick)
      #expect(events.map(\.time) == [tick, longest])
      let recorder = TimedRecorder(Signal<Int, Never>.just(1), on: VirtualScheduler())
      let problem = try #require(recorder.difference(from: "-1|", tick: tick))
      #expect(problem.description.contains("expected: -   1|"))
    }
  }
}
