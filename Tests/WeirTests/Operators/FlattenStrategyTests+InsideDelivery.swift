// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

extension FlattenStrategyTests {
  /// Values of the source that the subscriber causes: their signals begin after the delivery. Strategies with
  /// a limit are in the suite around this.
  @Suite struct InsideDeliveryTests {
    private typealias Numbers = Signal<Int, Oops>

    /// An operator, and what it makes of the values 1 and 2 in one delivery.
    private struct Form: Sendable, CustomTestStringConvertible {
      let testDescription: String
      var made = [1, 2]
      var begun = [1, 2]
      let flatten: @Sendable (Numbers, @escaping @Sendable (Int) -> Numbers) -> Numbers
    }

    private static let forms = [
      Form(testDescription: "merge") { $0.flatMap($1) },
      Form(testDescription: "bind") { numbers, make in numbers.bind { { .next(make($0)) } } },
      Form(testDescription: "latest", begun: [2]) { $0.flatMap(.latest, $1) },
    ]
    private static let last = Form(testDescription: "bind, last", made: [1], begun: [1]) { numbers, make in
      numbers.bind { { $0 == 0 ? .next(make($0)) : .last(make($0)) } }
    }

    private let source = Subject<Int, Oops>()
    private let inner = Subject<Int, Oops>()
    private let values = Box<[Int]>([])

    @Test(
      "a signal for a value that the subscriber causes begins after the delivery: there it can be stopped",
      arguments: forms + [last], [true, false])
    private func stopped(form: Form, isPlain: Bool) {
      let sent = Counter()
      let many = isPlain ? Numbers(0..<1_000) : Numbers.just(0).repeat(times: 1_000)
      form.flatten(source.signal) { [inner] value in
        value == 0 ? inner.signal : many.doNext { _ in sent.add() }
      }.take(first: 3).subscribe(
        next: { [source, values] value in
          values.value.append(value)
          if value == 10 { source.send(1) }
        }, failed: { _ in })
      source.send(0)
      inner.send(10)
      #expect(values.value == [10, 0, isPlain ? 1 : 0])
      #expect(sent.value == 2)
    }

    @Test(
      "B4: the closure runs inside of the delivery; the signals begin in order after that, and are waited for",
      arguments: forms + [last])
    private func order(form: Form) {
      let log = Box<[String]>([])
      let inner = (0..<3).map { _ in Subject<Int, Oops>() }
      form.flatten(source.signal) { index in
        log.value.append("make \(index)")
        return .deferred {
          log.value.append("begin \(index)")
          return inner[index].startWith(index)
        }
      }.subscribe(
        next: { [source] value in
          log.value.append("\(value)")
          if value != 10 { return }
          source.send(1)
          source.send(2)
          source.complete()
          log.value.append("over")
        }, failed: { _ in }, completed: { log.value.append("completed") })
      source.send(0)
      inner[0].send(10)
      var expected = ["make 0", "begin 0", "0", "10"] + form.made.map { "make \($0)" } + ["over"]
      for index in form.begun { expected += ["begin \(index)", "\(index)"] }
      #expect(log.value == expected)
      for subject in inner { subject.complete() }
      #expect(log.value == expected + ["completed"])
    }

    @Test(
      "a signal that waits for the end of a delivery in which the run ends is let go of and does not begin",
      arguments: forms, [true, false])
    private func ended(form: Form, byFailure: Bool) {
      let (resources, begun) = (Resources(), Counter())
      let subscription = Box<Subscription?>(nil)
      subscription.value = form.flatten(source.signal) { [inner] value in
        if value == 0 { return inner.signal }
        return .deferred { [token = resources.make()] in
          withExtendedLifetime(token) { _ = begun.add() }
          return .never()
        }
      }.subscribe(
        next: { [source] _ in
          source.send(1)
          if byFailure { source.fail(Oops()) } else { subscription.value?.dispose() }
        }, failed: { _ in })
      source.send(0)
      inner.send(10)
      #expect((begun.value, resources.alive) == (0, 0))
      #expect(subscription.value?.isDisposed == true)
    }

    @Test("a hundred thousand signals, each for a value that the one before causes, do not grow the stack")
    func deep() async {
      await #expect(processExitsWith: .success) {
        withSmallStack {
          for form in InsideDeliveryTests.forms {
            let (source, inner, count) = (Subject<Int, Oops>(), Subject<Int, Oops>(), Counter())
            form.flatten(source.signal) { $0 == 0 ? inner.signal : Numbers.just($0).map { $0 } }.subscribe(
              next: { value in
                count.add()
                if value < manyRounds { source.send(value + 1) }
              }, failed: { _ in })
            source.send(0)
            // So the source is not delivering when it is sent the next value.
            inner.send(0)
            #expect(count.value == manyRounds + 1)
          }
        }
      }
    }

    @Test("latest: of the signals that come inside of a delivery only the newest is kept for its end")
    func newest() {
      let (resources, begun, waiting) = (Resources(), Box<[Int]>([]), Box(0))
      source.flatMap(.latest) { [inner] value -> Numbers in
        if value == 0 { return inner.signal }
        return .deferred { [token = resources.make()] in
          withExtendedLifetime(token) { begun.value.append(value) }
          return .never()
        }
      }.subscribe(
        next: { [source] _ in
          for value in 1...3 { source.send(value) }
          waiting.value = resources.alive
        }, failed: { _ in })
      source.send(0)
      inner.send(10)
      #expect(waiting.value == 1)
      #expect(begun.value == [3])
    }

    @Test("latest: a plain signal that has waited for the end of a delivery is ended by a value as it sends")
    func cut() {
      let sent = Counter()
      source.flatMap(.latest) { [inner] value -> Numbers in
        switch value {
        case 0: inner.signal
        case 1: Numbers(100..<200).doNext { _ in sent.add() }
        default: .just(7)
        }
      }.subscribe(
        next: { [source, values] value in
          values.value.append(value)
          if value == 10 { source.send(1) }
          if value == 100 { source.send(2) }
        }, failed: { _ in })
      source.send(0)
      inner.send(10)
      #expect(values.value == [10, 100, 7])
      #expect(sent.value == 1)
    }

    @Test("latest: a value on another thread replaces a signal that waits for the end of a delivery")
    func replaced() {
      let (waits, isReplaced) = (Door(), Door())
      let begun = Box<[Int]>([])
      source.flatMap(.latest) { [inner] value -> Numbers in
        if value == 0 { return inner.signal }
        return .deferred {
          begun.value.append(value)
          return .just(value)
        }
      }.subscribe(
        next: { [source, values] value in
          values.value.append(value)
          if value != 10 { return }
          source.send(1)
          waits.open()
          isReplaced.pass()
        }, failed: { _ in })
      source.send(0)
      withThreads(2) { [source, inner] index in
        if index == 0 { return inner.send(10) }
        waits.pass()
        source.send(2)
        isReplaced.open()
      }
      #expect(begun.value == [2])
      #expect(values.value == [10, 2])
    }
  }
}
