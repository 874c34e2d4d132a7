// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

private typealias Numbers = Signal<Int, Broken>

/// Keeps a signal, and a number, where the compiler does not see which they are.
private final class Kept: Sendable {
  let signal: Numbers
  let one: Int

  @inline(never)
  init(_ signal: Numbers, one: Int) {
    self.signal = signal
    self.one = one
  }
}

extension ChainCase {
  /// A chain on a signal of which nothing is known at compile time, with closures that keep a number or not.
  private init(
    stored name: String, _ expected: [Note], _ signal: @escaping @Sendable () -> Numbers,
    _ subscribe: @escaping @Sendable (Numbers, _ one: Int, Log) -> Void = { signal, one, log in
      signal.map { $0 + one }.filter { $0 > 2 }.map { $0 * 10 }.note(in: log)
    }
  ) {
    self.init("stored: \(name)", expected) { log in
      let kept = Kept(signal(), one: 1)
      subscribe(kept.signal, kept.one, log)
    }
  }

  /// Signals of every timing, which decides how a signal is run: here it is known at run time only.
  static let stored = [
    ChainCase(stored: "an array", all(30, 40)) { Numbers([1, 2, 3]) },
    ChainCase(stored: "a value that the signal holds", all(30)) { .just(2) },
    ChainCase(stored: "a map of one", all(40)) { Numbers.just(2).map { $0 + 1 } },
    ChainCase(stored: "a sequence", all(30, 40)) { Numbers([1, 2]).concat(.just(3)) },
    ChainCase(stored: "an operator that ends early", all(30)) { Numbers([1, 2, 3]).take(first: 2) },
    ChainCase(stored: "a failure", [.value(30), .failed(Broken(code: 3))]) {
      Numbers([1, 2, 3]).map { (value) throws(Broken) in
        if value == 3 { throw Broken(code: 3) }
        return value
      }
    },
    ChainCase(stored: "a merge", all(30, 40)) { Numbers([1, 2]).merge(with: .just(3)) },
    ChainCase(stored: "only the last closure keeps something", all(20, 30)) {
      Numbers([1, 2, 3])
    } _: { signal, one, log in
      signal.map { $0 * 10 }.filter { $0 > 10 }.map { $0 * one }.note(in: log)
    },
    ChainCase(stored: "only one in the middle does", all(20, 30)) {
      Numbers([1, 2, 3])
    } _: { signal, one, log in
      signal.map { $0 * 10 }.filter { $0 > one * 10 }.map { $0 + 0 }.note(in: log)
    },
    ChainCase(stored: "operators with state", all(5)) {
      Numbers([1, 2, 3, 4])
    } _: { signal, one, log in
      signal.skip(while: { $0 == one }).take(while: { $0 < 4 * one }).scan(0) { $0 + $1 * one }
        .distinctUntilChanged { $0 == $1 * one }.compactMap { $0 == 2 * one ? nil : $0 }.note(in: log)
    },
    ChainCase(stored: "any", all(1)) {
      Numbers([1, 2, 3])
    } _: { signal, one, log in
      signal.any { $0 == 2 * one }.map { $0 ? one : 0 }.note(in: log)
    },
    ChainCase(stored: "behind flatMap, of signals that hold a value", all(2, 3, 4)) {
      Numbers([1, 2, 3])
    } _: { signal, one, log in
      signal.flatMap { .just($0).map { $0 + one } }.map { $0 }.note(in: log)
    },
    ChainCase("stored: a subject, dropped in the middle", [.value(1), .value(2)]) { log in
      let subject = Subject<Int, Broken>()
      let (kept, own) = (Kept(subject.signal, one: 1), SerialDisposable())
      let one = kept.one
      own.swap(
        kept.signal.map { $0 * one }.doNext { if $0 == 3 { own.dispose() } }
          .subscribe(next: { log.notes.append(.value($0)) }, failed: { _ in }))
      for value in 1...3 { subject.send(value) }
    },
  ]
}
