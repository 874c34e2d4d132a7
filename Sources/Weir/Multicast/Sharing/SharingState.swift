// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Sharing
//
// Guarantees: a shared signal has one run of its source at a time. It is never connected without subscribers,
// beyond the grace period that it was told to wait, and never dead with subscribers: each of them either
// belongs to a run that is alive, or its subscription ends.
//
// Each run is an epoch of its own, an object with a generation. Each decision (who belongs to which run, who
// connects, who ends it) is one change of this state; subscribing, connecting, disposing and sending happen
// after it, outside, and with the run that was decided on. So late news (a subscriber that leaves, a source
// that ends, a timer that fires) names its generation, and is ignored if the state has gone on to another.
//
//     nobody ──join──▶ waiting ──minimum reached──▶ connected ◀──join── lingering
//        ▲                │                          │  │  └──last leaves──▶  │
//        └────────────────┴─────────last leaves──────┴──│─────time is up──────┘
//                                                       └──the source ends──▶ nobody, or ended if there is
//                                                       one history
//
// Invariants:
//  1. `count` is the number of subscribers that joined `run` and have not left it. Each leaves once.
//  2. A run is in the state from its first subscriber to its retirement. Whoever retires it ends it: disposes
//     its source, and those of its members that no terminal event will reach. If the source has let go, that
//     is the first round of the end of its subscription, before any clean-up: see ``SourcePlace``. Then the
//     members are ended behind what it has sent, which may still be queued in the turn of the hub. `hasLetGo`
//     is claimed before that is queued. A subscriber that joined before, and finds it claimed when it has got
//     the history, may have been too late for the members: it may still be waiting for the remaining events,
//     and is ended behind those on its own. The next run may start before all that: it has members of its
//     own. With one hub for all runs, what it sends also reaches members of the last run that have not been
//     ended yet. A terminal event claims `hasEvent` before it ends the subscription of the source, and then
//     retires the run: so a subscriber that comes in a clean-up in between gets it, too. If somebody else has
//     ended that subscription meanwhile, the event is dropped, and the run retired without it.
//  3. A subscriber with which there are enough asks to connect once it is attached: before that it runs user
//     code, as it gets the history, and others that come meanwhile connect without it. The first to ask
//     connects, and does so even if all have left by then: the run's own subscription says whether there is
//     anything left to connect.
//  4. The state does not retain the source. So a hot source that nobody else retains is released, and takes
//     the run with it; otherwise source, run and subscribers would retain each other. State and run do so
//     while the source has its closures: when these are gone, the run's subscription to it ends.

/// The subscribers of a shared signal, and the run they share.
struct SharingState {
  enum Phase {
    /// There are fewer subscribers than it takes to connect.
    case waiting
    case connected
    /// All subscribers have left; the subscription ends the timer.
    case lingering(Subscription)
    /// The source has ended, and its history stays.
    case ended
  }

  private(set) var run: SharedRun?
  private(set) var phase = Phase.waiting
  private(set) var count = 0
  private(set) var generation: UInt64 = 0
  /// Whether the run goes on for a while when all have left. Not how: a closure in here would have its
  /// references counted with each copy of the state.
  private var hasGrace: Bool

  init(hasGrace: Bool) { self.hasGrace = hasGrace }

  /// Where a new subscriber belongs.
  struct Place {
    let run: SharedRun
    let isCounted: Bool
    /// Whether it should ask to connect, once it is attached.
    let mayConnect: Bool
    let timer: Subscription?
  }

  /// Adds a subscriber.
  mutating func join(minimum: Int, outlet: () -> any SharedRun.Outlet) -> Place {
    let run: SharedRun
    if let current = self.run {
      run = current
    } else {
      generation += 1
      run = SharedRun(generation: generation, outlet: outlet())
      self.run = run
    }
    let timer = self.timer
    var (isCounted, mayConnect) = (true, false)
    switch phase {
    case .ended: isCounted = false
    case .lingering: phase = .connected
    case .waiting: mayConnect = count + 1 >= minimum
    case .connected: break
    }
    if isCounted { count += 1 }
    return Place(run: run, isCounted: isCounted, mayConnect: mayConnect, timer: timer)
  }

  /// A subscriber of that generation is attached and asks whether it should connect.
  mutating func connect(_ generation: UInt64, minimum: Int) -> Bool {
    guard isRunning(generation), case .waiting = phase, count >= minimum else { return false }
    phase = .connected
    return true
  }

  /// What is to be done after news that may have ended the run.
  enum Duty {
    case nothing
    /// Ends the run.
    case end(SharedRun, timer: Subscription?)
    /// Waits for the grace period, and asks again.
    case linger(timer: Subscription)
  }

  /// A subscriber of that generation leaves.
  mutating func leave(_ generation: UInt64) -> Duty {
    guard isRunning(generation) else { return .nothing }
    count -= 1
    if count > 0 { return .nothing }
    guard case .connected = phase, hasGrace else { return retire() }
    let timer = Subscription()
    phase = .lingering(timer)
    return .linger(timer: timer)
  }

  /// The time of that timer is up.
  mutating func timeIsUp(_ timer: Subscription) -> Duty {
    guard case .lingering(let current) = phase, current === timer else { return .nothing }
    return retire()
  }

  /// The source of that generation has let go, without a terminal event.
  mutating func sourceLetGo(_ generation: UInt64) -> Duty {
    isRunning(generation) ? retire() : .nothing
  }

  /// The source of that generation has a terminal event. True if it counts.
  mutating func sourceEnded(_ generation: UInt64, _ lifetime: ShareLifetime) -> (
    counts: Bool, timer: Subscription?
  ) {
    guard isRunning(generation) else { return (false, nil) }
    let timer = self.timer
    switch lifetime {
    case .whileConnected: _ = retire()
    case .forever: phase = .ended
    }
    return (true, timer)
  }

  /// Nobody can subscribe any more.
  mutating func close() -> Duty {
    hasGrace = false
    switch phase {
    // If the source has ended, its terminal event is on its way to all members.
    case .connected, .ended: return .nothing
    case .waiting, .lingering: return retire()
    }
  }

  private func isRunning(_ generation: UInt64) -> Bool {
    if case .ended = phase { return false }
    return run?.generation == generation
  }

  private var timer: Subscription? {
    if case .lingering(let timer) = phase { timer } else { nil }
  }

  private mutating func retire() -> Duty {
    guard let retired = run else { return .nothing }
    let timer = self.timer
    (run, phase, count) = (nil, .waiting, 0)
    return .end(retired, timer: timer)
  }
}

/// One run of the source of a shared signal: an epoch.
@usableFromInline
final class SharedRun: RunMembers, @unchecked Sendable {  // constant
  @usableFromInline typealias Outlet = AnyObject & Sendable

  @usableFromInline let generation: UInt64
  /// The ``SharedOutlet`` that the signal has made for this run. Nothing here knows its type.
  @usableFromInline let outlet: any Outlet
  /// The subscription to the source. It exists before the source is connected, so that whoever ends the run
  /// need not wait for that.
  @usableFromInline let source = Subscription()

  init(generation: UInt64, outlet: any Outlet) {
    self.generation = generation
    self.outlet = outlet
  }
}
