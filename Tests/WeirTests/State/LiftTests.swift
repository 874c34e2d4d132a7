// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

/// Methods called with the latest values of signals.
struct LiftTests {
  private final class View: HasLifetime, @unchecked Sendable {  // used on one thread at a time
    let lifetime = Lifetime()
    private(set) var sizes: [[Int]] = []
    private(set) var name = ""
    deinit { lifetime.end() }
    func resize(_ width: Int, _ height: Int) -> Int {
      sizes.append([width, height])
      return width * height
    }
    func rename(to name: String) { self.name = name }
  }

  private let view = View()
  private let widths = Subject<Int, Oops>()
  private let heights = Subject<Int, Oops>()

  @Test(
    "P6: the method is first called when all arguments have a value, then once per value, without a subscriber"
  )
  func calls() {
    widths.combineLatest(with: heights).lift(into: view) { $0.resize($1, $2) }
    widths.send(1)
    widths.send(2)
    #expect(view.sizes.isEmpty)
    heights.send(3)
    widths.send(4)
    heights.send(5)
    #expect(view.sizes == [[2, 3], [4, 3], [4, 5]])
  }

  @Test("P6: the returned signal replays the last result, and completes when all arguments have completed")
  func results() {
    let areas = widths.combineLatest(with: heights).lift(into: view) { $0.resize($1, $2) }
    let early = Recorder(areas)
    widths.send(2)
    heights.send(3)
    heights.send(4)
    let late = Recorder(areas)
    widths.complete()
    heights.send(5)
    #expect(late.completion == nil)
    heights.complete()
    #expect(early.events == [.next(6), .next(8), .next(10), .completed])
    #expect(late.events == [.next(8), .next(10), .completed])
    #expect(Recorder(areas).events == [.next(10), .completed])
    #expect(view.sizes.count == 3)
  }

  // Outside of the macro, whose expansion has line numbers of its own.
  private static func liftThatFails(into view: View, _ widths: Subject<Int, Oops>) -> Int {
    widths.lift(into: view) { (_, width) throws(Oops) -> Int in throw Oops(code: width) }
    return #line - 1
  }

  @Test("P6: an unreceived error of the method is reported with the source location of the lift")
  func unreceived() async {
    await #expect(processExitsWith: .success) {
      let reported = Box<[String]>([])
      UnhandledErrors.setHandler { reported.value.append("\($0.error) \($0.fileID):\($0.line)") }
      let (view, widths) = (View(), Subject<Int, Oops>())
      let line = LiftTests.liftThatFails(into: view, widths)
      let received = widths.lift(into: view) { (_, width) throws(Oops) -> Int in throw Oops(code: width) }
      let recorder = Recorder(received)
      widths.send(3)
      #expect(recorder.events == [.failed(Oops(code: 3))])
      #expect(reported.value == ["Oops(code: 3) \(#fileID):\(line)"])
    }
  }

  @Test(
    "P6: a method without a result sends (); one argument is enough, and three of different types work, too")
  func void() {
    let names = Subject<String, Oops>()
    let calls = Counter()
    names.lift(into: view) { $0.rename(to: $1) }.subscribe { calls.add() }
    names.send("a")
    #expect(view.name == "a" && calls.value == 1)
    let texts = names.combineLatest(with: widths, Signal<Bool, Oops>.just(true)).lift(into: view) {
      "\($1)\($2)\($3)\($0.name)"
    }
    names.send("b")
    widths.send(1)
    #expect(Recorder(texts).values == ["b1trueb"])
  }

  @Test(
    "P6: the receiver is not retained; its deallocation completes the returned signal and disposes the arguments"
  )
  func receiver() {
    weak var gone: View?
    let areas: Signal<Int, Oops>
    let ended = Counter()
    do {
      let view = View()
      gone = view
      areas = widths.on(disposed: { ended.add() }).combineLatest(with: heights).lift(into: view) {
        $0.resize($1, $2)
      }
      widths.send(2)
      heights.send(3)
    }
    #expect(gone == nil && ended.value == 1)
    widths.send(5)
    #expect(Recorder(areas).events == [.next(6), .completed])
  }

  @Test("P6: the returned signal completes with the receiver, even if the arguments were released before")
  func receiverAfterArguments() {
    let recorder: Recorder<Int, Oops>
    do {
      let view = View()
      do {
        let widths = Subject<Int, Oops>()
        recorder = Recorder(widths.lift(into: view) { $0.resize($1, 3) })
        widths.send(2)
      }
      #expect(recorder.events == [.next(6)] && view.sizes == [[2, 3]])
    }
    #expect(recorder.events == [.next(6), .completed])
  }

  @Test("P6: results that can no longer be received are released with the arguments, before the receiver")
  func resultsAfterArguments() {
    let resources = Resources()
    func liftBriefly() -> Signal<Payload, Oops> {
      let widths = Subject<Int, Oops>()
      let results = widths.lift(into: view) { (_, _) -> Payload in resources.make() }
      widths.send(1)
      return results
    }
    _ = liftBriefly()
    #expect(resources.alive == 0)
    let subscription = liftBriefly().subscribe { _ in }
    #expect(resources.alive == 1 && !subscription.isDisposed)
    subscription.dispose()
    #expect(resources.alive == 0)
    for _ in 0..<200 { _ = liftBriefly() }
    #expect(view.lifetime.ending.list.nodes < 40)
    let kept = liftBriefly()
    view.lifetime.end()
    let recorder = Recorder(kept)
    #expect(recorder.values.count == 1 && recorder.completion == .completed)
  }

  @Test(
    "P6: a receiver that is its own result is deallocated once arguments and returned signal are released")
  func resultsOfReceiver() {
    weak var gone: View?
    do {
      let (widths, view) = (Subject<Int, Oops>(), View())
      gone = view
      widths.lift(into: view) { view, _ in view }
      widths.send(1)
    }
    #expect(gone == nil)
  }

  @Test(
    "P6: lifting into an object whose lifetime has ended completes at once and does not run the arguments")
  func endedReceiver() {
    view.lifetime.end()
    let runs = Counter()
    let areas = widths.on(subscribed: { runs.add() }).lift(into: view) { $0.resize($1, 1) }
    #expect(Recorder(areas).events == [.completed] && runs.value == 0)
  }

  @Test("a failure of an argument or of the method fails the returned signal, and ends the other arguments")
  func failures() {
    let areas = widths.combineLatest(with: heights).lift(into: view) { $0.resize($1, $2) }
    let checked = widths.combineLatest(with: heights).lift(into: view) { (view, width, height) throws(Oops) in
      if width < 0 { throw Oops(code: 1) }
      return view.resize(width, height)
    }
    heights.send(1)
    #expect(widths.subscriberCount == 2 && heights.subscriberCount == 2)
    widths.send(-1)
    #expect(Recorder(checked).events == [.failed(Oops(code: 1))])
    #expect(widths.subscriberCount == 1 && heights.subscriberCount == 1)
    heights.fail(Oops(code: 2))
    #expect(Recorder(areas).events == [.next(-1), .failed(Oops(code: 2))])
    #expect(widths.subscriberCount == 0)
    #expect(Recorder(checked).events == [.failed(Oops(code: 1))])
  }

  @Test("captures of a lifted method are released with its receiver, whether or not the arguments are")
  func release() {
    let resources = Resources()
    do {
      let (widths, view) = (Subject<Int, Oops>(), View())
      widths.lift(into: view) { [token = resources.make()] view, width in
        _ = token
        return view.resize(width, 0)
      }
      widths.send(1)
      #expect(resources.alive == 1)
    }
    #expect(resources.alive == 0)
    do {
      let view = View()
      widths.lift(into: view) { [token = resources.make()] view, width in
        _ = token
        return view.resize(width, 0)
      }
      #expect(resources.alive == 1)
    }
    #expect(resources.alive == 0)
  }

  private typealias Lifted = @Sendable (Signal<Int, Oops>, View) -> Signal<Int, Oops>

  /// Signals lifted into an object whose lifetime ends while a failure is on its way: in the clean-up of what
  /// has failed, in a closure before the method, and in the method itself.
  private static let ending: [(String, Lifted)] = [
    (
      "a clean-up",
      { source, view in
        source.on(disposed: { view.lifetime.end() }).lift(into: view) { $0.resize($1, 1) }
      }
    ),
    (
      "finally",
      { source, view in source.finally { view.lifetime.end() }.lift(into: view) { $0.resize($1, 1) } }
    ),
    (
      "the method",
      { source, view in
        source.materialize().setFailureType(to: Oops.self).lift(into: view) { (view, _) throws(Oops) -> Int in
          view.lifetime.end()
          throw Oops(code: 7)
        }
      }
    ),
  ]

  @Test("P6: a failure on whose way the lifetime of the object ends is reported, once; its end is received")
  func endedOnTheWay() async {
    await #expect(processExitsWith: .success) {
      let reported = Box<[String]>([])
      UnhandledErrors.setHandler { reported.value.append("\($0.error)") }
      for (name, lift) in LiftTests.ending {
        reported.value = []
        let (view, source) = (View(), Subject<Int, Oops>())
        let recorder = Recorder(lift(source.signal, view))
        source.fail(Oops(code: 7))
        #expect(recorder.events == [.completed] && reported.value == ["Oops(code: 7)"], "\(name)")
      }
    }
  }

  @Test("P6: a failure that a source sends after the lifetime of the object has ended is not reported")
  func failedAfterEnd() async {
    await #expect(processExitsWith: .success) {
      let reported = Counter()
      UnhandledErrors.setHandler { _ in reported.add() }
      let (view, sink) = (View(), Box<Sink<Int, Oops>?>(nil))
      let source = Signal<Int, Oops>.attaching { sink.value = $0 }
      let recorder = Recorder(source.lift(into: view) { $0.resize($1, 1) })
      view.lifetime.end()
      sink.value?.terminate(.failed(Oops(code: 7)))
      #expect(sink.value != nil && recorder.events == [.completed] && reported.value == 0)
    }
  }
}
