// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Weir

extension Stress.Orders {
  /// Something that is suspended, and is touched by whoever resumes it.
  private struct Touched: Sleeper {
    let suspended: Unguarded
    func resume() { suspended.touch() }
  }

  /// Values that a task would ask for, without a source, which would order threads.
  private final class Reading: Sendable {
    let inbox = AwaitedInbox<Parcel, Never, Touched>(waiting: .unbounded)

    /// - Parameter isSuspended: whether the task waits; otherwise it is about to.
    init(isSuspended: Bool) {
      // The ring is there now: its memory would order threads, too.
      send()
      take()
      if isSuspended { suspend() }
    }

    /// As its reader would.
    deinit { inbox.finish() }

    func send() { if inbox.append(Parcel()) { inbox.wake() } }

    private func take() { if case .some = inbox.look() { inbox.take().content.touch() } }

    /// What a task does that finds nothing.
    func suspend() {
      guard case .none(let tail) = inbox.look() else { return }
      inbox.suspend(Touched(suspended: Unguarded()), after: tail)
    }
  }

  @Test("who resumes a task sees what it has left; who cancels it sees what waits")
  func awaited() {
    expectOrdered(
      setup: { Reading(isSuspended: true) },
      between: [{ it in it.send() }, { it in it.inbox.terminate(.finished) }],
      and: [{ it in it.inbox.cancel() }])
    expectOrdered(
      setup: { Reading(isSuspended: false) },
      between: [{ it in it.suspend() }],
      and: [
        { it in it.send() }, { it in it.inbox.cancel() }, { it in it.inbox.terminate(.finished) },
      ])
  }
}
