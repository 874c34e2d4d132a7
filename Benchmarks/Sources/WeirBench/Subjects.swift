// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import MutexBaseline
import Weir

/// What the subject scenarios need of an implementation. Every generic body is specialised for each
/// conforming type, so the protocol itself costs nothing.
///
/// The sinks are written out in each type instead of being handed in: a closure that arrives as a parameter is
/// wrapped once more before a generic library can store it, which costs an allocation and a call that the
/// closure of a user, written where it is passed, does not.
protocol MeasuredSubject: Sendable {
  associatedtype Token: MeasuredToken
  static var implementation: Implementation { get }
  init()
  func subscribe(summingInto cell: Cell) -> Token
  /// Counts the value 0 in the cell, and the value 1 a cache line further on.
  func subscribe(countingInto cell: Cell) -> Token
  func send(_ value: Int)
}

protocol MeasuredToken {
  func dispose()
}

extension Subscription: MeasuredToken {}

extension MutexSubscription: MeasuredToken {}

struct WeirSubject: MeasuredSubject {
  static let implementation = Implementation.weir
  private let subject = Subject<Int, Never>()

  func subscribe(summingInto cell: Cell) -> Subscription { subject.subscribe { cell.add($0) } }

  func subscribe(countingInto cell: Cell) -> Subscription { subject.subscribe { cell.count($0) } }

  func send(_ value: Int) { subject.send(value) }
}

struct CopySubject: MeasuredSubject {
  static let implementation = Implementation.mutexCopy
  private let subject = MutexCopySubject<Int>()

  func subscribe(summingInto cell: Cell) -> MutexSubscription<MutexCopySubject<Int>> {
    subject.subscribe { cell.add($0) }
  }

  func subscribe(countingInto cell: Cell) -> MutexSubscription<MutexCopySubject<Int>> {
    subject.subscribe { cell.count($0) }
  }

  func send(_ value: Int) { subject.send(value) }
}

struct InsideSubject: MeasuredSubject {
  static let implementation = Implementation.mutexInside
  private let subject = MutexInsideSubject<Int>()

  func subscribe(summingInto cell: Cell) -> MutexSubscription<MutexInsideSubject<Int>> {
    subject.subscribe { cell.add($0) }
  }

  func subscribe(countingInto cell: Cell) -> MutexSubscription<MutexInsideSubject<Int>> {
    subject.subscribe { cell.count($0) }
  }

  func send(_ value: Int) { subject.send(value) }
}

struct SnapshotSubject: MeasuredSubject {
  static let implementation = Implementation.mutexSnapshot
  private let subject = MutexSnapshotSubject<Int>()

  func subscribe(summingInto cell: Cell) -> MutexSubscription<MutexSnapshotSubject<Int>> {
    subject.subscribe { cell.add($0) }
  }

  func subscribe(countingInto cell: Cell) -> MutexSubscription<MutexSnapshotSubject<Int>> {
    subject.subscribe { cell.count($0) }
  }

  func send(_ value: Int) { subject.send(value) }
}
