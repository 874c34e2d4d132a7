// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The memory of sources that replay: a log of values.
@frozen @usableFromInline
struct ReplayMemory<Value: Sendable>: BroadcastMemory {
  @usableFromInline let log: ReplayLog<Value>
  @inlinable init(_ capacity: ReplayCapacity) { log = ReplayLog(capacity) }
  @inlinable @inline(__always) func remember(_ value: Value) { log.append(value) }

  /// Also releases what a thread has held back that read the newest value: no other event follows.
  @inlinable
  func seal() {
    log.seal()
    if log.isLagging { log.expire() }
  }

  /// For the owner's deinit. A value may hold the last reference to another owner of values, and so on.
  func destroy() { if _isPOD(Value.self) { log.destroy() } else { ReleaseQueue().end { log.destroy() } } }
}
