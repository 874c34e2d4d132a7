// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import MutexBaseline
import Weir

// The types with a value that is read, set and observed: below as sources that are sent to, and then as
// values that are read.

struct WeirCurrent: MeasuredSource {
  static let implementation = Implementation.weir
  static var mark: Int { 121 }
  private let current = CurrentValue<Int, Never>(0)

  @inline(never)
  func subscribe(summingInto cell: Cell) -> Subscription { current.subscribe { cell.add($0 &+ Self.mark) } }

  @inline(__always)
  func send(_ value: Int) { current.send(value) }
}

struct WeirProperty: MeasuredSource {
  static let implementation = Implementation.weir
  static var mark: Int { 122 }
  private let property = MutableProperty(0)

  @inline(never)
  func subscribe(summingInto cell: Cell) -> Subscription {
    property.signal.subscribe { cell.add($0 &+ Self.mark) }
  }

  @inline(__always)
  func send(_ value: Int) { property.value = value }
}

struct MutexCurrent: MeasuredSource {
  static let implementation = Implementation.mutexCopy
  static var mark: Int { 123 }
  private let current = MutexCurrentValue(0)

  @inline(never)
  func subscribe(summingInto cell: Cell) -> MutexSubscription<MutexCurrentValue<Int>> {
    current.subscribe { cell.add($0 &+ Self.mark) }
  }

  @inline(__always)
  func send(_ value: Int) { current.send(value) }
}

/// A type whose value can be read.
protocol MeasuredState<Value>: AnyObject, Sendable {
  associatedtype Value: Sendable
  static var implementation: Implementation { get }
  var value: Value { get }
}

extension CurrentValue: MeasuredState {
  static var implementation: Implementation { .weir }
}

extension MutableProperty: MeasuredState {
  static var implementation: Implementation { .weir }
}

extension MutexCurrentValue: MeasuredState {
  static var implementation: Implementation { .mutexCopy }
}
