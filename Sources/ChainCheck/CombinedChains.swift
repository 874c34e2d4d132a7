// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

extension ChainCase {
  /// Operators right before those that combine signals: they are one function with what these do.
  static let combined = [
    ChainCase(hot: "combined: map, filter, map before a merge", all(20, 12, 30, 14)) { subject, log in
      let other = subject.map { $0 + 4 }.filter { $0 != 5 }.map { $0 * 2 }
      subject.map { $0 * 5 }.filter { $0 > 5 }.map { $0 * 2 }.merge(with: other).note(in: log)
    },
    ChainCase(hot: "combined: the same before a merge of three", all(1, 2, 10, 2, 4, 20, 3, 6, 30)) {
      subject, log in
      Signal.merge(subject.map { $0 }, subject.map { $0 * 2 }, subject.map { $0 * 10 }).note(in: log)
    },
    ChainCase(hot: "combined: the same before a race", all(10, 20, 30)) { subject, log in
      subject.map { $0 * 10 }.race(with: subject.map { $0 * 20 }).note(in: log)
    },
    ChainCase(hot: "combined: the same before combineLatest", all(30, 40, 60, 70, 90)) { subject, log in
      let other = subject.map { $0 * 2 }.filter { $0 > 0 }.map { $0 * 10 }
      subject.map { $0 * 10 }.map { $0 + 0 }.combineLatest(with: other).map { $0 + $1 }.note(in: log)
    },
    ChainCase(hot: "combined: the same before withLatest", all(111, 122, 133)) { subject, log in
      let other = subject.map { $0 + 50 }.map { $0 + 50 }
      subject.map { $0 * 5 }.map { $0 * 2 }.withLatest(from: other).map { $0 + $1 }.note(in: log)
    },
    ChainCase(hot: "combined: the same before zip", all(12, 23, 34)) { subject, log in
      let other = subject.map { $0 + 2 }.map { $0 - 1 }
      subject.map { $0 * 2 }.map { $0 * 5 }.zip(with: other).map { $0 + $1 }.note(in: log)
    },
    ChainCase(hot: "combined: inner chains, three at a time", all(3, 4, 4)) { subject, log in
      subject.flatMap(.merge(limit: 3)) { value in subject.map { $0 + 1 }.filter { $0 > value } }.note(
        in: log)
    },
    ChainCase("combined: setFailureType before a merge and a row", all(11, 12, 112, 21, 13, 14)) { log in
      let (subject, other) = (Subject<Int, Never>(), Subject<Int, Broken>())
      let tens = subject.map { $0 * 10 }.setFailureType(to: Broken.self)
      let pairs = subject.setFailureType(to: Broken.self).combineLatest(with: subject.map { $0 }).map {
        $0 + $1
      }
      tens.map { $0 + 1 }.merge(with: pairs.map { $0 + 10 }, other.signal).note(in: log)
      subject.send(1)
      other.send(112)
      subject.send(2)
      subject.complete()
      other.complete()
    },
    ChainCase(
      hot: "combined: a closure that throws before a merge",
      [.value(1), .value(10), .failed(Broken(code: 7))]
    ) { subject, log in
      let failing = subject.map { (value) throws(Broken) in
        if value == 2 { throw Broken(code: 7) }
        return value
      }
      failing.merge(with: subject.map { $0 * 10 }).note(in: log)
    },
    ChainCase(
      hot: "combined: a closure that ends its signal before a row", [.value(11), .value(21), .value(31)]
    ) { subject, log in
      let connection = subject.publish()
      // Ends the subscription that it is part of, without a terminal event.
      let ending = connection.autoconnect().map { value in
        if value == 2 { connection.connect().dispose() }
        return value
      }
      ending.combineLatest(with: subject.map { $0 * 10 }).map { $0 + $1 }.note(in: log)
    },
  ]
}
