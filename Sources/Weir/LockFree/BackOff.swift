// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// How long a thread pauses when it meets another one: longer and longer while it meets one each time.
///
/// In nanoseconds, and not in pause instructions, which take 3 to 60 of them, depending on the processor. In
/// the shortest pause the other thread gets its cache lines back and delivers some dozen items; to a thread
/// that does nothing but send that leaves most of the time to whoever holds the turn. The longest is about
/// what a system takes at best to wake a thread that waits for a mutex.
struct BackOff {
  static var shortest: UInt64 { 1_600 }
  static var longest: UInt64 { 6_400 }

  private var length: UInt64 = 0
  private var end: UInt64 = 0

  /// Returns how long a pause that begins now takes: twice as long as the last one, if that has just ended.
  mutating func nextLength(at now: UInt64) -> UInt64 {
    let isSoon = length != 0 && now &- end < Self.shortest
    length = isSoon ? min(2 * length, Self.longest) : Self.shortest
    return length
  }

  /// Takes note of when that pause ended.
  mutating func noteEnd(at now: UInt64) { end = now }

  /// Pauses the calling thread.
  static func pause() {
    weir_thread_back_off().withMemoryRebound(to: BackOff.self, capacity: 1) { own in
      weir_pause_for(own.pointee.nextLength(at: weir_now()))
      own.pointee.noteEnd(at: weir_now())
    }
  }
}
