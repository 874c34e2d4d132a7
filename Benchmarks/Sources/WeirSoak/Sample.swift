// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc
@_spi(Benchmarks) import WeirTesting

/// What is in memory at one moment.
struct Sample {
  let seconds: Int
  /// The resident memory of the process, in bytes.
  let resident: Int
  /// Blocks of Weir's lock-free structures.
  let blocks: Int
  /// Objects that closures and values of the load hold.
  let objects: Int
  /// Values delivered so far.
  let events: Int

  init(at seconds: Int, resources: Resources, events: Int) {
    self.seconds = seconds
    resident = Self.residentBytes
    blocks = RuntimeMemory.blocks
    objects = resources.alive
    self.events = events
  }

  func json(phase: String) -> String {
    """
    {"phase": "\(phase)", "seconds": \(seconds), "resident": \(resident), "blocks": \(blocks), "objects": \(objects), \
    "events": \(events)}
    """
  }

  /// The second number in /proc/self/statm, in pages.
  private static var residentBytes: Int {
    guard let file = fopen("/proc/self/statm", "r") else { WeirSoak.fail("no /proc/self/statm", status: 69) }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, 128, file) != nil else { WeirSoak.fail("cannot read /proc/self/statm", status: 74) }
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
      WeirSoak.fail("/proc/self/statm is not as expected: \(text)", status: 65)
    }
    return pages * Int(getpagesize())
  }
}
