// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

extension Stress.Orders {
  private final class Ring: Sendable {
    private let words = Words(HandOffRing<Parcel>.wordCount)
    private let ring: HandOffRing<Parcel>

    init(bound: Int, _ oldest: HandOffRing<Parcel>.Oldest, ahead: Int) {
      ring = HandOffRing(words: words.words, bound: bound, oldest)
      for _ in 0..<ahead { append() }
    }
    deinit { ring.destroy() }

    func append() {
      while !ring.hasRoom, !ring.makeRoom() { _ = ring.dropOldest() }
      ring.append(Parcel())
    }

    func take() {
      guard case .batch(let batch) = ring.claim() else { return }
      for distance in 0..<batch.count { ring.take(batch.first &+ distance).content.touch() }
    }
  }

  @Test(
    "a value taken from a ring is seen whole, and a place of the ring is reused only after it was emptied",
    arguments: [(256, .stays, 1), (256, .stays, 62), (3, .canBeDropped, 7)]
      as [(Int, HandOffRing<Parcel>.Oldest, Int)])
  func handOffRing(bound: Int, oldest: HandOffRing<Parcel>.Oldest, ahead: Int) {
    expectOrdered(
      setup: { Ring(bound: bound, oldest, ahead: ahead) },
      between: [
        { it in it.append() },
        { it in for _ in 0..<6 { it.append() } },
      ],
      and: [
        { it in it.take() },
        { it in for _ in 0..<4 { it.take() } },
      ])
  }

  private final class Log: Sendable {
    let log: ReplayLog<Parcel>

    init(_ capacity: ReplayCapacity, ahead: Int) {
      log = ReplayLog(capacity)
      for _ in 0..<ahead { log.append(Parcel()) }
    }
    deinit { log.destroy() }

    func read() {
      var reader = ReplayReader(log)
      reader.read(to: log.count) { $0.content.touches >= 0 }
      reader.leave()
    }
  }

  @Test(
    "a value read from a replay log is seen whole, also in a ring that was just linked",
    arguments: [(2, 1), (2, 3), (.unbounded, 7), (.unbounded, 8)] as [(ReplayCapacity, Int)])
  func replayLog(capacity: ReplayCapacity, ahead: Int) {
    expectOrdered(
      setup: { Log(capacity, ahead: ahead) },
      between: [
        { it in it.log.append(Parcel()) },
        { it in for _ in 0..<3 { it.log.append(Parcel()) } },
      ],
      and: [
        { it in it.read() },
        { it in _ = it.log.count > 0 ? it.log.readNewest().content.touches : 0 },
      ])
  }
}
