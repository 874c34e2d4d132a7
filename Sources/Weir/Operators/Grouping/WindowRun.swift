// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The windows of one run, of which at most one is open: the common part of
/// ``SignalConvertible/window(count:)`` and its variants.
@usableFromInline
final class WindowRun<Value: Sendable, Failure: Error>: @unchecked Sendable {
  // Unchecked: accessed within serial delivery only.
  @usableFromInline let sink: Sink<Signal<Value, Failure>, Failure>
  @usableFromInline let announce: @Sendable (Signal<Value, Failure>) -> Void
  @usableFromInline let capacity: Int
  @usableFromInline let windows = InnerSubjects<Value, Failure>()
  @exclusivity(unchecked) @usableFromInline var open: Subject<Value, Failure>?
  @exclusivity(unchecked) @usableFromInline var left = 0

  /// - Parameters:
  ///   - capacity: how many values a window has at most.
  ///   - sink: where windows are announced.
  @inlinable
  init(of capacity: Int, into sink: Sink<Signal<Value, Failure>, Failure>) {
    self.sink = sink
    self.capacity = capacity
    announce = sink.next
  }

  /// Sends a value to the open window, and closes the window if it is full then. Does nothing once the run
  /// has ended.
  ///
  /// - Parameter opened: called if a window was opened for the value, before the window is announced.
  @inlinable @inline(__always)
  func send(_ value: Value, opened: () -> Void = {}) {
    // A closure upstream may have disposed the run, and a window is not behind the sink that would stop the
    // value.
    if sink.isEnded { return }
    let isNew = open == nil
    let window = open ?? Subject()
    if isNew {
      (open, left) = (window, capacity)
      opened()
      announce(windows.signal(of: window))
      if sink.isEnded { return }
    }
    left -= 1
    let isFull = left == 0
    if isFull { open = nil }
    window.send(value)
    if isFull, !sink.isEnded { window.terminate(.completed) }
  }

  /// Completes the open window.
  @inlinable
  func close() {
    let window = open
    open = nil
    window?.terminate(.completed)
  }

  /// Ends the run.
  @inlinable
  func end(with completion: Completion<Failure>) {
    windows.end(sink, with: completion, open: open.map { [$0] } ?? [])
  }
}
