// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Values that are delivered serially, for ThreadSanitizer to watch.
final class Gathered<Value: Sendable>: @unchecked Sendable {
  // Unchecked: written in serial delivery, read afterwards.
  private(set) var all: [Value] = []
  func append(_ value: Value) { all.append(value) }
  func append(contentsOf values: [Value]) { all.append(contentsOf: values) }
  func replaceLast(with value: Value) { all[all.count - 1] = value }
}
