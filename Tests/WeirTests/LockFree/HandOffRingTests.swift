// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import WeirTesting

@testable import Weir

/// The ring, used by one thread in both roles.
struct HandOffRingTests {
  /// A ring and the words it needs.
  final class Fixture<Value> {
    let words: UnsafeMutablePointer<UInt64>
    let ring: HandOffRing<Value>

    init(_ type: Value.Type = Value.self, bound: Int, _ oldest: HandOffRing<Value>.Oldest = .stays) {
      words = weir_block_allocate(8 * HandOffRing<Value>.wordCount).assumingMemoryBound(to: UInt64.self)
      ring = HandOffRing(words: words, bound: bound, oldest)
    }
    deinit {
      ring.destroy()
      weir_block_free(words, 8 * HandOffRing<Value>.wordCount)
    }

    /// Returns false at the bound.
    func append(_ value: Value) -> Bool {
      guard ring.hasRoom || ring.makeRoom() else { return false }
      ring.append(value)
      return true
    }

    /// Appends, and drops the oldest if need be.
    func force(_ value: Value) { while !append(value) { _ = ring.dropOldest() } }

    /// What the next claim gives.
    func takeBatch() -> [Value] {
      guard case .batch(let batch) = ring.claim() else { return [] }
      return (0..<batch.count).map { ring.take(batch.first &+ $0) }
    }

    func takeAll() -> [Value] {
      var all: [Value] = []
      while case let values = takeBatch(), !values.isEmpty { all += values }
      return all
    }
  }

  @Test("values are taken in order, also across the end of a ring and from one ring to the next")
  func order() {
    let fixture = Fixture<Int>(bound: 10_000)
    var (sent, taken) = (0, 0)
    for round in 0..<200 {
      for _ in 0..<(round * 7 % 211) {
        #expect(fixture.append(sent))
        sent += 1
      }
      for value in round % 3 == 0 ? fixture.takeAll() : fixture.takeBatch() {
        #expect(value == taken)
        taken += 1
      }
    }
    #expect(fixture.takeAll().count == sent - taken)
  }

  @Test("the consumer begins a stream; the first append after it has left ends the stream")
  func stream() {
    let fixture = Fixture<Int>(bound: 10)
    let (ring, canStream) = (fixture.ring, weir_has_process_fence())
    var pace: UInt64 { ring.pace.load() }
    #expect(fixture.append(0) && pace == 0)
    #expect(ring.tailAfterLeaving() == 1 && pace == 0)
    ring.beginStream()
    #expect(fixture.append(1) && pace == (canStream ? HandOffRing<Int>.streaming : 0))
    #expect(ring.tailAfterLeaving() == 2 && pace == (canStream ? HandOffRing<Int>.settling : 0))
    ring.beginStream()
    #expect(pace == (canStream ? HandOffRing<Int>.settling : 0), "the producer has not been here yet")
    #expect(fixture.append(2) && pace == 0)
    ring.beginStream()
    ring.endStream()
    #expect(pace == 0)
    #expect(fixture.append(3) && fixture.takeAll() == [0, 1, 2, 3])
  }

  @Test(
    "a ring buffers exactly as many values as its bound, and is not larger than needed",
    arguments: [1, 2, 3, 63, 64, 65, 1_000])
  func bound(bound: Int) {
    let fixture = Fixture<Int>(bound: bound)
    for value in 0..<bound { #expect(fixture.append(value)) }
    #expect(!fixture.append(-1))
    let batch = fixture.takeBatch().count
    #expect(batch == max(1, min(256, bound / 4, 16)) || bound == 1_000)
    // Values that the consumer has claimed do not count as buffered.
    for value in 0..<batch { #expect(fixture.append(bound + value)) }
    #expect(!fixture.append(-1))
    #expect(fixture.takeAll() == Array(batch..<bound + batch))
    #expect(fixture.ring.producer.pointee.ring.capacity <= 2 * UInt64(bound + bound / 4 + 1))
  }

  @Test(
    "the capacity grows with the number of buffered values, and no further",
    arguments: [(1, 64), (16, 64), (100, 128), (5_000, 8_192)])
  func memory(waiting: Int, capacity: Int) {
    let fixture = Fixture<Int>(bound: 1_000_000)
    for _ in 0..<50 {
      for value in 0..<waiting { #expect(fixture.append(value)) }
      #expect(fixture.takeAll() == Array(0..<waiting))
    }
    #expect(fixture.ring.producer.pointee.ring.capacity == UInt64(capacity))
    #expect(fixture.ring.consumer.pointee.ring.bits == fixture.ring.producer.pointee.ring.bits)
  }

  @Test(
    "claim() returns .closed after the last value of a closed ring, and .empty with the tail of an empty one")
  func closed() {
    let fixture = Fixture<Int>(bound: 10)
    guard case .empty(tail: 0) = fixture.ring.claim() else {
      Issue.record("not empty")
      return
    }
    #expect(fixture.append(1))
    fixture.ring.close()
    #expect(fixture.takeBatch() == [1])
    guard case .closed = fixture.ring.claim() else {
      Issue.record("not closed")
      return
    }
    #expect(fixture.ring.isEmpty)
  }

  @Test("beyond the bound each append drops the oldest value", arguments: [1, 2, 5, 64, 100])
  func dropOldest(bound: Int) {
    let fixture = Fixture<Int>(bound: bound, .canBeDropped)
    for value in 0..<10 * bound { fixture.force(value) }
    #expect(fixture.takeAll() == Array(9 * bound..<10 * bound))
    fixture.force(-1)
    #expect(fixture.takeAll() == [-1])
    #expect(fixture.ring.consumer.pointee.ring.bits == fixture.ring.producer.pointee.ring.bits)
  }

  @Test("a claimed value stays valid until the consumer takes it, however many are dropped meanwhile")
  func stalledConsumer() {
    let resources = Resources()
    let fixture = Fixture<(Int, Resources.Resource)>(bound: 8, .canBeDropped)
    for value in 0..<8 { fixture.force((value, resources.make())) }
    guard case .batch(let batch) = fixture.ring.claim() else {
      Issue.record("nothing to claim")
      return
    }
    let ringBefore = fixture.ring.producer.pointee.ring.bits
    for value in 8..<10_000 { fixture.force((value, resources.make())) }
    // One ring for the consumer, and another one for the buffered values.
    #expect(fixture.ring.producer.pointee.ring.bits != ringBefore)
    #expect(resources.alive == 9)
    #expect(batch.count == 1 && fixture.ring.take(batch.first).0 == 0)
    #expect(fixture.takeAll().map(\.0) == Array(9_992..<10_000))
    #expect(resources.alive == 0)
  }

  @Test("destroying a ring releases its buffered values, once")
  func destroyed() {
    let resources = Resources()
    var fixture: Fixture<Resources.Resource>? = Fixture(bound: 1_000)
    for _ in 0..<300 { _ = fixture?.append(resources.make()) }
    _ = fixture?.takeBatch()
    #expect(resources.alive == 300 - 128)
    fixture = nil
    #expect(resources.alive == 0)
  }

  @Test("values stay in order when their number exceeds 32 bits, also into another ring")
  func numbersBeyondWords() {
    let fixture = Fixture<Int>(bound: 1_000)
    let first: UInt64 = (1 << 32) - 100
    fixture.ring.producer.pointee.next = first
    fixture.ring.producer.pointee.room = first
    fixture.ring.tail.storeRelaxed(first)
    let head = RingHead(claimed: UInt32(truncatingIfNeeded: first), inUse: 0)
    fixture.ring.producer.pointee.ring.head.storeRelaxed(head.bits)
    for value in 0..<90 { #expect(fixture.append(value)) }
    #expect(fixture.takeBatch() == Array(0..<32))
    for value in 90..<600 { #expect(fixture.append(value)) }
    #expect(fixture.takeAll() == Array(32..<600))
  }

  @Test("values of size zero are bounded and counted")
  func void() {
    let fixture = Fixture<Void>(bound: 3)
    for _ in 0..<3 { #expect(fixture.append(())) }
    #expect(!fixture.append(()))
    #expect(fixture.takeAll().count == 3)
  }

  @Test(
    "the size of a ring is rounded up to a power of two",
    arguments: [(0, 1), (1, 1), (2, 2), (3, 4), (64, 64), (65, 128), (1 << 31, 1 << 31)])
  func powers(number: UInt64, expected: UInt64) { #expect(number.roundedUpToPowerOfTwo == expected) }
}
