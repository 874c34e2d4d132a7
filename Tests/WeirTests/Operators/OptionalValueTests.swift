// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Tuples, optionals and events as values: what replaces ReactiveObjC's tuple classes, nil sentinels and
/// `RACEvent`.
struct OptionalValueTests {
  private typealias Optionals = Signal<Int?, Oops>

  @Test(
    "R1: zip emits Swift tuples, which compare by their elements and can be extended by a further zip"
  )
  func tuples() {
    let (numbers, words) = (Signal<Int, Oops>([1, 1, 2]), Signal<String, Oops>(["a", "a", "a"]))
    let pairs = numbers.zip(with: words)
    #expect(Recorder(pairs.distinctUntilChanged { $0 == $1 }.map { "\($0)\($1)" }).values == ["1a", "2a"])
    let triples = pairs.zip(with: Signal<Bool, Oops>([true, false, true])).map { ($0.0, $0.1, $1) }
    #expect(Recorder(triples).values.first.map { $0 == (1, "a", true) } == true)
  }

  @Test("R2: nil is a value like any other, also in a tuple, and .none differs from .some(nil)")
  func nilInTuples() {
    let pairs = Optionals([1, nil]).zip(with: Optionals([nil, 2]))
    #expect(Recorder(pairs.map { [$0, $1] }).values == [[1, nil], [nil, 2]])
    let latest = Optionals([nil]).combineLatest(with: Optionals([3]))
    #expect(Recorder(latest.map { [$0, $1] }).values == [[nil, 3]])
    // Absent, and present but nil.
    let nested = Signal<Int??, Oops>([.none, .some(nil), .some(3)])
    #expect(Recorder(nested.distinctUntilChanged()).values == [.none, .some(nil), .some(3)])
  }

  @Test("R3: events are equal by kind and payload; nil is a legal payload")
  func events() {
    typealias Happening = Event<Int?, Oops>
    let events: [Happening] = [
      .next(nil), .next(1), .next(2), .failed(Oops()), .failed(Oops(code: 1)), .completed,
    ]
    for (index, event) in events.enumerated() {
      #expect(events.map { $0 == event } == events.indices.map { $0 == index })
      #expect(events.filter { $0.hashValue == event.hashValue }.contains(event))
    }
    #expect(Happening(.completed) == .completed && Happening(.failed(Oops())) == .failed(Oops()))
    #expect(Happening.next(nil).completion == nil && Happening.completed.completion == .completed)
    #expect(Recorder(Optionals([nil, 1]).materialize()).values == [.next(nil), .next(1), .completed])
  }

  @Test("R4 AC43: collect and take(last:) preserve nil; collect emits nothing when the source fails")
  func collectedOptionals() {
    let values = Optionals([nil, 1, nil])
    #expect(Recorder(values.collect()).events == [.next([nil, 1, nil]), .completed])
    #expect(Recorder(values.take(last: 2)).events == [.next(1), .next(nil), .completed])
    #expect(Recorder(values.ignore(nil)).events == [.next(1), .completed])
    #expect(Recorder(values.distinctUntilChanged().count()).values == [3])
    #expect(Recorder(values.concat(Optionals.fail(Oops())).collect()).events == [.failed(Oops())])
  }
}
