// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import ShapeAlternatives

extension Implementation {
  static let answeringClosures = Implementation(name: "answering-closures")
  static let concreteTypes = Implementation(name: "concrete-types")
  static let handLoop = Implementation(name: "hand-loop")
}

/// The chains of the study in one way of building operators. Written out for each, as a user would: generic
/// code over them would measure itself.
protocol Shape {
  associatedtype Kept: Receiver<Int>
  associatedtype Subscribed: Disposing
  static var implementation: Implementation { get }

  static func cold3(_ count: Int, _ constants: Constants, _ cell: Cell)
  static func cold10(_ count: Int, _ constants: Constants, _ cell: Cell)
  /// Running sums of an infinite range until `count` of them have come.
  static func coldScanTake(_ count: Int, _ constants: Constants, _ cell: Cell)

  static func hot0(_ subject: BareSubject<Kept>, _ constants: Constants, _ cell: Cell) -> Subscribed
  static func hot3(_ subject: BareSubject<Kept>, _ constants: Constants, _ cell: Cell) -> Subscribed
  static func hot10(_ subject: BareSubject<Kept>, _ constants: Constants, _ cell: Cell) -> Subscribed
  static func hotScanTake(_ subject: BareSubject<Kept>, _ constants: Constants, _ cell: Cell) -> Subscribed
}

protocol Disposing {
  func dispose()
  var isDisposed: Bool { get }
}

extension Run: Disposing {}
