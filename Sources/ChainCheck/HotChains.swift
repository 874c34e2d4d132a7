// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// Holds the only reference to a history.
private final class Model: @unchecked Sendable {  // used by one thread
  var history: ReplaySubject<Int, Broken>? = ReplaySubject(capacity: 2)
}

extension ChainCase {
  /// A chain on a subject that sends 1, 2 and 3, and completes.
  init(
    hot name: String, _ expected: [Note], _ subscribe: @escaping @Sendable (Subject<Int, Broken>, Log) -> Void
  ) {
    self.init(name, expected) { log in
      let subject = Subject<Int, Broken>()
      subscribe(subject, log)
      for value in 1...3 { subject.send(value) }
      subject.complete()
    }
  }

  /// Sources that send after the subscription: operators with one upstream are compiled into one function.
  static let hot = [
    ChainCase(hot: "hot: map, filter, map", all(3, 5)) { subject, log in
      subject.map { $0 + 1 }.filter { $0.isMultiple(of: 2) }.map { $0 + 1 }.note(in: log)
    },
    ChainCase(hot: "hot: a closure that throws", [.value(1), .failed(Broken(code: 9))]) { subject, log in
      let failing: Signal<Int, Broken> = subject.map { (value) throws(Broken) in
        if value == 2 { throw Broken(code: 8) }
        return value
      }.finally {}.mapError { Broken(code: $0.code + 1) }
      failing.map { $0 }.note(in: log)
    },
    ChainCase(hot: "hot: reduceApply", [.value(2), .value(3), .failed(Broken(code: 3))]) { subject, log in
      let function: @Sendable (Int) throws(Broken) -> Int = { (value) throws(Broken) in
        if value == 3 { throw Broken(code: value) }
        return value + 1
      }
      subject.map { (function, $0) }.reduceApply().note(in: log)
    },
    ChainCase(hot: "hot: zip of two to four", all(11, 22, 33)) { subject, log in
      let three = subject.zip(with: subject, subject).map { $0 + $1 + $2 }
      let four = subject.zip(with: subject, subject, subject).map { $0 + $1 + $2 + $3 }
      let pairs = Signal<(Int, Int), Broken>.zip(three, four)
      pairs.zip(with: Signal.zip(subject, three)).map { $0.0 + $0.1 + $1.0 + $1.1 }.note(in: log)
    },
    ChainCase(hot: "hot: combineLatest and withLatest of two to four", all(13, 14, 15)) { subject, log in
      let one = Signal<Int, Broken>.just(1)
      let pairs = Signal<(Int, Int), Broken>.combineLatest(subject, one)
      let two = pairs.map { $0 + $1 }.withLatest(from: one).map { $0 + $1 }
      let three = two.combineLatest(with: one, one).map { $0 + $1 + $2 }.withLatest(from: one, one)
      three.map { $0 + $1 + $2 }.combineLatest(with: one, one, one).map { $0 + $1 + $2 + $3 }
        .withLatest(from: one, one, one).map { $0 + $1 + $2 + $3 }.note(in: log)
    },
    ChainCase(hot: "hot: scan, distinct, take", all(1, 3)) { subject, log in
      subject.scan(0) { $0 + $1 }.distinctUntilChanged().take(first: 2).note(in: log)
    },
    ChainCase(hot: "hot: take(while:), pairwise", all(3)) { subject, log in
      subject.take(while: { $0 < 3 }).pairwise().map { $0.previous + $0.current }.note(in: log)
    },
    ChainCase(hot: "hot: take(while:), any", all(1)) { subject, log in
      subject.any { $0 == 2 }.map { $0 ? 1 : 0 }.note(in: log)
    },
    ChainCase(hot: "hot: reduce", all(6)) { subject, log in
      subject.skip(first: 0).reduce(0) { $0 + $1 }.note(in: log)
    },
    ChainCase(hot: "hot: collect, skip(last:), append", all(3, 3, 9)) { subject, log in
      subject.collect(count: 2).map { $0.reduce(0, +) }.skip(last: 0).append(9).note(in: log)
    },
    ChainCase(hot: "hot: materialize", all(1, 2, 3)) { subject, log in
      let events: Signal<Int, Broken> = subject.materialize().map { $0 }.dematerialize()
      events.map { $0 }.note(in: log)
    },
    ChainCase(hot: "hot: catch", all(1, -7)) { subject, log in
      let caught: Signal<Int, Broken> = subject.map { (value) throws(Broken) in
        if value == 2 { throw Broken() }
        return value
      }.catch { _ in Signal<Int, Broken>.just(-7) }
      caught.map { $0 }.note(in: log)
    },
    ChainCase(hot: "hot: merge, map", all(1, 1, 2, 2, 3, 3)) { subject, log in
      subject.merge(with: subject).map { $0 }.note(in: log)
    },
    ChainCase(hot: "hot: flatMap", all(1, 2, 2, 4, 3, 6)) { subject, log in
      subject.flatMap { value in Signal<Int, Broken>([value, value * 2]).map { $0 } }.note(in: log)
    },
    ChainCase(hot: "hot: map, the latest, map", all(1, 2, 3)) { subject, log in
      subject.map { $0 }.flatMap(.latest) { Signal<Int, Broken>.just($0).map { $0 } }.map { $0 }.note(in: log)
    },
    ChainCase(hot: "hot: dropped before flatMap", [.value(1), .value(2)]) { subject, log in
      let own = SerialDisposable()
      own.swap(
        subject.doNext { if $0 == 3 { own.dispose() } }.flatMap { value in
          log.notes.append(.value(value))
          return Signal<Int, Broken>.just(value)
        }.subscribe(failed: { _ in }))
    },
    ChainCase(hot: "hot: dropped before the latest", [.value(1), .value(2)]) { subject, log in
      let own = SerialDisposable()
      own.swap(
        subject.doNext { if $0 == 3 { own.dispose() } }.flatMap(.latest) { value in
          log.notes.append(.value(value))
          return Signal<Int, Broken>.just(value)
        }.subscribe(failed: { _ in }))
    },
    ChainCase(hot: "hot: concat behind it", all(1, 2, 3, 4)) { subject, log in
      subject.concat(Signal<Int, Broken>.just(4)).map { $0 }.note(in: log)
    },
    ChainCase(hot: "hot: dropped in the middle", [.value(1), .value(2)]) { subject, log in
      let own = SerialDisposable()
      own.swap(
        subject.map { $0 }.doNext { if $0 == 3 { own.dispose() } }.subscribe(
          next: { log.notes.append(.value($0)) }, failed: { _ in },
          completed: { log.notes.append(.completed) }))
    },
    ChainCase("a history dropped in its replay", [.value(1), .value(2)]) { log in
      let model = Model()
      for value in 1...2 { model.history?.send(value) }
      model.history?.doNext { _ in model.history = nil }.note(in: log)
    },
  ]
}
