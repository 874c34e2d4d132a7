// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import MutexBaseline
import Weir

/// What the replay scenarios need from an implementation. `MeasuredSource` says why the subscribers are
/// written out.
protocol MeasuredReplay: MeasuredSource {
  init(capacity: Int)
  /// Subscribes and counts the values, even if the last ones arrive on another thread than the one that has
  /// subscribed.
  func subscribe(countingInto counter: Counter) -> Token
}

struct WeirReplay: MeasuredReplay {
  static let implementation = Implementation.weir
  static var mark: Int { 111 }
  private let subject: ReplaySubject<Int, Never>

  init(capacity: Int) { subject = ReplaySubject(capacity: .last(capacity)) }

  @inline(never)
  func subscribe(summingInto cell: Cell) -> Subscription { subject.subscribe { cell.add($0 &+ Self.mark) } }

  @inline(never)
  func subscribe(countingInto counter: Counter) -> Subscription {
    subject.subscribe { _ in counter.increment(by: Self.mark) }
  }

  @inline(__always)
  func send(_ value: Int) { subject.send(value) }
}

struct MutexReplay: MeasuredReplay {
  static let implementation = Implementation.mutexCopy
  static var mark: Int { 112 }
  private let subject: MutexReplaySubject<Int>

  init(capacity: Int) { subject = MutexReplaySubject(capacity: capacity) }

  @inline(never)
  func subscribe(summingInto cell: Cell) -> MutexSubscription<MutexReplaySubject<Int>> {
    subject.subscribe { cell.add($0 &+ Self.mark) }
  }

  @inline(never)
  func subscribe(countingInto counter: Counter) -> MutexSubscription<MutexReplaySubject<Int>> {
    subject.subscribe { _ in counter.increment(by: Self.mark) }
  }

  @inline(__always)
  func send(_ value: Int) { subject.send(value) }
}
