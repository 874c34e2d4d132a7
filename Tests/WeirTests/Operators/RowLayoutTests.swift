// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

/// A row that counts how often it was read at an address that is not aligned for its elements.
private struct CountingRow<Inner: Row>: Row {
  let inner: Inner
  /// That of the type, to compare with what the row says of itself.
  let needed: Int
  let misplaced: Box<Int>

  var stride: Int { inner.stride }
  var alignment: Int { inner.alignment }

  func read(_ row: UnsafeMutableRawPointer) -> Inner.Whole {
    note(row)
    return inner.read(row)
  }

  func take(_ row: UnsafeMutableRawPointer) -> Inner.Whole {
    note(row)
    return inner.take(row)
  }

  private func note(_ row: UnsafeMutableRawPointer) {
    if UInt(bitPattern: row) % UInt(needed) != 0 { misplaced.value += 1 }
  }
}

/// Where the elements of rows lie, for types that are easily misplaced.
struct RowLayoutTests {
  /// Sends rows of one value and a byte, the first ones at once, and the others when six values wait.
  private func misplacedPairs<Wide: Sendable>(of value: Wide) -> Int {
    let (wide, byte, misplaced) = (Subject<Wide, Never>(), Subject<UInt8, Never>(), Box(0))
    let shape = CountingRow(
      inner: TupleRow<(Wide, UInt8)>(), needed: MemoryLayout<(Wide, UInt8)>.alignment, misplaced: misplaced)
    let latest = Recorder(
      row(of: wide.signal, byte.signal) { LatestRun($0, shaped: shape, trigger: .all, to: $1) }.map { $0.1 })
    let unbounded = StoredBacklog<Never>(.unbounded)
    let zipped = Recorder(
      row(of: wide.signal, byte.signal) { ZipRun($0, shaped: shape, waiting: unbounded, to: $1) }
        .map { $0.1 })
    for number in 1...3 {
      wide.send(value)
      byte.send(UInt8(number))
    }
    for _ in 0..<6 { wide.send(value) }
    for number in 4...9 { byte.send(UInt8(number)) }
    #expect(latest.values.last == 9)
    #expect(zipped.values == Array(1...9))
    return misplaced.value
  }

  /// The same with rows of two such values as an array.
  private func misplacedArrays<Wide: Sendable>(of value: Wide) -> Int {
    let subjects = (0..<2).map { _ in Subject<Wide, Never>() }
    let misplaced = Box(0)
    let shape = CountingRow(
      inner: ArrayRow<Wide>(count: 2), needed: MemoryLayout<Wide>.alignment, misplaced: misplaced)
    let latest = Recorder(
      row(of: subjects.map(\.signal)) { LatestRun($0, shaped: shape, trigger: .all, to: $1) }.map(\.count))
    let unbounded = StoredBacklog<Never>(.unbounded)
    let zipped = Recorder(
      row(of: subjects.map(\.signal)) { ZipRun($0, shaped: shape, waiting: unbounded, to: $1) }
        .map(\.count))
    for _ in 0..<3 { for subject in subjects { subject.send(value) } }
    for subject in subjects { for _ in 0..<6 { subject.send(value) } }
    #expect(latest.values.last == 2)
    #expect(zipped.values.count == 9)
    return misplaced.value
  }

  @Test(
    "rows are aligned for their elements, in the run, in a block, and in the ring of zip, which grows")
  func alignment() {
    // Swift aligns nothing to more than 16 bytes; the words of a run are aligned to 8.
    #expect(misplacedPairs(of: UInt16(1)) == 0)
    #expect(misplacedPairs(of: 1) == 0)
    #expect(misplacedPairs(of: SIMD2<Double>()) == 0)
    #expect(misplacedPairs(of: SIMD8<Double>()) == 0)
    #expect(misplacedArrays(of: 1) == 0)
    #expect(misplacedArrays(of: SIMD2<Double>()) == 0)
  }

  @Test("rows of values whose size is no multiple of their alignment hold them all", arguments: 1...9)
  func oddSizes(_ count: Int) {
    let subjects = (0..<count).map { _ in Subject<Int?, Never>() }
    let signals = subjects.map(\.signal)
    let (latest, zipped) = (Recorder(Signal.combineLatest(signals)), Recorder(Signal.zip(signals)))
    let rows = (1...3).map { row in (0..<count).map { $0 == row ? nil : row << 40 | $0 } }
    for row in rows { for (subject, value) in zip(subjects, row) { subject.send(value) } }
    #expect(latest.values.last == rows.last)
    #expect(zipped.values == rows)
  }

  /// The memory of a run is zero at first, which is a valid object reference to release, but no valid value
  /// of a protocol type.
  @Test(
    "values of protocol types are stored, replaced and released in rows, complete or not", arguments: 2...9)
  func existentials(_ count: Int) {
    typealias Shown = any CustomStringConvertible & Sendable
    for combined in [{ Signal<Shown, Never>.combineLatest($0) }, { Signal<Shown, Never>.zip($0) }] {
      for present in 0...count {
        let subjects = (0..<count).map { _ in Subject<Shown, Never>() }
        let recorder = Recorder(combined(subjects.map(\.signal)).map { $0.map(\.description) })
        let values: [Shown] = ["a text that is long enough for an allocation of its own", 7]
        for value in values { for subject in subjects[..<present] { subject.send(value) } }
        #expect((recorder.values.last == Array(repeating: "7", count: count)) == (present == count))
        recorder.dispose()
      }
    }
  }

  @Test("elements that do not end where the tuple ends stop the process")
  func check() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      RowElements(Int.self, Bool.self).check(against: (Int, Int).self)
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("weir: the elements of (Int, Int) have an unexpected memory layout"))
  }
}
