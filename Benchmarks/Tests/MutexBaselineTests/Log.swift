// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Synchronization

/// What callbacks received, in order, from any thread.
final class Log<Entry: Sendable>: Sendable {
  private let storage = Mutex<[Entry]>([])

  func append(_ entry: Entry) { storage.withLock { $0.append(entry) } }

  var entries: [Entry] { storage.withLock { $0 } }
}

/// A place for a disposal that only exists after the callback that uses it.
final class Slot: Sendable {
  private let storage = Mutex<AnySubject.Dispose?>(nil)

  func fill(_ dispose: @escaping AnySubject.Dispose) { storage.withLock { $0 = dispose } }

  /// Releases the disposal as well, since it refers to the callback that refers to this.
  func dispose() { storage.withLock { $0.take() }?() }
}

extension Log where Entry == String {
  /// Notes a value.
  func next<Value>(_ value: Value) { append("\(value)") }
  /// Notes the completion.
  func completed() { append("|") }
}
