// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import WeirTesting

@testable import Weir

/// Turns that belong to a thread, while other threads arrive. A plain build runs the form with the
/// process-wide fence, which the builds for sanitizers do not have. So what observes here must not be a fence
/// itself: it only loads and stores.
extension Stress {
  @Suite struct BiasStress {
    init() { perturb() }

    /// Numbers from several threads: `thread << 32 | number`.
    private final class Watch: Sendable {
      nonisolated(unsafe) private let words = UnsafeMutablePointer<UInt64>.allocate(capacity: 4)
      private static var inside: Int { 0 }
      private static var violations: Int { 1 }

      private let pauses: Int

      /// In every second round each delivery takes long enough, without a fence, for another thread to enter;
      /// in the others it is over before its stores become visible.
      init(round: Int) {
        pauses = round % 2 * 8
        words.initialize(repeating: 0, count: 4)
      }
      deinit { words.deallocate() }

      /// Delivery must be serial, and in the order of each thread.
      func take(_ item: UInt64) {
        if weir_load_relaxed_u64(words + Self.inside) != 0 { violate() }
        weir_store_relaxed_u64(words + Self.inside, 1)
        for _ in 0..<pauses { weir_pause() }
        let last = words + 2 + Int(item >> 32)
        if weir_load_relaxed_u64(last) + 1 != item & 0xFFFF_FFFF { violate() }
        weir_store_relaxed_u64(last, item & 0xFFFF_FFFF)
        weir_store_relaxed_u64(words + Self.inside, 0)
      }

      private func violate() { words[Self.violations] += 1 }
      var violations: UInt64 { words[Self.violations] }
      func last(of thread: Int) -> UInt64 { words[2 + thread] }
    }

    /// A subscriber that another thread disposes.
    private final class Leaver: @unchecked Sendable {  // the subscription by one thread; the words are atomic
      private let words = UnsafeMutablePointer<UInt64>.allocate(capacity: 2)
      private let resources: Resources
      private var subscription: Subscription?

      init(_ resources: Resources) {
        self.resources = resources
        words.initialize(repeating: 0, count: 2)
      }
      deinit { words.deallocate() }

      func subscribe(to subject: Subject<UInt64, Never>) {
        nonisolated(unsafe) let words = words
        subscription = subject.subscribe { [token = resources.make()] _ in
          _ = token
          if weir_load_acquire_u64(words) == 0 { return }
          weir_store_relaxed_u64(words + 1, weir_load_relaxed_u64(words + 1) + 1)
        }
      }

      func leave() {
        subscription?.dispose()
        weir_store_release_u64(words, 1)
      }

      /// How many values came after its disposal.
      var late: UInt64 { weir_load_relaxed_u64(words + 1) }
    }

    private static let warm: UInt64 = 300
    private static let sent: UInt64 = 600

    /// One thread sends until the source belongs to it, and goes on sending; then another one does something.
    private func meet(
      owner send: @escaping @Sendable (UInt64) -> Void, other: @escaping @Sendable () -> Void
    ) {
      let isWarm = Counter()
      withThreads(2) { index in
        if index == 0 {
          for number in 1...Self.warm { send(number) }
          isWarm.add()
          for number in (Self.warm + 1)...Self.sent { send(number) }
        } else {
          while isWarm.value == 0 {}
          other()
        }
      }
    }

    @Test(
      "A13 AC5: when a second thread sends, delivery is serial, in each sender's order, without loss"
    )
    func send() {
      for round in 0..<roundCount(2_000) {
        let (subject, watch) = (Subject<UInt64, Never>(), Watch(round: round))
        subject.subscribe { watch.take($0) }
        meet(owner: { subject.send($0) }) { for number in UInt64(1)...20 { subject.send(1 << 32 | number) } }
        #expect(watch.violations == 0)
        #expect(watch.last(of: 0) == Self.sent)
        #expect(watch.last(of: 1) == 20)
      }
    }

    @Test(
      "A13: when a second thread sends to a merged source, delivery is serial, in each sender's order, without loss"
    )
    func merge() {
      for round in 0..<roundCount(2_000) {
        let (first, second, watch) = (Subject<UInt64, Never>(), Subject<UInt64, Never>(), Watch(round: round))
        first.merge(with: second).subscribe { watch.take($0) }
        meet(owner: { first.send($0) }) { for number in UInt64(1)...20 { second.send(1 << 32 | number) } }
        #expect(watch.violations == 0)
        #expect(watch.last(of: 0) == Self.sent)
        #expect(watch.last(of: 1) == 20)
      }
    }

    @Test(
      "DD-2 DD-3: subscribers disposed by another thread are released and get nothing more; the others miss nothing"
    )
    func churn() {
      let blocksBefore = blocksAlive()
      for round in 0..<roundCount(2_000) {
        let (subject, watch, resources) = (Subject<UInt64, Never>(), Watch(round: round), Resources())
        subject.subscribe { watch.take($0) }
        // Puts the newest subscribers behind many others, so that a walk of the list takes time.
        let many = (0..<8).map { _ in Leaver(resources) }
        for leaver in many { leaver.subscribe(to: subject) }
        let others = (0..<20).map { _ in Leaver(resources) }
        meet(owner: { subject.send($0) }) {
          for leaver in many { leaver.leave() }
          for leaver in others {
            leaver.subscribe(to: subject)
            leaver.leave()
          }
        }
        #expect(watch.violations == 0)
        #expect(watch.last(of: 0) == Self.sent)
        #expect(resources.alive == 0)
        // What was being delivered may have come to its end.
        #expect((many + others).allSatisfy { $0.late <= 1 })
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "A5: when another thread completes the source, the delivered values have no gap and completion comes once"
    )
    func end() {
      for round in 0..<roundCount(2_000) {
        let (subject, watch, completions) = (Subject<UInt64, Never>(), Watch(round: round), Counter())
        subject.subscribe(next: { watch.take($0) }, completed: { completions.add() })
        meet(owner: { subject.send($0) }) { subject.complete() }
        #expect(watch.violations == 0)
        #expect(completions.value == 1)
      }
    }
  }
}
