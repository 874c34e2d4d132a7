// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Slots and scopes hold one disposable, which may be a slot or a scope itself, and so on for a hundred thousand of them. So they pass
// disposal and release on in loops, not from inside each other.

extension DisposalContent {
  /// What is to be disposed when this is: what the innermost slot or scope holds, of which the slots are closed. Nil if there is nothing.
  func opened() -> DisposalContent? {
    guard case .disposable(var disposable) = self else { return self }
    while true {
      switch Wrapping(disposable) {
      case .slot(let slot):
        guard let content = slot.close() else { return nil }
        disposable = content
      case .scope(let scope):
        guard let content = scope.content else { return nil }
        disposable = content
      case nil: return .disposable(disposable)
      }
    }
  }
}

/// A disposable that holds another one.
private enum Wrapping {
  case slot(SerialDisposable)
  case scope(ScopedDisposable)

  init?(_ disposable: any Disposable) {
    // Casts look the type up.
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

/// What a slot or a scope held that is gone.
final class WrappedLeftover: Leftover {
  private let content: any Disposable

  private init(_ content: any Disposable) { self.content = content }

  /// Answers the address of a leftover with one reference, which the caller gives away; 0 if there is nothing to put off.
  static func make(of content: any Disposable) -> UInt64 {
    if Wrapping(content) == nil { return 0 }
    return UInt64(UInt(bitPattern: Unmanaged.passRetained(WrappedLeftover(content)).toOpaque()))
  }
}
