// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Weir

extension Stress.Orders {
  /// A suspended task, which is touched by the thread that resumes it.
  private struct Touched: Sleeper {
    let suspended: Unguarded
    func resume() { suspended.touch() }
  }

  /// The inbox of values that a task reads, without a source, which would order threads.
  private final class Reading: Sendable {
    let inbox = AwaitedInbox<Parcel, Never, Touched>(waiting: .unbounded)

    /// - Parameter isSuspended: whether the task is suspended; otherwise it is about to be.
    init(isSuspended: Bool) {
      // Allocates the ring now: allocating it later would order threads.
      send()
      take()
      if isSuspended { suspend() }
    }

    /// As its reader does.
    deinit { inbox.finish() }

    func send() { if inbox.append(Parcel()) { inbox.wake() } }

    private func take() { if case .some = inbox.look() { inbox.take().content.touch() } }

    /// What a task does that finds no value.
    func suspend() {
      guard case .none(let tail) = inbox.look() else { return }
      inbox.suspend(Touched(suspended: Unguarded()), after: tail)
    }
  }

  @Test(
    "a thread that resumes a suspended task sees what it stored; a thread that cancels it sees the buffered values"
  )
  func awaited() {
    expectOrdered(
      setup: { Reading(isSuspended: true) },
      between: [{ it in it.send() }, { it in it.inbox.terminate(.completed) }],
      and: [{ it in it.inbox.cancel() }])
    expectOrdered(
      setup: { Reading(isSuspended: false) },
      between: [{ it in it.suspend() }],
      and: [
        { it in it.send() }, { it in it.inbox.cancel() }, { it in it.inbox.terminate(.completed) },
      ])
  }
}
