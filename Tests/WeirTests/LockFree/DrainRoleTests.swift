// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing

@testable import Weir

/// The role of the consumer, step by step.
final class DrainRoleTests {
  private let words = weir_block_allocate(8).assumingMemoryBound(to: UInt64.self)
  private var role: DrainRole { DrainRole(AtomicWord(words)) }
  deinit { weir_block_free(words, 8) }

  @Test("request() asks the producer to schedule a drain once for each time that nobody consumes")
  func requests() {
    #expect(role.isIdle)
    #expect(role.request() == .schedule)
    #expect(role.request() == .nothing)
    #expect(role.begin())
    #expect(!role.begin())
    #expect(role.request() == .nothing)
    #expect(role.leave())
    #expect(role.request() == .schedule)
    #expect(role.begin() && role.leaveScheduled())
    #expect(role.request() == .nothing)
    #expect(role.begin() && !role.isInterrupted)
  }

  @Test("enter() succeeds only if nobody consumes and no drain is scheduled")
  func enters() {
    #expect(role.enter())
    #expect(!role.enter())
    #expect(role.leave())
    #expect(role.request() == .schedule)
    #expect(!role.enter())
  }

  @Test("after end() a scheduled drain cannot begin, and the next request() returns .cleanUp")
  func ends() {
    #expect(role.request() == .schedule)
    #expect(role.end() == .scheduled)
    #expect(role.end() == .before)
    #expect(!role.begin(), "the drain that was scheduled comes too late")
    role.leaveEnded()
    #expect(role.isEnded && role.isInterrupted)
    #expect(role.request() == .cleanUp, "what was appended meanwhile")
    role.leaveEnded()
    #expect(role.enterEnded() && !role.enterEnded())
  }

  @Test("end() returns .idle if no drain is scheduled, and nobody can begin afterwards")
  func endsIdle() {
    #expect(role.end() == .idle)
    #expect(!role.enter() && !role.begin())
    role.leaveEnded()
    #expect(role.end() == .before)
  }

  @Test("a consumer cannot leave once the end or a cut is set", arguments: [true, false])
  func flags(ends: Bool) {
    #expect(role.enter())
    if ends { #expect(role.end() == .consumed) } else { role.setCut() }
    #expect(role.isInterrupted)
    #expect(!role.leave() && !role.leaveScheduled())
    #expect(role.isCut == !ends && role.isEnded == ends)
  }

  @Test("a cut is scheduled like a value, and stays set after the end")
  func cut() {
    role.setCut()
    #expect(!role.enter())
    #expect(role.request() == .schedule)
    #expect(role.begin() && role.isCut)
    #expect(role.end() == .consumed && role.isEnded && role.isCut)
  }
}
