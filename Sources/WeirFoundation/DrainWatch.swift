// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
import Weir

/// Detects that a queue has work and runs none of it: because nothing runs the queue, or because something
/// keeps its thread busy.
final class DrainWatch: Sendable {
  private let patience: Duration
  private let stalled: @Sendable (String) -> Void
  private let hasWork = Atomic(false)
  private let rounds = Atomic(0)
  private let timer = SerialDisposable()

  init(patience: Duration, stalled: @escaping @Sendable (String) -> Void) {
    self.patience = patience
    self.stalled = stalled
  }

  /// True once the queue has run something.
  var isContent: Bool { timer.isDisposed }

  func workWasEnqueued() {
    if hasWork.load(ordering: .relaxed) || hasWork.exchange(true, ordering: .relaxed) { return }
    // In rounds, of which those that were missed are not made up for: time in which the process is stopped,
    // by a debugger or with its container, counts as one round.
    timer.swap(
      DispatchScheduler(.global()).schedule(every: patience / 10) { [weak self, patience, stalled] in
        guard self?.rounds.wrappingAdd(1, ordering: .relaxed).newValue == 10 else { return }
        stalled(
          """
          weir: the main queue has run nothing for \(patience), though work was scheduled on it: nobody runs it, or \
          something keeps the main thread busy. Call dispatchMain() or RunLoop.main.run() on the main thread, or give \
          the program an async main(); do long work elsewhere; or pass another scheduler than .main.
          """)
      })
  }

  func workHasBegun() { if !isContent { timer.dispose() } }
}
