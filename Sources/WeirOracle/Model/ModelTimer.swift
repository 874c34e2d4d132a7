// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The timer of one run of an operator, set for one time at most. What it does is done in the run's turns.
///
/// It does not make the run last: when the source lets go, the run ends, unless something was kept that is
/// still to be sent.
final class ModelTimer {
  private let turns: Turns
  private let clock: ModelClock
  private let start: Int
  private var fired: ((ModelTimer) -> Void)?
  /// What ends, without an event, if the scheduler gives this up.
  enum Loss {
    case run
    /// First what feeds the run: the operator that has the timer does so, in a run of its own.
    case upstreamsAndRun
    case nothing
  }

  private let loss: Loss
  private var due = 0
  private var cancel: (() -> Void)?
  /// Itself, while something is kept: it retains the run.
  private var kept: ModelTimer?

  init(of turns: Turns, ending loss: Loss = .run, fired: @escaping (ModelTimer) -> Void) {
    self.turns = turns
    self.fired = fired
    self.loss = loss
    clock = turns.scope.means.clock
    start = clock.now
    turns.upstreams.onEnd { [weak self] in self?.stop() }
  }

  private func stop() {
    let before = fired.take()
    cancel?()
    withExtendedLifetime(before) { letGo() }
  }

  /// Sets it for something that is to be sent even if the source lets go.
  func keep(until due: Int) {
    // One that was given up does nothing any more.
    if fired != nil { kept = self }
    set(to: due)
  }

  func keep(for time: Int) { keep(until: clock.now + time) }

  /// Nothing is kept any more.
  func letGo() {
    let before = kept.take()
    withExtendedLifetime(before) {}
  }

  func set(after time: Int) { set(to: clock.now + time) }

  /// Sets it to the next multiple of `period` since the start of the run.
  func setToNext(_ period: Int) { setToNext(period, after: clock.now) }

  /// The same, or to the present, if that is one, and not the start.
  func setToThisOrNext(_ period: Int) { setToNext(period, after: clock.now - 1) }

  private func setToNext(_ period: Int, after time: Int) {
    set(to: start + (max(0, time - start) / period + 1) * period)
  }

  /// If it is set already, for an earlier time, it goes on when it fires. That decides what comes first when
  /// the timers of several runs are due at the same time.
  private func set(to due: Int) {
    self.due = due
    if cancel == nil, fired != nil { wait() }
  }

  private func wait() {
    cancel = clock.schedule(at: due, abandon: { [weak self] in self?.abandon() }) { [weak self] in
      self?.fire()
    }
  }

  /// The scheduler has been shut down. Nothing is sent any more that is kept.
  private func abandon() {
    cancel = nil
    if loss == .nothing { return }
    if loss == .upstreamsAndRun { turns.upstreams.endAsLetGo() }
    turns.scope.endAsLetGo()
  }

  private func fire() {
    cancel = nil
    if due > clock.now { return wait() }
    letGo()
    turns.act { self.fired?(self) }
  }
}
