// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import OpenCombine

// Sources made of OpenCombine's types. They are `@unchecked Sendable` because those types, which have locks
// of their own, are not declared `Sendable`.

struct OpenCombineSubject: MeasuredSubject, @unchecked Sendable {
  static let implementation = Implementation.openCombine
  static var mark: Int { 201 }
  private let subject = PassthroughSubject<Int, Never>()

  @inline(never)
  func subscribe(summingInto cell: Cell) -> AnyCancellable { subject.sink { cell.add($0 &+ Self.mark) } }

  @inline(never)
  func subscribe(countingInto cell: Cell) -> AnyCancellable {
    subject.sink { cell.count($0, by: Self.mark) }
  }

  @inline(__always)
  func send(_ value: Int) { subject.send(value) }

  func complete() { subject.send(completion: .finished) }
}

struct OpenCombineCurrent: MeasuredSource, @unchecked Sendable {
  static let implementation = Implementation.openCombine
  static var mark: Int { 202 }
  private let subject = CurrentValueSubject<Int, Never>(0)

  @inline(never)
  func subscribe(summingInto cell: Cell) -> AnyCancellable { subject.sink { cell.add($0 &+ Self.mark) } }

  @inline(__always)
  func send(_ value: Int) { subject.send(value) }
}

final class OpenCombineState<Value: Sendable>: MeasuredState, @unchecked Sendable {
  static var implementation: Implementation { .openCombine }
  private let subject: CurrentValueSubject<Value, Never>

  init(_ value: Value) { subject = CurrentValueSubject(value) }

  @inline(__always)
  var value: Value { subject.value }
}

final class OpenCombineSource: HotSource, @unchecked Sendable {
  static var implementation: Implementation { .openCombine }
  static var mark: Int { 4 }
  let subject = PassthroughSubject<Int, Never>()

  @inline(__always)
  func send(_ value: Int) { subject.send(value) }
}

extension AnyCancellable: MeasuredToken {
  func dispose() { cancel() }
}
