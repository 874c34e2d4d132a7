// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What the result of a program means.
///
/// If a source lets go while a hot source is delivering, it is not specified when the run ends: at once, or
/// when all have been told.
package enum Precision: Int, Comparable, Sendable {
  case exact
  /// What a step releases it may release at any time.
  case byStep
  /// Nothing: a shared run that was about to end may have got another subscriber, or not.
  case vague
  /// Nothing: the program did more than it may.
  case none

  package static func < (first: Precision, second: Precision) -> Bool { first.rawValue < second.rawValue }

  /// Whether nothing is compared.
  package var isNothing: Bool { self >= .vague }
}

/// Tells whether a subscriber of a shared signal may have joined a run in the same delivery of a hot source
/// in which its source let go. It is not specified whether the run is over before that.
struct Doubt {
  private var (joined, left): (Int?, Int?)
  private let means: Means

  init(_ means: Means) { self.means = means }

  /// A subscriber comes. The one with which the source is connected cannot be too late.
  mutating func join(isFirst: Bool) {
    if left != nil && left == means.delivery { means.noteDoubt() }
    if !isFirst { joined = means.delivery }
  }

  /// The source has let go.
  mutating func letGo() {
    means.noteLetGo()
    if joined != nil, joined == means.delivery { means.noteDoubt() }
    left = means.delivery
  }
}
