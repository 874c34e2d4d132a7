// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CBenchSupport

/// An amount of heap memory.
struct Footprint {
  var blocks: Double
  var bytes: Double

  /// What the calling thread has allocated and not freed.
  static var now: Footprint {
    Footprint(blocks: Double(bench_live_blocks()), bytes: Double(bench_live_bytes()))
  }

  /// What each of `count` calls of `make` adds to the heap, while the results are retained.
  static func ofEach<Piece>(
    _ count: Int, _ make: @escaping () -> Piece, end: (Piece) -> Void = { _ in }
  ) -> Footprint {
    ofEach(count, on: {}, make, end: end)
  }

  /// The same for pieces that are made on a common object, the ground, which is not counted.
  ///
  /// Everything is done twice, since at the first use the runtime creates metadata that it keeps. Ends the
  /// program if memory is left the second time, after the pieces were ended, and they and the ground
  /// released.
  static func ofEach<Piece, Ground>(
    _ count: Int, on makeGround: () -> Ground, _ make: (Ground) -> Piece, end: (Piece) -> Void
  ) -> Footprint {
    _ = whileKept(count, makeGround, make, end)
    let before = now
    let footprint = whileKept(count, makeGround, make, end)
    let left = now - before
    if left.blocks != 0 {
      WeirMemory.fail("\(Piece.self): \(left.blocks) blocks not freed after \(count) pieces", status: 70)
    }
    return footprint
  }

  // A function of its own, so that nothing is retained when it has returned.
  @inline(never)
  private static func whileKept<Piece, Ground>(
    _ count: Int, _ makeGround: () -> Ground, _ make: (Ground) -> Piece, _ end: (Piece) -> Void
  ) -> Footprint {
    let ground = makeGround()
    var pieces: ContiguousArray<Piece> = []
    pieces.reserveCapacity(count)
    return withExtendedLifetime(ground) {
      let before = now
      for _ in 0..<count { pieces.append(make(ground)) }
      let footprint = (now - before) / count
      // From the end, where the mutex baseline looks first.
      for piece in pieces.reversed() { end(piece) }
      return footprint
    }
  }

  static func - (left: Footprint, right: Footprint) -> Footprint {
    Footprint(blocks: left.blocks - right.blocks, bytes: left.bytes - right.bytes)
  }

  static func / (footprint: Footprint, divisor: Int) -> Footprint {
    Footprint(blocks: footprint.blocks / Double(divisor), bytes: footprint.bytes / Double(divisor))
  }
}
