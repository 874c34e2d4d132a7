// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// How an object behaves when calls come one after the other: which states a call with its result leads to.
///
/// ```swift
/// struct Register: SequentialModel {
///   enum Step: Sendable { case wrote(Int), read(Int) }
///   var value = 0
///
///   func states(after step: Step) -> [Register] {
///     switch step {
///     case .wrote(let new): [Register(value: new)]
///     case .read(let answer): answer == value ? [self] : []
///     }
///   }
/// }
/// ```
///
/// A ``History`` of an object that many threads have used is correct if its calls can be put in an order in
/// which the model allows each of them.
///
/// ReactiveObjC has none.
public protocol SequentialModel: Hashable, Sendable {
  /// A completed call, with its result.
  associatedtype Step: Sendable

  /// All states that the object may be in after `step`; none if a call in this state cannot have that result.
  func states(after step: Step) -> [Self]
}
