// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// Disposes an object that it does not retain.
///
/// Not by a `weak` reference: an object that has one keeps its reference counts elsewhere from then on, and
/// each retain or release is three atomic operations of 16 bytes instead of one of 8. This retains only the
/// object's memory instead, and checks whether the object is still there.
final class WeakDisposal: Disposable, @unchecked Sendable {  // constant
  private unowned(unsafe) let target: any Disposable
  private let address: UnsafeMutableRawPointer

  init(of target: any Disposable) {
    self.target = target
    address = Unmanaged.passUnretained(target as AnyObject).toOpaque()
    weir_unowned_retain(address)
  }

  deinit { weir_unowned_release(address) }

  var isDisposed: Bool { retained()?.isDisposed ?? true }
  func dispose() { retained()?.dispose() }

  /// The target, if it is still there.
  private func retained() -> (any Disposable)? {
    guard weir_try_retain(address) != nil else { return nil }
    defer { weir_release(address, 1) }
    return target
  }
}
