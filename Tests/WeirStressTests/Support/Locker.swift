// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Holds a value that one thread stores before others start.
final class Locker<Value: Sendable>: @unchecked Sendable {  // written before the threads that read it exist
  private(set) var value: Value?
  func put(_ value: Value) { self.value = value }
}
