// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A slot for one disposable that is replaced over time and disposed with the slot.
///
/// Replacing does **not** dispose the previous disposable: that is ReactiveObjC's rule, and ``swap(_:)``
/// returns it so that the caller can. Whatever is put into a disposed slot is disposed at once. All members
/// may be called from any thread, and never wait; reading while another thread replaces is safe.
///
/// Replacing costs three atomic operations, reading one, and checking whether it is disposed a load. A
/// disposable can be in about 260,000 slots at a time; one more traps.
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

  /// Frees the slot without disposing its content.
  deinit {
    // By then nothing here refers to the content any more.
    Leftover.release(leftover())
  }

  /// True from the moment the first ``dispose()`` started.
  public var isDisposed: Bool { slot.isClosed }

  /// The disposable in the slot; nil once the slot is disposed. It cannot be set: see ``swap(_:)``.
  public var disposable: (any Disposable)? { slot.read() }

  /// Puts `disposable` into the slot and returns the previous one, not disposed. A disposed slot disposes
  /// `disposable` at once and returns nil.
  ///
  /// ReactiveObjC: `-swapInDisposable:`, and `-setDisposable:` if the result is not used.
  @discardableResult
  public func swap(_ disposable: (any Disposable)?) -> (any Disposable)? {
    switch slot.swap(disposable) {
    case .previous(let previous): return previous
    case .closed:
      disposable?.dispose()
      return nil
    }
  }

  /// Disposes the content of the slot, and from now on whatever is put into it. May be called from any
  /// thread; never waits: if another thread is disposing the slot at that moment, this may return before the
  /// content is disposed, and a subscription in the slot may still deliver on this thread. Where that
  /// matters, dispose the subscription itself.
  public func dispose() { DisposalContent.disposable(self).open { $0.dispose() } }

  /// Closes the slot and returns its content.
  func close() -> (any Disposable)? { slot.close() }

  private func leftover() -> UInt64 { slot.takeLast().map { Leftover.make(of: $0) } ?? 0 }
}
