// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Recording in virtual time, and the description of a recording that is not as expected.
struct TimedRecorderTests {
  struct Order: Sendable, Equatable {
    var amount: Int
  }

  private let scheduler = VirtualScheduler()

  /// The recording of a source with this diagram.
  private func record(_ diagram: String) throws -> TimedRecorder<Int, Oops> {
    let source = try HotSignal<Int, Oops>(diagram, on: scheduler, failure: Oops(code: 1))
    let recorder = TimedRecorder(source, on: scheduler)
    scheduler.run()
    return recorder
  }

  @Test(
    "a recorder has events with their times, values, the completion, and the interval of its subscription")
  func recorded() throws {
    let recorder = try record("-1-2|")
    #expect(
      recorder.events == [
        Recorded(.seconds(1), .next(1)), Recorded(.seconds(3), .next(2)), Recorded(.seconds(4), .completed),
      ])
    #expect(recorder.values == [1, 2] && recorder.completion == .completed)
    #expect(recorder.interval?.description == "^---!")
  }

  @Test("a recorder that is disposed before its interval begins never subscribes")
  func disposedBefore() {
    let source = Subject<Int, Oops>()
    let recorder = TimedRecorder(source, on: scheduler, during: .init(start: .seconds(2), end: .seconds(9)))
    recorder.dispose()
    scheduler.advance(by: .seconds(5))
    source.send(1)
    #expect(recorder.events.isEmpty && recorder.interval == nil)
  }

  @Test("a recorder that is disposed inside its first event, during subscribe, does not record that event")
  func disposedInside() {
    let own = Box<TimedRecorder<Int, Oops>?>(nil)
    let source = Subject<Int, Oops>()
    let recorder = TimedRecorder(
      source.startWith(1).doNext { if $0 == 1 { own.value?.dispose() } }, on: scheduler,
      during: .init(start: .seconds(2)))
    own.value = recorder
    scheduler.run()
    source.send(2)
    #expect(recorder.values == [] && recorder.interval == .init(start: .seconds(2), end: .seconds(2)))
    own.value = nil
  }

  @Test("a recorder that is disposed inside an event of a synchronous signal stops the signal there")
  func disposedInsideSynchronous() {
    let (own, sent) = (Box<TimedRecorder<Int, Never>?>(nil), Counter())
    let numbers = Signal<Int, Never>.range(0..<1_000).doNext { number in
      sent.add()
      if number == 2 { own.value?.dispose() }
    }
    let recorder = TimedRecorder(numbers, on: scheduler, during: .init(start: .seconds(2)))
    own.value = recorder
    scheduler.run()
    #expect(sent.value == 3)
    #expect(recorder.values == [0, 1] && recorder.completion == nil)
    #expect(recorder.interval == .init(start: .seconds(2), end: .seconds(2)))
    own.value = nil
  }

  @Test(
    "contract 7: a recorder that nothing else retains is released with its source, without a terminal event")
  func released() throws {
    let problem = try findLeaks { resources in
      let scheduler = VirtualScheduler()
      _ = resources.follow(TimedRecorder(Signal<Int, Oops>.never(), on: scheduler))
      let source = try ColdSignal<Int, Never>("-1-2", on: scheduler)
      _ = resources.follow(TimedRecorder(source, on: scheduler))
      scheduler.run()
    }
    #expect(problem == nil)
  }

  @Test("an interval that ends before it begins traps with a clear message")
  func endBeforeStart() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var interval = SubscriptionInterval(start: .seconds(2))
      interval.end = .seconds(1)
      _ = TimedRecorder(Signal<Int, Oops>.never(), on: VirtualScheduler(), during: interval)
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("weir: TimedRecorder(during: "))
    #expect(message.contains("it ends before it begins"))
  }

  @Test("a recording is drawn as the diagram it came from", arguments: ["-1-2|", "(12)--#", "--3", "|", ""])
  func drawn(diagram: String) throws {
    #expect(try record(diagram).marbles() == diagram)
  }

  @Test("a recording that is as expected has no difference", arguments: ["-1-(23)-|", "---#", "1", "---"])
  func same(diagram: String) throws {
    let recorder = try record(diagram)
    #expect(recorder.difference(from: diagram) == nil)
    #expect(recorder.difference(from: recorder.events) == nil)
  }

  @Test(
    "every kind of difference is found",
    arguments: ["-1-2-|", "-1-3|", "-1--2|", "-1-2", "-1-2#", "-(12)|", "-1-2|^", "^1-2!", "(^1)2|", "-12|"])
  func different(diagram: String) throws {
    #expect(try record("-1-2|").difference(from: diagram) != nil)
  }

  @Test("the error of # is compared if one is given")
  func failures() throws {
    let recorder = try record("-#")
    #expect(recorder.difference(from: "-#") == nil)
    #expect(recorder.difference(from: "-#", failure: Oops(code: 1)) == nil)
    #expect(recorder.difference(from: "-#", failure: Oops(code: 2)) != nil)
  }

  @Test("the description of a difference shows both diagrams below each other, aligned, and the position")
  func words() throws {
    let problem = try record("-1-(23)-4|").difference(from: "-1-2-5|")
    #expect(
      problem?.description == """
        not what was expected, from 3.0 seconds on
        expected: -1-2   -5|
        actual:   -1-(23)-4|
                     ^
        """)
  }

  @Test("two different errors at one position are described, as the diagrams look alike")
  func twoErrors() throws {
    let recorder = try record("--#")
    #expect(
      recorder.difference(from: "--#", failure: Oops(code: 2))?.description == """
        not what was expected, from 2.0 seconds on
        expected: --#
        actual:   --#
                    ^
        # = Oops(code: 2), was Oops(code: 1)
        """)
    let events: [Recorded<Int, Oops>] = [Recorded(.seconds(1), .failed(Oops(code: 2)))]
    let elsewhere = recorder.difference(from: events)?.description
    #expect(elsewhere?.hasSuffix("\n# = Oops(code: 2), was Oops(code: 1)") == true)
    #expect(recorder.difference(from: "-#", failure: Oops(code: 1))?.description.contains("Oops") == false)
    #expect(recorder.difference(from: "--|")?.description.contains("Oops") == false)
  }

  @Test("values without a character get a letter and are explained; events between two ticks are listed")
  func legend() {
    let source = HotSignal<Order, Never>(
      [
        Recorded(.seconds(1), .next(Order(amount: 100))),
        Recorded(.milliseconds(2500), .next(Order(amount: 7))),
        Recorded(.seconds(3), .completed),
      ], on: scheduler)
    let recorder = TimedRecorder(source, on: scheduler)
    scheduler.run()
    let problem = recorder.difference(from: "-a-|", values: ["a": Order(amount: 1)])
    #expect(
      problem?.description == """
        not what was expected, from 1.0 seconds on
        expected: -a-|
        actual:   -A-|
                   ^
        a = Order(amount: 1)
        A = Order(amount: 100)
        actual, not in the line: 2.5 seconds: Order(amount: 7)
        """)
    #expect(
      recorder.marbles() == "-A-|\nA = Order(amount: 100)\n2.5 seconds: Order(amount: 7)")
  }

  @Test("a value that is not in the table is not drawn as a character that stands for another value in it")
  func foreign() throws {
    let recorder = try record("-1-3")
    #expect(recorder.marbles(values: ["1": 10, "2": 20]) == "-A-3\nA = 1")
    let letter = MarbleValues<Int> { $0 == "A" ? 10 : nil }
    #expect(recorder.marbles(values: letter) == "-B-C\nB = 1\nC = 3")
  }

  @Test("two values are never drawn as one character; of two characters for a value, the first one is taken")
  func ambiguous() throws {
    let recorder = try record("-1-3")
    let alike = MarbleValues<Int>({ _ in nil }, character: { _ in "x" })
    #expect(recorder.marbles(values: alike) == "-x-A\nx = 1\nA = 3")
    #expect(recorder.marbles(values: ["c": 1, "a": 1, "b": 1]) == "-a-3\na = 1")
  }

  @Test("if an event is too late for a line, all are listed")
  func long() {
    let source = HotSignal<Int, Never>([Recorded(.seconds(3600), .next(1))], on: scheduler)
    let recorder = TimedRecorder(source, on: scheduler)
    scheduler.run()
    #expect(
      recorder.difference(from: "-1")?.description == """
        not what was expected, from 1.0 seconds on
        expected: -1
        actual:   
                   ^
        actual, not in the line: 3600.0 seconds: 1
        """)
    let later = HotSignal<Int, Never>(
      [Recorded(.seconds(4000), .next(1)), Recorded(.seconds(8000), .next(2))], on: scheduler)
    let both = TimedRecorder(later, on: scheduler)
    scheduler.run()
    #expect(both.marbles(tick: .seconds(40)) == "\n4000.0 seconds: 1\n8000.0 seconds: 2")
  }

  @Test("a recorder subscribes and disposes at the instants of its interval, which a diagram can show")
  func during() throws {
    let source = try HotSignal<Int, Never>("1-2-3-4-5", on: scheduler)
    let recorder = try TimedRecorder(source, on: scheduler, during: SubscriptionInterval("-^---!"))
    #expect(recorder.interval == nil)
    scheduler.run()
    #expect(recorder.difference(from: "-^2-3!") == nil)
    #expect(recorder.difference(from: "--2-3") == nil)
    #expect(recorder.difference(from: "^-2-3!") != nil)
    #expect(recorder.difference(from: "--2-3-!") != nil)
    #expect(recorder.difference(from: "-^2-3") != nil)
  }

  @Test("an interval includes the events at the instant of its start, and none at that of its end")
  func edges() throws {
    let hot = try HotSignal<Int, Never>("1-2-3-|", on: scheduler)
    let cold = try ColdSignal<Int, Never>("1-2-3-|", on: scheduler)
    let intervals = ["^---!", "--^-!", "--^---!", "(^!)"].map { try! SubscriptionInterval($0) }
    let ofHot = intervals.map { TimedRecorder(hot, on: scheduler, during: $0) }
    let ofCold = intervals.map { TimedRecorder(cold, on: scheduler, during: $0) }
    scheduler.run()
    #expect(ofHot.map { $0.marbles() } == ["1-2", "--2", "--2-3", ""])
    #expect(ofCold.map { $0.marbles() } == ["1-2", "--1", "--1-2", ""])
  }

  @Test("of an interval that has passed, only what is sent while it is being subscribed is recorded")
  func passed() {
    scheduler.advance(by: .seconds(5))
    let source = Subject<Int, Never>()
    for (start, end) in [(0, 2), (5, 5), (2, 5)] {
      let interval = SubscriptionInterval(start: .seconds(start), end: .seconds(end))
      let recorder = TimedRecorder(source.startWith(1), on: scheduler, during: interval)
      source.send(2)
      #expect(recorder.values == [1] && source.subscriberCount == 0)
      #expect(recorder.interval == SubscriptionInterval(start: .seconds(5), end: .seconds(5)))
    }
  }

  @Test("strings and numbers of several characters get letters that stand for nothing else in the drawing")
  func letters() throws {
    let strings = TimedRecorder(Signal<String, Never>(["ab", "A", "xyz"]), on: scheduler)
    #expect(strings.marbles() == "(BAC|)\nB = ab\nC = xyz")
    let digits = try ColdSignal<Double, Never>("1-3|", on: scheduler)
    let doubles = TimedRecorder(digits.map { $0 * 2 }, on: scheduler)
    scheduler.run()
    #expect(
      doubles.difference(from: "1-3|")?.description == """
        not what was expected, from 0.0 seconds on
        expected: 1-3|
        actual:   A-B|
                  ^
        1 = 1.0
        3 = 3.0
        A = 2.0
        B = 6.0
        """)
  }

  @Test("tuples are compared by their elements")
  func tuples() throws {
    let source = try HotSignal<Int, Never>("12", on: scheduler)
    let recorder = TimedRecorder(source.map { ($0, "\($0)") }, on: scheduler)
    scheduler.run()
    let values = MarbleValues<(Int, String)> { ["a": (1, "1"), "b": (2, "2"), "c": (2, "3")][$0] }
    #expect(recorder.difference(from: "ab", values: values) == nil)
    #expect(recorder.difference(from: "ac", values: values) != nil)
  }

  private final class Session: Sendable, CustomStringConvertible {
    let description = "Session"
  }

  @Test("objects are compared by identity, also inside an optional; nil equals nil only")
  func objects() {
    let (one, other) = (Session(), Session())
    /// Whether one value is taken for the other.
    func isSame<Value: Sendable>(_ recorded: Value, _ expected: Value) -> Bool {
      let source = HotSignal<Value, Never>([Recorded(.seconds(1), .next(recorded))], on: scheduler)
      let recorder = TimedRecorder(source, on: scheduler)
      scheduler.run()
      return recorder.difference(from: [Recorded(.seconds(1), .next(expected))]) == nil
    }
    #expect(isSame(one, one) && !isSame(one, other))
    #expect(isSame(Optional(one), one) && !isSame(Optional(one), other))
    #expect(!isSame(Optional(one), nil) && !isSame(nil, Optional(one)) && isSame(Session?.none, nil))
    #expect(isSame(Session??.some(one), one) && !isSame(Session??.some(one), other))
    #expect(isSame(Session??.some(nil), .some(nil)) && !isSame(Session??.some(nil), .none))
    #expect(isSame(Optional(1), 1) && !isSame(Optional(1), 2) && !isSame(Optional(1), nil))
    #expect(isSame(Optional((1, "1")), (1, "1")) && !isSame(Optional((1, "1")), (1, "2")))
  }

  @Test("a bad diagram is described as a problem")
  func bad() throws {
    #expect(try record("-1").difference(from: "-(1")?.description.contains("not closed") == true)
  }
}
