// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

/// What was received.
struct Tally {
  /// Events, each counted for each subscriber.
  private(set) var deliveries = 0
  /// Those that the server has said it had dropped.
  private(set) var toldLost = 0
  /// Events with a lower number than one that has come before from the same publisher in the same topic.
  private(set) var disordered = 0
  /// Lines that were not expected.
  private(set) var strange = 0
  /// From when an event was due until it had come.
  var latency = Histogram()

  /// - Parameter next: the number that the subscriber expects.
  mutating func receive(_ payload: Payload, expecting next: inout Int) {
    deliveries += 1
    if payload.number < next { disordered += 1 } else { next = payload.number + 1 }
  }

  mutating func receive(lost count: Int) { toldLost += count }
  mutating func receiveStrange() { strange += 1 }
}
