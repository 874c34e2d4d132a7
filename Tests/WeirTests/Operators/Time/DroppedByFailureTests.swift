// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What operators with a timer do with buffered values when the signal fails.
struct DroppedByFailureTests {
  /// An operator that has sent nothing after it has received two values.
  struct Keeping: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (Signal<Resources.Resource, Oops>, VirtualScheduler) -> Signal<Void, Oops>

    static let all = [
      Keeping(testDescription: "delay") { $0.delay(.seconds(1), on: $1).mapReplace(()) },
      Keeping(testDescription: "debounce") { $0.debounce(.seconds(1), on: $1).mapReplace(()) },
      Keeping(testDescription: "rateLimit") {
        $0.rateLimit(to: .seconds(1), on: $1, edge: .trailing).mapReplace(())
      },
      Keeping(testDescription: "collect(within:)") {
        $0.collect(within: .seconds(1), on: $1).mapReplace(())
      },
      Keeping(testDescription: "collect(count:within:)") {
        $0.collect(count: 3, within: .seconds(1), on: $1).mapReplace(())
      },
    ]
  }

  @Test(
    "contract 7: buffered values are released before a failure is forwarded, and so before catch handles it",
    arguments: Keeping.all)
  func dropped(by operation: Keeping) {
    let (scheduler, resources) = (VirtualScheduler(), Resources())
    let (subject, replacement) = (Subject<Int, Oops>(), Subject<Void, Oops>())
    let alive = Box<[Int]>([])
    let values = subject.map { [unowned resources] _ in resources.make() }
    let subscription = operation.apply(values, scheduler).catch { [unowned resources] _ in
      alive.value.append(resources.alive)
      return replacement.signal
    }.subscribe(failed: { _ in })
    for value in 1...2 { subject.send(value) }
    #expect(resources.alive > 0)
    subject.fail(Oops())
    #expect(alive.value == [0])
    subscription.dispose()
  }

  @Test("a failure is reported when the deinit of a value that is dropped for it disposes the subscription")
  func reported() async {
    await #expect(processExitsWith: .success) {
      let (reported, failures) = (Box<[Int?]>([]), Counter())
      UnhandledErrors.setHandler { reported.value.append(($0.error as? Oops)?.code) }
      let (subject, slot) = (Subject<Parting, Oops>(), SerialDisposable())
      slot.swap(
        subject.debounce(.seconds(1), on: VirtualScheduler()).subscribe(failed: { _ in failures.add() }))
      subject.send(Parting { slot.dispose() })
      subject.fail(Oops(code: 4))
      #expect(failures.value == 0 && reported.value == [4])
    }
  }
}
