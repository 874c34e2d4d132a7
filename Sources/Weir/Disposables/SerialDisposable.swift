// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A slot for one disposable that is replaced over time and disposed with the slot.
///
/// Replacing does **not** dispose what was there: that is ReactiveObjC's rule, and ``swap(_:)`` gives it back
/// so that the caller can. Whatever is put into a disposed slot is disposed at once. All of it may be called
/// from any thread and never waits; reading while another thread replaces is safe.
///
/// Replacing costs three atomic operations, reading one, and asking whether it is disposed a load. A
/// disposable can be in some 200,000 slots at a time; what comes then traps.
///
/// ReactiveObjC: `RACSerialDisposable`.
public final class SerialDisposable: Disposable, @unchecked Sendable {
  // Unchecked: the words belong to the slot.
  private var firstWord: UInt64 = 0
  private var secondWord: UInt64 = 0

  private var slot: ReferenceSlot { ReferenceSlot(firstPropertiesOf: self) }

  /// A slot that holds `disposable`.
  public init(_ disposable: (any Disposable)? = nil) {
    if disposable != nil { _ = slot.swap(disposable) }
  }

  /// Frees the slot without disposing what is in it.
  deinit {
    // By then nothing here refers to the content any more.
    Leftover.release(leftover())
  }

  /// True from the moment the first ``dispose()`` began.
  public var isDisposed: Bool { slot.isClosed }

  /// What the slot holds; nil once it is disposed.
  public var disposable: (any Disposable)? { slot.read() }

  /// Puts `disposable` into the slot and returns what was there, not disposed. A disposed slot disposes
  /// `disposable` at once and returns nil.
  ///
  /// ReactiveObjC: `-swapInDisposable:`, and `-setDisposable:` if the answer is not used.
  @discardableResult
  public func swap(_ disposable: (any Disposable)?) -> (any Disposable)? {
    switch slot.swap(disposable) {
    case .previous(let previous): return previous
    case .closed:
      disposable?.dispose()
      return nil
    }
  }

  /// Disposes what is in the slot, and from now on whatever is put into it. From any thread, without waiting.
  public func dispose() { DisposalContent.disposable(self).open { $0.dispose() } }

  /// Ends the slot and returns what was in it.
  func close() -> (any Disposable)? { slot.close() }

  private func leftover() -> UInt64 { slot.takeLast().map { WrappedLeftover.make(of: $0) } ?? 0 }
}
