// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Which thread takes each step, as text: `A12B3A` means twelve steps of the first thread, three of the
/// second, one of the first. Where a load may return older values, a lower-case letter says which one it
/// returns: `a` the newest, `b` the one before it.
///
/// Kept in raw memory, so that it can be written out after a crash.
struct Schedule: @unchecked Sendable {  // belongs to the thread that runs
  static let limit = 10_000
  /// The entry among the lanes for a load that returns the newest value; larger ones stand for older values.
  static let newest = 32
  static let oldest = newest + 25

  private let lanes: UnsafeMutablePointer<UInt8>
  private let countWord: UnsafeMutablePointer<Int>

  init() {
    lanes = .allocate(capacity: Self.limit)
    countWord = .allocate(capacity: 1)
    countWord.initialize(to: 0)
  }

  func free() {
    lanes.deallocate()
    countWord.deallocate()
  }

  var count: Int { countWord.pointee }
  var isFull: Bool { count == Self.limit }

  func append(_ lane: Int) {
    lanes[count] = UInt8(lane)
    countWord.pointee += 1
  }

  func clear() { countWord.pointee = 0 }

  /// Calls `emit` with the bytes of the text; allocates nothing.
  func write(_ emit: (UInt8) -> Void) {
    var index = 0
    while index < count {
      let lane = lanes[index]
      var length = 0
      while index < count, lanes[index] == lane {
        length += 1
        index += 1
      }
      emit(UInt8(ascii: "A") + lane)  // a lower-case letter is 32 after the upper-case one
      if length == 1 { continue }
      var power = 1
      while power * 10 <= length { power *= 10 }
      while power > 0 {
        emit(UInt8(ascii: "0") + UInt8(length / power % 10))
        power /= 10
      }
    }
  }

  var text: String {
    var bytes = [UInt8]()
    write { bytes.append($0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The lanes that a text names; nil if it is not a schedule.
  static func lanes(in text: some StringProtocol) -> [Int]? {
    var lanes = [Int]()
    var pending: (lane: Int, length: Int?)?
    func flush() { if let pending { lanes += Array(repeating: pending.lane, count: pending.length ?? 1) } }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
        flush()
        pending = (Int(byte - UInt8(ascii: "A")), nil)
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        guard let (lane, length) = pending else { return nil }
        pending = (lane, min(Self.limit, (length ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))))
      default: return nil
      }
    }
    flush()
    return lanes
  }
}
