// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing

@testable import Weir

struct BackOffTests {
  /// Lets pauses begin that long after the end of the one before, and returns how long they take.
  private func lengths(gaps: [UInt64]) -> [UInt64] {
    var (backOff, now) = (BackOff(), UInt64(1_000_000))
    return gaps.map { gap in
      now += gap
      let length = backOff.nextLength(at: now)
      now += length
      backOff.noteEnd(at: now)
      return length
    }
  }

  @Test("a thread that meets another one right after each pause pauses twice as long, up to a limit")
  func grows() {
    #expect(lengths(gaps: [0, 0, 1_599, 0, 0]) == [1_600, 3_200, 6_400, 6_400, 6_400])
  }

  @Test("a thread that got something done in between begins with the shortest pause again")
  func begins() {
    #expect(lengths(gaps: [0, 0, 1_600, 0, 5_000]) == [1_600, 3_200, 1_600, 3_200, 1_600])
  }

  @Test("a pause lasts as long as was asked for, whatever a pause instruction takes")
  func lasts() {
    for nanoseconds: UInt64 in [0, 100, 100_000, 2_000_000] {
      let start = weir_now()
      weir_pause_for(nanoseconds)
      #expect(weir_now() - start >= nanoseconds)
    }
  }

  @Test("a pause is noted in words of the calling thread, for the next one")
  func remembers() {
    let start = weir_now()
    for _ in 0..<3 { BackOff.pause() }
    #expect(weir_now() - start >= 3 * BackOff.shortest)
    let own = weir_thread_back_off()
    #expect((BackOff.shortest...BackOff.longest).contains(own[0]) && own[1] <= weir_now() && own[1] >= start)
  }
}
