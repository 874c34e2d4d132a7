// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir

/// Drops the plummet when it is released.
private final class Sinker: Sendable {
  private let plummet: Plummet
  init(_ plummet: Plummet) { self.plummet = plummet }
  deinit { plummet.drop() }
}

extension Retention {
  /// What is not constant: nested operators need stack for each level, when they are subscribed, when a value
  /// passes, and when they are released. The article on operators says how many fit; the sanitizers' frames
  /// are larger.
  @Suite(.enabled(if: !weir_atomics_are_hooked())) struct StackUse {
    private static let depth = 500
    /// So that 500 of each fit a thread with 8 MiB.
    private static let most = 8 << 20 / 500

    @Test("each nested operator uses no more stack than documented to subscribe, deliver and release")
    func perOperator() async {
      await #expect(processExitsWith: .success) {
        withSmallStack(kibibytes: 64 * 1024) {
          for (name, wrap) in Self.operators {
            let use = Self.measure(wrap)
            print(
              "\(name): \(use.subscribing) bytes to subscribe, \(use.passing) a value, \(use.releasing) to release"
            )
            for bytes in [use.subscribing, use.passing, use.releasing] {
              #expect((0...Self.most).contains(bytes), "\(name): \(use)")
            }
            #expect(use.subscribing > 0, "\(name)")
          }
        }
      }
    }

    @Test("each nested list operator uses little stack to evaluate, and none to release")
    func perListOperator() async {
      await #expect(processExitsWith: .success) {
        withSmallStack(kibibytes: 64 * 1024) {
          for (name, wrap) in Self.listOperators {
            let use = Self.measure(wrap)
            print("\(name): \(use.finding) bytes to find an element, \(use.evaluating) to evaluate it")
            #expect((1...Self.most).contains(use.finding), "\(name): \(use)")
            #expect((0...Self.most).contains(use.evaluating), "\(name): \(use)")
            #expect(use.releasing < 16, "\(name): \(use)")
          }
        }
      }
    }

    private typealias WrapList = @Sendable (LazyList<Int>) -> LazyList<Int>

    private static let listOperators: [(String, WrapList)] = [
      ("map", { $0.map { $0 + 1 } }),
      ("filter", { $0.filter { _ in true } }),
      ("flatMap", { $0.flatMap { .just($0) } }),
      ("concat", { $0.concat([]) }),
      ("take", { $0.take(first: 9) }),
    ]

    private static func measure(_ wrap: WrapList) -> (finding: Int, evaluating: Int, releasing: Int) {
      var (finding, evaluating) = (0, 0)
      let releasing = Plummet.bytes(for: depth) { deepest in
        evaluating = Plummet.bytes(for: depth) { bottom in
          finding = Plummet.bytes(for: depth) { plummet in
            let numbers = LazyList<Int>.deferred {
              plummet.drop()
              return LazyList(
                head: {
                  bottom.drop()
                  return 1
                }, tail: { [sinker = Sinker(deepest)] in withExtendedLifetime(sinker) { [] } })
            }
            #expect((0..<depth).reduce(numbers) { chain, _ in wrap(chain) }.head != nil)
          }
        }
      }
      return (finding, evaluating, releasing)
    }

    private typealias Wrap = @Sendable (Signal<Int, Never>) -> Signal<Int, Never>

    private static let operators: [(String, Wrap)] = [
      ("map", { $0.map { $0 + 1 } }),
      ("filter", { $0.filter { _ in true } }),
      ("take", { $0.take(first: 9) }),
      ("merge", { $0.merge(with: Signal.never()) }),
      ("concat", { $0.concat(Signal.empty()) }),
      ("flatMap", { $0.flatMap { Signal<Int, Never>.just($0) } }),
      ("share", { $0.share() }),
    ]

    private static func measure(_ wrap: Wrap) -> (subscribing: Int, passing: Int, releasing: Int) {
      let observer = Held<Never>(nil)
      var (passing, releasing) = (0, 0)
      let subscribing = Plummet.bytes(for: depth) { plummet in
        releasing = Plummet.bytes(for: depth) { deepest in
          var chain = Signal<Int, Never>.create { [sinker = Sinker(deepest)] in
            _ = sinker
            plummet.drop()
            observer.value = $0
            return nil
          }
          for _ in 0..<depth { chain = wrap(chain) }
          let subscription = Box<Subscription?>(nil)
          passing = Plummet.bytes(for: depth) { bottom in
            subscription.value = chain.subscribe { _ in bottom.drop() }
            observer.value?.send(1)
          }
          subscription.value?.dispose()
          observer.value = nil
        }
      }
      return (subscribing, passing, releasing)
    }
  }
}
