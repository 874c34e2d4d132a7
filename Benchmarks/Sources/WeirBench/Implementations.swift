// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

extension Implementation {
  static let mutexCopy = Implementation(name: "mutex-copy")
  static let mutexInside = Implementation(name: "mutex-inside")
  static let mutexSnapshot = Implementation(name: "mutex-snapshot")
  static let openCombine = Implementation(name: "opencombine")
  /// The standard library's tasks, `AsyncStream` and its operators.
  static let asyncStream = Implementation(name: "async-stream")
  static let asyncChannel = Implementation(name: "async-channel")
  /// The package swift-async-algorithms.
  static let asyncAlgorithms = Implementation(name: "async-algorithms")
}
