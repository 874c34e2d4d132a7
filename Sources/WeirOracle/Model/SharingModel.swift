// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A signal with one run for all subscribers, in the model.
protocol SharedModel: AnyObject {
  func listen(_ target: Target)
  func connect()
  func disconnect()
  /// Ends all runs.
  func end()
}

/// A connection, which feeds its hub once.
final class Connection: SharedModel {
  private let source: Flow
  private let hub: Hub
  private let connectsItself: Bool
  private let members: Scope
  private let feed: Scope
  private var isConnected = false
  private var hasEnded = false
  private var isByHand = false
  /// Whether the last one has left, and the clean-ups have not been run.
  private var isStopping = false
  /// Subscribers that have come since.
  private var late: [Target] = []
  private var count = 0

  init(_ source: @escaping Flow, to hub: Hub, connectsItself: Bool, means: Means) {
    self.source = source
    self.hub = hub
    self.connectsItself = connectsItself
    (members, feed) = (Scope(means), Scope(means))
    members.onEnd { [feed] in feed.end() }
  }

  func listen(_ target: Target) {
    guard connectsItself else { return hub.listen(target) }
    // A task that is cancelled stops it, and runs the clean-ups when it continues. It is left open whether a
    // subscriber that comes in between finds the end before or after these; in Weir, after.
    if isStopping {
      feed.means.noteOpenOrder()
      return late.append(target)
    }
    count += 1
    follow(target) {
      target.scope.onLeaving {
        self.count -= 1
        // A source that has ended ends the hub, even if a clean-up makes the last one leave before that.
        if self.count > 0 || self.hasEnded { return [] }
        self.isStopping = true
        return self.feed.stop() + self.members.stop() + [self.finishStopping]
      }
    }
    connect()
  }

  private func finishStopping() {
    isStopping = false
    while !late.isEmpty { late.removeFirst().scope.end() }
  }

  /// Adds a subscriber that ends with the connection. `caughtUp` is called after the replay.
  func follow(_ target: Target, caughtUp: () -> Void = {}) {
    hub.listen(target)
    caughtUp()
    members.onEnd { [scope = target.scope] in scope.end() }
  }

  func connect() {
    if isConnected { return }
    isConnected = true
    if feed.isEnded { return }
    // Without a terminal event, the subscribers for which it was connected end with it: at once if it was
    // disconnected by hand, otherwise when they have received what the source has sent.
    feed.onEndLast {
      if self.hasEnded || self.members.isEnded { return }
      if self.isByHand {
        self.members.end()
      } else {
        self.feed.means.noteLetGo()
        self.hub.afterEvents { self.members.end() }
      }
    }
    source(
      Target(feeding: feed) { event in
        if event.isEnd {
          self.hasEnded = true
          guard self.feed.end() else { return }
        }
        self.hub.take(event)
      })
  }

  func disconnect() {
    connect()
    isByHand = true
    if !feed.end(), !hasEnded { members.end() }
  }

  /// Its subscribers get an end, as in Weir: they may go on as something that never ends.
  func end() {
    hasEnded = true
    feed.end()
    hub.take(.completed)
  }
}

/// A shared signal: one run after the other.
final class Share: SharedModel {
  private final class Run {
    let hub: Hub
    let (source, members): (Scope, Scope)
    var (count, isConnected) = (0, false)
    /// How its source is over, if it is: with a terminal event, or without one.
    var (hasEnded, hasLetGo) = (false, false)
    /// Cancels the end that is set for a run without subscribers.
    var stay: (() -> Void)?

    init(_ hub: Hub, _ means: Means) {
      self.hub = hub
      (source, members) = (Scope(means), Scope(means))
    }
  }

  private let source: Flow
  private let makeHub: () -> Hub
  private let isForever: Bool
  /// How many subscribers at a time it takes to run the source.
  private let minimum: Int
  /// How long a run without subscribers goes on; `.max` for ever.
  private let grace: Int?
  private let means: Means
  private var doubt: Doubt
  private var run: Run?
  /// Runs that share a hub start and send through this, one after the other: what one sends after the next
  /// one has started does not pass.
  private let line = Line()
  private var newest: Run?
  /// The hub of all runs, if it is kept for ever and the source has ended.
  private var ended: Hub?

  init(
    _ source: @escaping Flow, isForever: Bool, connectingAt minimum: Int = 1, lingering grace: Int? = nil,
    means: Means, makeHub: @escaping () -> Hub
  ) {
    self.source = source
    self.grace = grace
    self.isForever = isForever
    self.minimum = minimum
    self.means = means
    doubt = Doubt(means)
    let lasting = makeHub()
    self.makeHub = isForever ? { lasting } : makeHub
  }

  func listen(_ target: Target) {
    if target.scope.isEnded { return }
    if let ended { return ended.listen(target) }
    doubt.join(isFirst: self.run == nil)
    let run = self.run ?? Run(makeHub(), means)
    self.run = run
    run.count += 1
    run.stay.take()?()
    target.scope.onLeaving { self.leave(run) }
    run.hub.listen(target)
    run.members.onEnd { [scope = target.scope] in scope.end() }
    if self.run === run, !run.isConnected, run.count >= minimum { connect(run) }
  }

  private func connect(_ run: Run) {
    run.isConnected = true
    // Without a terminal event it is over before its clean-ups run: one of these may make another subscriber
    // come. Its subscribers end with it, when they have received what it has sent.
    run.source.onLeaving {
      if run.hasEnded || self.run !== run { return [] }
      (self.run, run.hasLetGo) = (nil, true)
      self.doubt.letGo()
      return []
    }
    run.source.onEndLast {
      if run.hasLetGo { self.afterEvents(of: run) { run.members.end() } }
    }
    line.act { self.newest = run }
    source(
      Target(feeding: run.source) { event in
        if !event.isEnd { return self.send(event, of: run) }
        run.hasEnded = true
        guard run.source.end(), self.run === run else { return }
        self.run = nil
        if self.isForever { self.ended = run.hub }
        self.send(event, of: run)
      })
  }

  private func send(_ event: Happening, of run: Run) {
    guard isForever else { return run.hub.take(event) }
    line.act { if event.isEnd || self.newest === run { run.hub.take(event) } }
  }

  private func afterEvents(of run: Run, _ work: @escaping () -> Void) {
    guard isForever else { return run.hub.afterEvents(work) }
    line.act { run.hub.afterEvents(work) }
  }

  /// The last one stops the run; what is to be done at its end is left to the caller.
  private func leave(_ run: Run) -> [() -> Void] {
    guard self.run === run else { return [] }
    run.count -= 1
    if run.count > 0 { return [] }
    guard let grace, run.isConnected else {
      self.run = nil
      return run.source.stop() + run.members.stop()
    }
    if grace == .max { return [] }
    let stay = means.clock.schedule(at: means.clock.now + grace) { self.retire(run) }
    run.stay = stay
    run.source.onEnd(stay)
    return []
  }

  private func retire(_ run: Run) {
    guard self.run === run else { return }
    self.run = nil
    run.source.end()
    run.members.end()
  }

  func connect() {}
  func disconnect() {}
  func end() { if let run { retire(run) } }
}

/// Connected at once or by its first subscriber, and never disconnected.
final class LastingReplay: SharedModel {
  private let connection: Connection

  init(_ source: @escaping Flow, keeping count: Int, means: Means) {
    connection = Connection(source, to: Hub(replaying: count), connectsItself: false, means: means)
  }

  func listen(_ target: Target) {
    connection.follow(target)
    connection.connect()
  }

  func start() { connection.connect() }
  func connect() {}
  func disconnect() {}
  func end() { connection.end() }
}
