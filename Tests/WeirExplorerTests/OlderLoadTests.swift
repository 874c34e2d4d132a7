// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import WeirExplorer
import WeirTesting

@testable import Weir

extension Exploring {
  /// Orders that are too weak, which show only where loads may find older values; and those that are strong
  /// enough.
  @Suite struct OlderLoadTests {
    private final class Two {
      private let words = Words(2)
      var found: [UInt64] = [9, 9]
      var first: AtomicWord { AtomicWord(words.words) }
      var second: AtomicWord { AtomicWord(words.words + 1) }
    }

    private func expect(
      _ isFound: Bool, _ scenario: Scenario<Two>, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      #expect(explore(scenario, .exhaustive(preemptions: 3)).failure == nil, sourceLocation: sourceLocation)
      for search in [Search.exhaustive(preemptions: 3), .uniform(schedules: 500)] {
        let failure = explore(scenario, search, loads: .older).failure
        #expect((failure != nil) == isFound, "\(search)", sourceLocation: sourceLocation)
        guard let failure else { continue }
        let again = try #require(replay(scenario, failure.schedule).failure, sourceLocation: sourceLocation)
        #expect(
          again.problem == failure.problem && again.trace == failure.trace, sourceLocation: sourceLocation)
      }
    }

    /// Each of two threads writes one word and then looks at the other. One may write in another way.
    private func storeBuffering(
      _ name: String, _ write: @escaping (AtomicWord) -> Void, _ look: @escaping (AtomicWord) -> UInt64,
      other: ((AtomicWord) -> Void)? = nil
    ) -> Scenario<Two> {
      Scenario(
        "store buffering: \(name)", setup: { Two() },
        threads: [
          [
            Operation("one") {
              write($0.first)
              $0.found[0] = look($0.second)
            }
          ],
          [
            Operation("other") {
              (other ?? write)($0.second)
              $0.found[1] = look($0.first)
            }
          ],
        ], check: { $0.found == [0, 0] ? "neither has seen the other" : nil })
    }

    @Test("store buffering is prevented only by sequential consistency on both sides")
    func storeBuffering() throws {
      try expect(false, storeBuffering("sequential", { _ = $0.exchange(1) }, { $0.load() }))
      try expect(true, storeBuffering("acquire", { _ = $0.exchange(1) }, { $0.loadAcquire() }))
      try expect(true, storeBuffering("release", { $0.storeRelease(1) }, { $0.load() }))
    }

    @Test(
      "store buffering with a plain store on one side is prevented only by a process-wide fence on the other")
    func processFence() throws {
      func scenario(_ name: String, _ fence: @escaping () -> Void) -> Scenario<Two> {
        storeBuffering(name, { $0.storeAsymmetric(1) }, { $0.load() }) { word in
          _ = word.exchange(1)
          fence()
        }
      }
      try expect(false, scenario("a fence", weir_process_fence))
      try expect(true, scenario("no fence", {}))
    }

    /// One thread writes a message and then sets a flag; the other one looks at the flag, and reads.
    private func message(
      _ name: String, _ say: @escaping (AtomicWord) -> Void, _ look: @escaping (AtomicWord) -> UInt64
    ) -> Scenario<Two> {
      Scenario(
        "message: \(name)", setup: { Two() },
        threads: [
          [
            Operation("write") {
              $0.first.storeRelaxed(1)
              say($0.second)
            }
          ],
          [Operation("read") { if look($0.second) == 1 { $0.found[0] = $0.first.loadRelaxed() } }],
        ], check: { $0.found[0] == 0 ? "there was no message" : nil })
    }

    @Test("message passing needs a release and an acquire")
    func message() throws {
      try expect(false, message("released", { $0.storeRelease(1) }, { $0.loadAcquire() }))
      try expect(true, message("relaxed", { $0.storeRelaxed(1) }, { $0.loadAcquire() }))
      try expect(true, message("not acquired", { $0.storeRelease(1) }, { $0.loadRelaxed() }))
    }

    /// A message that a third thread passes on.
    private func passedOn(_ name: String, _ pass: @escaping (AtomicWord) -> Void) -> Scenario<Two> {
      Scenario(
        "passed on: \(name)", setup: { Two() },
        threads: [
          [
            Operation("write") {
              $0.first.storeRelaxed(1)
              $0.second.storeRelease(1)
            }
          ],
          [Operation("pass on") { if $0.second.loadRelaxed() == 1 { pass($0.second) } }],
          [Operation("read") { if $0.second.loadAcquire() == 2 { $0.found[0] = $0.first.loadRelaxed() } }],
        ], check: { $0.found[0] == 0 ? "there was no message" : nil })
    }

    @Test("a relaxed read-modify-write passes a message on; a relaxed store does not")
    func passedOn() throws {
      try expect(false, passedOn("added", { $0.addRelaxed(1) }))
      try expect(true, passedOn("stored", { $0.storeRelaxed(2) }))
    }

    /// Two words that are written at once; a thread that finds one of them written reads the other.
    private func pair(
      _ name: String, _ found: @escaping (Two) -> AtomicWord, _ other: @escaping (Two) -> AtomicWord
    ) -> Scenario<Two> {
      Scenario(
        "pair: \(name)", setup: { Two() },
        threads: [
          [Operation("write") { _ = weir_compare_exchange_seq_cst_pair($0.first.address, 0, 0, 1, 1) }],
          [Operation("read") { if found($0).loadAcquire() == 1 { $0.found[0] = other($0).loadRelaxed() } }],
        ], check: { $0.found[0] == 0 ? "half of the pair" : nil })
    }

    @Test("a thread that has read one word of a pair written at once reads the other one, too")
    func pair() throws {
      try expect(false, pair("second, then first", \.second, \.first))
      try expect(false, pair("first, then second", \.first, \.second))
    }

    @Test("a thread reads no value older than one that it has read before")
    func coherence() throws {
      try expect(
        false,
        Scenario(
          "coherence", setup: { Two() },
          threads: [
            [Operation("write") { for value in 1...2 { $0.first.storeRelaxed(UInt64(value)) } }],
            [Operation("read") { it in it.found = (0..<2).map { _ in it.first.loadRelaxed() } }],
          ], check: { $0.found[0] > $0.found[1] ? "first \($0.found[0]), then \($0.found[1])" : nil }))
    }
  }
}
