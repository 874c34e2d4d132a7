// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

/// What a thread that disposes can rely on, while another one is in the middle of ending the run. Here the
/// other one's first steps are taken by hand; then it is stalled.
struct StalledDisposalTests {
  private let subject = Subject<Int, Never>()
  private let first = Subscription()
  private let second = Subscription()
  private let values = Box<[Int]>([])

  private func subscribed() -> Subscription {
    subject.subscribe { [values] in values.value.append($0) }
  }

  /// Nothing may be delivered although the run has not been stopped.
  private func expectSilence(
    after disposing: Subscription, _ sourceLocation: SourceLocation = #_sourceLocation
  ) {
    disposing.dispose()
    subject.send(1)
    #expect(values.value == [], sourceLocation: sourceLocation)
  }

  @Test(
    "a second parent stops a run that is being disposed, also if a sweep of its list was under way",
    arguments: [false, true])
  func swept(isSwept: Bool) throws {
    let run = subscribed()
    first.adopt(run)
    second.adopt(run)
    if isSwept { run.list.head.formUnion(DisposalList.sweeping) }
    let chain = try #require(run.list.close())
    expectSilence(after: second)
    DisposalList.dispose(chain, for: .dismissal)
  }

  @Test("a second parent that adopts a run while this is ending has stopped it when its own disposal returns")
  func adoptedLate() throws {
    let run = subscribed()
    first.adopt(run)
    let chain = try #require(run.list.close())
    second.adopt(run)
    expectSilence(after: second)
    DisposalList.dispose(chain, for: .dismissal)
  }

  @Test(
    "releasing the subscriber of an ended run is a clean-up: if that disposes the parent, there is no terminal event",
    arguments: [false, true], [false, true])
  func releasedSubscriber(isSwept: Bool, hasCleanUp: Bool) {
    let parent = Subscription()
    func subscribed() -> Subscription {
      let captured = Parting {
        // As another thread may do it just now.
        if isSwept { parent.list.sweep() }
        parent.dispose()
      }
      return subject.subscribe { _ in withExtendedLifetime(captured) {} }
    }
    let run = subscribed()
    parent.adopt(run)
    if hasCleanUp { run.add(ActionDisposable {}) }
    run.end(with: Completion<Never>.completed) { _ in Issue.record("delivered after dispose() had returned") }
  }
}
