// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Slots and scopes hold one disposable, which may be a slot or a scope itself, and so on for a hundred
// thousand of them. So they pass disposal and release on in loops, not recursively.

extension DisposalContent {
  /// Whether this is a slot or a scope.
  var isWrapping: Bool {
    if case .disposable(let disposable) = self { Wrapping.isOne(disposable) } else { false }
  }

  /// Calls `body` with what is to be disposed when this is: the content of the innermost slot or scope.
  /// Closes the slots on the way. Does not call it if there is no content.
  func open(_ body: (DisposalContent) -> Void) {
    guard case .disposable(var disposable) = self else { return body(self) }
    // A scope that is deallocated disposes its content, and would do so recursively in here. Scopes that only
    // a slot retained are retained here until `body` has returned.
    var kept: [ScopedDisposable] = []
    var isFromSlot = false
    while true {
      switch Wrapping(disposable) {
      case .slot(let slot):
        guard let content = slot.close() else { return }
        disposable = content
        isFromSlot = true
      case .scope(let scope):
        guard let content = scope.content else { return }
        if isFromSlot { kept.append(scope) }
        disposable = content
        isFromSlot = false
      case nil:
        body(.disposable(disposable))
        return withExtendedLifetime(kept) {}
      }
    }
  }
}

/// A disposable that holds another one.
private enum Wrapping {
  case slot(SerialDisposable)
  case scope(ScopedDisposable)

  // Not by casts: they look the type up.
  static func isOne(_ disposable: any Disposable) -> Bool {
    let type = type(of: disposable)
    return type == SerialDisposable.self || type == ScopedDisposable.self
  }

  init?(_ disposable: any Disposable) {
    let type = type(of: disposable)
    if type == SerialDisposable.self {
      self = .slot(unsafeDowncast(disposable, to: SerialDisposable.self))
    } else if type == ScopedDisposable.self {
      self = .scope(unsafeDowncast(disposable, to: ScopedDisposable.self))
    } else {
      return nil
    }
  }
}

extension Leftover {
  /// Returns the address of a leftover with the content of a deallocated slot or scope, and one reference,
  /// which the caller gives away; 0 if there is nothing to put off.
  static func make(of content: any Disposable) -> UInt64 {
    Wrapping.isOne(content) ? Boxed(content).given() : 0
  }
}
