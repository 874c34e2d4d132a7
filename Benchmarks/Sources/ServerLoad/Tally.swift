// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

/// What was received.
struct Tally {
  /// Events, each counted once for each subscriber that has received it.
  private(set) var deliveries = 0
  /// Events that the server has reported as dropped.
  private(set) var toldLost = 0
  /// Events that arrived after one with a higher number from the same publisher in the same topic.
  private(set) var disordered = 0
  /// Unexpected lines.
  private(set) var strange = 0
  /// The times from when an event was due until it had arrived.
  var latency = Histogram()

  /// - Parameter next: the number that the subscriber expects.
  mutating func receive(_ payload: Payload, expecting next: inout Int) {
    deliveries += 1
    if payload.number < next { disordered += 1 } else { next = payload.number + 1 }
  }

  mutating func receive(lost count: Int) { toldLost += count }
  mutating func receiveStrange() { strange += 1 }
}
