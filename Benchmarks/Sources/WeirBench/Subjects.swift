// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import MutexBaseline
import Weir

/// What scenarios need from a hot source, whatever it stores. Every generic body is specialised for each
/// conforming type, so the protocol itself costs nothing.
///
/// The subscribers are written out in each type instead of being passed in: a closure that is a parameter is
/// wrapped once more before a generic library can store it. That costs an allocation and a call, which a
/// closure does not that a user writes where it is passed.
protocol MeasuredSource: Sendable {
  associatedtype Token: MeasuredToken
  static var implementation: Implementation { get }
  /// The number that subscribers of this type add to the value. It differs between types, so their code does
  /// too: the compiler merges identical functions, and a merged one is reached through a chain of jumps.
  static var mark: Int { get }
  func subscribe(summingInto cell: Cell) -> Token
  /// Always inlined, so that the implementation's own `send` is measured and not a wrapper around it.
  func send(_ value: Int)
}

/// What the subject scenarios need from an implementation.
protocol MeasuredSubject: MeasuredSource {
  init()
  /// Subscribes. Adds the mark to the cell for the value 0, and to the one a cache line further on for 1.
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
