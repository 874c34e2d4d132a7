// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Why this is right: `bindBothWays(with:)` says that at the start the left property is set to the value of
// the right one, even if they are equal; that from then on a change of either sets the other one, without an
// echo; that the right one wins if both have changed; that a conversion without a result leaves the other one
// as it is; and that the binding ends with one of the two, when the other one has taken over its last value.
// So all that is remembered is which versions of the two were last made equal.

/// Two properties that are kept equal.
final class ModelBinding {
  private let (left, right): (ModelProperty, ModelProperty)
  private let converts: Bool
  private let scope: Scope
  private var equal = (left: 0, right: 0)
  private var (isBusy, isAsked, isEnding) = (false, false, false)

  init(_ left: ModelProperty, _ right: ModelProperty, converts: Bool, in scope: Scope) {
    (self.left, self.right) = (left, right)
    self.converts = converts
    self.scope = scope
  }

  func start() {
    for property in [left, right] {
      property.listen(
        Target(scope.child()) { event in
          if event.isEnd { self.isEnding = true }
          self.compare()
        })
    }
  }

  /// Inside of itself it only asks for one more comparison.
  private func compare() {
    isAsked = true
    if isBusy { return }
    isBusy = true
    while isAsked {
      isAsked = false
      while !scope.isEnded, copyChange() {}
      if isEnding { scope.end() }
    }
    isBusy = false
  }

  private func copyChange() -> Bool {
    if right.version != equal.right {
      if left.isEnded { return false }
      let version = right.version
      let value = converts ? Binding.back(right.value) : right.value
      equal = (left.version + (value == nil ? 0 : 1), version)
      if let value { left.set(value) }
      return true
    }
    if left.version != equal.left {
      if right.isEnded { return false }
      let version = left.version
      let value = converts ? Binding.forth(left.value) : left.value
      equal = (version, right.version + (value == nil ? 0 : 1))
      if let value { right.set(value) }
      return true
    }
    return false
  }
}
