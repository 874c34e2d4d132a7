// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CBenchSupport

/// A share of the heap.
struct Footprint {
  var blocks: Double
  var bytes: Double

  /// What the calling thread has in the heap now.
  static var now: Footprint {
    Footprint(blocks: Double(bench_live_blocks()), bytes: Double(bench_live_bytes()))
  }

  /// What `count` calls of `make` leave in the heap for each, while their answers are kept.
  static func ofEach<Piece>(
    _ count: Int, _ make: @escaping () -> Piece, end: (Piece) -> Void = { _ in }
  ) -> Footprint {
    ofEach(count, on: {}, make, end: end)
  }

  /// The same for pieces on one ground, which is not counted.
  ///
  /// All of it is done twice, since the runtime makes metadata that stays when something is used for the
  /// first time. Ends the program unless the second time all is given back when the pieces were ended and
  /// they and the ground dropped.
  static func ofEach<Piece, Ground>(
    _ count: Int, on makeGround: () -> Ground, _ make: (Ground) -> Piece, end: (Piece) -> Void
  ) -> Footprint {
    _ = whileKept(count, makeGround, make, end)
    let before = now
    let footprint = whileKept(count, makeGround, make, end)
    let left = now - before
    if left.blocks != 0 {
      WeirMemory.fail("\(Piece.self): \(left.blocks) blocks left over from \(count)", status: 70)
    }
    return footprint
  }

  // In a function of its own: when it returns, nothing is kept.
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
