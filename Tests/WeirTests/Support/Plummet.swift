// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Records how deep the stack gets, as an address; the stack grows towards lower ones.
final class Plummet: @unchecked Sendable {  // used by one thread
  private(set) var lowest = UInt.max

  @inline(never) func drop() { lowest = min(lowest, Self.here()) }

  @inline(never) static func here() -> UInt {
    withUnsafeTemporaryAllocation(byteCount: 16, alignment: 16) { UInt(bitPattern: $0.baseAddress) }
  }

  /// The bytes for each of `count` levels that `body` needs.
  static func bytes(for count: Int, _ body: (Plummet) -> Void) -> Int {
    let plummet = Plummet()
    let start = here()
    body(plummet)
    return (Int(start) - Int(plummet.lowest)) / count
  }
}
