// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

extension Implementation {
  static let mutexCopy = Implementation(name: "mutex-copy")
  static let mutexInside = Implementation(name: "mutex-inside")
  static let mutexSnapshot = Implementation(name: "mutex-snapshot")
}
