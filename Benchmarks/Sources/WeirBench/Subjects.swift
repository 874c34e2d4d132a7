// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import MutexBaseline
import Weir

/// What scenarios need of a hot source, whatever it remembers. Every generic body is specialised for each
/// conforming type, so the protocol itself costs nothing.
///
/// The sinks are written out in each type instead of being handed in: a closure that arrives as a parameter
/// is wrapped once more before a generic library can store it, which costs an allocation and a call that the
/// closure of a user, written where it is passed, does not.
protocol MeasuredSource: Sendable {
  associatedtype Token: MeasuredToken
  static var implementation: Implementation { get }
  /// What the sinks of this type add besides the value. It differs, and so does their code: the compiler
  /// merges functions that are alike, and a merged sink is reached through one jump after the other.
  static var mark: Int { get }
  func subscribe(summingInto cell: Cell) -> Token
  /// Always inlined: what is measured is the call of the implementation's own `send`, not one around it.
  func send(_ value: Int)
}

/// What the subject scenarios need of an implementation.
protocol MeasuredSubject: MeasuredSource {
  init()
  /// Counts the value 0 in the cell, and the value 1 a cache line further on, by the mark.
  func subscribe(countingInto cell: Cell) -> Token
  func complete()
}

protocol MeasuredToken {
  func dispose()
}

extension Subscription: MeasuredToken {}

extension MutexSubscription: MeasuredToken {}

struct WeirSubject: MeasuredSubject {
  static let implementation = Implementation.weir
  static var mark: Int { 1 }
  private let subject = Subject<Int, Never>()

  @inline(never)
  func subscribe(summingInto cell: Cell) -> Subscription { subject.subscribe { cell.add($0 &+ Self.mark) } }

  @inline(never)
  func subscribe(countingInto cell: Cell) -> Subscription {
    subject.subscribe { cell.count($0, by: Self.mark) }
  }

  @inline(__always)
  func send(_ value: Int) { subject.send(value) }

  func complete() { subject.complete() }
}

struct CopySubject: MeasuredSubject {
  static let implementation = Implementation.mutexCopy
  static var mark: Int { 2 }
  private let subject = MutexCopySubject<Int>()

  @inline(never)
  func subscribe(summingInto cell: Cell) -> MutexSubscription<MutexCopySubject<Int>> {
    subject.subscribe { cell.add($0 &+ Self.mark) }
  }

  @inline(never)
  func subscribe(countingInto cell: Cell) -> MutexSubscription<MutexCopySubject<Int>> {
    subject.subscribe { cell.count($0, by: Self.mark) }
  }

  @inline(__always)
  func send(_ value: Int) { subject.send(value) }

  func complete() { subject.complete() }
}

struct InsideSubject: MeasuredSubject {
  static let implementation = Implementation.mutexInside
  static var mark: Int { 3 }
  private let subject = MutexInsideSubject<Int>()

  @inline(never)
  func subscribe(summingInto cell: Cell) -> MutexSubscription<MutexInsideSubject<Int>> {
    subject.subscribe { cell.add($0 &+ Self.mark) }
  }

  @inline(never)
  func subscribe(countingInto cell: Cell) -> MutexSubscription<MutexInsideSubject<Int>> {
    subject.subscribe { cell.count($0, by: Self.mark) }
  }

  @inline(__always)
  func send(_ value: Int) { subject.send(value) }

  func complete() { subject.complete() }
}

struct SnapshotSubject: MeasuredSubject {
  static let implementation = Implementation.mutexSnapshot
  static var mark: Int { 4 }
  private let subject = MutexSnapshotSubject<Int>()

  @inline(never)
  func subscribe(summingInto cell: Cell) -> MutexSubscription<MutexSnapshotSubject<Int>> {
    subject.subscribe { cell.add($0 &+ Self.mark) }
  }

  @inline(never)
  func subscribe(countingInto cell: Cell) -> MutexSubscription<MutexSnapshotSubject<Int>> {
    subject.subscribe { cell.count($0, by: Self.mark) }
  }

  @inline(__always)
  func send(_ value: Int) { subject.send(value) }

  func complete() { subject.complete() }
}
