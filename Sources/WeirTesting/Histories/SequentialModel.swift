// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What an object does when nobody uses it at the same time: what each of its answers means for what comes
/// later.
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
/// A ``History`` of an object that many threads have used is right if its calls can be put one after the
/// other so that the model allows each of them.
///
/// ReactiveObjC has none.
public protocol SequentialModel: Hashable, Sendable {
  /// A call that is over, with its answer.
  associatedtype Step: Sendable

  /// All states that the object may be in after `step`; none if a call in this state cannot end so.
  func states(after step: Step) -> [Self]
}
