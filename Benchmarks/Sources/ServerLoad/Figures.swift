// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import Glibc

/// The result of a run.
struct Figures: Sendable {
  var milliseconds: Int
  var published: Int
  var deliveries: Int
  /// Deliveries of the whole run.
  var received: Int
  /// Deliveries that never arrived.
  var missing: Int
  /// Those of them that the broker has reported.
  var toldLost: Int
  var disordered = 0
  var strange = 0
  /// The processor time of all threads, in seconds.
  var processor: Double?
  var peakKilobytes: Int?
  var latency: Histogram?

  var json: String {
    var pairs = [
      ("milliseconds", "\(milliseconds)"), ("published", "\(published)"), ("deliveries", "\(deliveries)"),
      ("received", "\(received)"), ("missing", "\(missing)"), ("told_lost", "\(toldLost)"),
      ("disordered", "\(disordered)"),
      ("strange", "\(strange)"),
    ]
    if let processor { pairs.append(("processor_seconds", "\(processor)")) }
    if let peakKilobytes { pairs.append(("peak_kilobytes", "\(peakKilobytes)")) }
    if let latency {
      for (name, percentage) in [("p50", 50.0), ("p99", 99), ("p99_9", 99.9), ("max", 100)] {
        pairs.append(("latency_\(name)_ns", "\(latency.percentile(percentage))"))
      }
    }
    return "{" + pairs.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + "}"
  }
}

/// Why there are no figures.
struct LoadError: Error {
  let message: String
}

/// For threads that have nothing better to wait for.
func pause(milliseconds: UInt32) { usleep(milliseconds * 1_000) }
