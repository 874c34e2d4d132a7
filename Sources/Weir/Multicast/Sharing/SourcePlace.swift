// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The place of the source in a run of a shared signal. It leaves when its subscription ends. Without a
/// terminal event, the run is then over before a clean-up runs: so a subscriber that comes in one of these
/// starts the next run.
final class SourcePlace: Membership {
  let run: SharedRun
  let core: SharingCore
  private let afterEvents: AfterEvents

  init(in run: SharedRun, of core: SharingCore, afterEvents: @escaping AfterEvents) {
    self.run = run
    self.core = core
    self.afterEvents = afterEvents
  }

  func leave() -> Departure {
    // If there is an event, the run goes on until the clean-ups are over: those who come get it, too.
    run.hasEvent.isClaimed ? .nothing : letGo()
  }

  func letGo() -> Departure { core.sourceLetGo(run, afterEvents) }
}
