// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// A slot for one disposable that is replaced over time and disposed with the slot.
///
/// Replacing does **not** dispose what was there: that is ReactiveObjC's rule, and ``swap(_:)`` gives it back so that the
/// caller can. Whatever is put into a disposed slot is disposed at once. All of it may be called from any thread and
/// never waits; reading while another thread replaces is safe.
///
/// ReactiveObjC: `RACSerialDisposable`.
public final class SerialDisposable: Disposable, @unchecked Sendable {
  // Unchecked: all state is behind the cell's pin protocol.
  private enum Content {
    case inner((any Disposable)?)
    case disposed
  }

  private let words: UnsafeMutablePointer<UInt64>
  private let cell: PinnedCell<Content>

  /// A slot that holds `disposable`.
  public init(_ disposable: (any Disposable)? = nil) {
    words = weir_block_allocate(8 * Self.wordCount).assumingMemoryBound(to: UInt64.self)
    cell = PinnedCell(current: words, words: words + 1)
    cell.publishFirst(.inner(disposable))
  }

  /// Frees the slot without disposing what is in it.
  deinit {
    cell.destroy()
    weir_block_free(words, 8 * Self.wordCount)
  }

  private static var wordCount: Int { 1 + PinnedCell<Content>.wordCount }

  /// True from the moment the first ``dispose()`` began.
  public var isDisposed: Bool {
    read { if case .disposed = $0 { true } else { false } }
  }

  /// What the slot holds; nil once it is disposed.
  public var disposable: (any Disposable)? {
    read { if case .inner(let inner) = $0 { inner } else { nil } }
  }

  /// Puts `disposable` into the slot and answers what was there, not disposed. A disposed slot disposes `disposable` at
  /// once and answers nil.
  ///
  /// ReactiveObjC: `-swapInDisposable:`, and `-setDisposable:` if the answer is not used.
  @discardableResult
  public func swap(_ disposable: (any Disposable)?) -> (any Disposable)? {
    switch exchange(.inner(disposable)) {
    case .inner(let previous): return previous
    case .disposed:
      disposable?.dispose()
      return nil
    }
  }

  /// Disposes what is in the slot, and from now on whatever is put into it. From any thread, without waiting.
  public func dispose() {
    if case .inner(let last) = exchange(.disposed) { last?.dispose() }
  }

  private func read<Result>(_ body: (Content) -> Result) -> Result {
    let (block, _) = cell.pin(reclaim: cell.recycle)
    defer { release(block) }
    return body(block.payload.pointee)
  }

  /// Replaces the content unless the slot is disposed, and answers what stood there.
  private func exchange(_ content: Content) -> Content {
    cell.update { current in
      let previous = current
      if case .inner = previous { current = content }
      return previous
    }
  }

  private func release(_ block: PinnedBlock<Content>) {
    if cell.unpin(block) { cell.recycle(block) }
  }
}
