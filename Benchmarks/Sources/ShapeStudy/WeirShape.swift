// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import ShapeAlternatives
public import Weir

/// Weir itself. Its hot chains stand on the bare subject like those of the alternatives, so that its own
/// subject, which protects its audience, is not part of the comparison.
enum WeirShape: Shape {
  static let implementation = Implementation.weir

  static func cold3(_ count: Int, _ constants: Constants, _ cell: Cell) { weirChain3(count, constants, cell) }

  static func cold10(_ count: Int, _ constants: Constants, _ cell: Cell) {
    weirChain10(count, constants, cell)
  }

  @inline(never)
  static func coldScanTake(_ count: Int, _ constants: Constants, _ cell: Cell) {
    let factor = constants.factor
    _ = Signal<Int, Never>.range(0..<Int.max)
      .scan(0) { (sum: Int, x: Int) -> Int in sum &+ x &* factor }
      .take(first: count)
      .subscribe { cell.add($0) }
  }

  @inline(never)
  static func hot0(
    _ subject: BareSubject<KeptSink<Int>>, _ constants: Constants, _ cell: Cell
  ) -> Subscription {
    Signal(subject).subscribe { cell.add($0) }
  }

  @inline(never)
  static func hot3(
    _ subject: BareSubject<KeptSink<Int>>, _ constants: Constants, _ cell: Cell
  ) -> Subscription {
    Signal(subject).threeOperators(constants).subscribe { cell.add($0) }
  }

  @inline(never)
  static func hot10(
    _ subject: BareSubject<KeptSink<Int>>, _ constants: Constants, _ cell: Cell
  ) -> Subscription {
    Signal(subject).tenOperators(constants).subscribe { cell.add($0) }
  }

  @inline(never)
  static func hotScanTake(
    _ subject: BareSubject<KeptSink<Int>>, _ constants: Constants, _ cell: Cell
  ) -> Subscription {
    let factor = constants.factor
    return Signal(subject)
      .scan(0) { (sum: Int, x: Int) -> Int in sum &+ x &* factor }
      .take(first: Int.max)
      .subscribe { cell.add($0) }
  }
}

extension Subscription: Disposing {}

extension Place: Disposable {}

/// What the bare subject keeps of a sink: its closures, so that a value is one call away from the first
/// operator.
struct KeptSink<Value>: Receiver {
  let next: @Sendable (Value) -> Void
  let terminate: @Sendable (Completion<Never>) -> Void

  init(_ sink: Sink<Value, Never>) { (next, terminate) = (sink.next, sink.terminate) }

  func receive(_ value: Value) { next(value) }
  func finish() { terminate(.finished) }
}

extension Signal where Failure == Never {
  init(_ subject: BareSubject<KeptSink<Value>>) {
    self.init(connecting: { sink in sink.subscription.add(subject.attach(KeptSink(sink))) })
  }
}
