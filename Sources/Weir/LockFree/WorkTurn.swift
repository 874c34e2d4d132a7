// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Work turn
//
// Guarantees: work is run one piece at a time, first in, first out, in portions; and pieces that have not
// started can be taken away from the thread that is to run them, even while a piece of work never returns.
// Each piece is either started or abandoned, once. Nobody waits.
//
// It is a DeliveryTurn whose holder keeps the items that it took from the inbox where other threads can take
// them away: in `rest`, oldest node first. Each step of the drain loop claims its node by a compare-exchange
// of `rest`.
//
// `rest` is [running: 1 | node: 32], with the first node that has not started, or 0 if there is none; or
// `taking`, while the holder moves items from the inbox; or `ended`, which is final.
//
// Invariants:
//  1. Only the holder of the turn changes `rest`, except for the one exchange that puts `ended` there. So a
//     claim that succeeds has read its node's true successor, and one that fails has met the end.
//  2. The thread that exchanges `rest` for `ended` abandons the chain that was there, and the inbox; it is
//     the one that reports. If `taking` was there, the holder finds `ended` when it stores its chain, and
//     does both. Only then does that thread set `closing` to 2, and it looks at the inbox once more: from
//     then on every thread that pushes abandons what it finds there. So all that was pending at the exchange
//     is in the report, and a piece that was running then is, too, whatever it pushes.
//  3. `running` is set from the first claim of a portion until its last piece has returned.
//  4. `isCut` belongs to the holder: it is cleared before a portion, and set by a piece that has lined up
//     again, or for which the scheduler below has lingered in vain. A cut portion claims nothing more and
//     returns to that scheduler, so the remaining work is lined up behind the work pending there.
//  5. A scheduler that has lingered in vain has woken no thread for the work pending there (see
//     LingeringScheduler). So if releasing the piece may run a user's `deinit`, `wakeWorkers` is called
//     first.
//
// Orderings: sequentially consistent. Pushing and then checking for the end, against ending and then checking
// the inbox, is store buffering.

/// The turn of a serial scheduler, and its pending work.
struct WorkTurn: @unchecked Sendable {  // all state is reached through atomics; nodes as in the invariants
  private static var turnOffset: Int { 2 }
  private static var closingOffset: Int { turnOffset + DeliveryTurn<any ScheduledWork>.wordCount }
  private static var cutOffset: Int { closingOffset + 1 }
  static var wordCount: Int { cutOffset + 1 }

  private static var nodes: UInt64 { 0xFFFF_FFFF }
  private static var running: UInt64 { 1 << 32 }
  private static var taking: UInt64 { 1 << 33 }
  private static var ended: UInt64 { 1 << 34 }

  private let words: UnsafeMutablePointer<UInt64>
  private let turn: DeliveryTurn<any ScheduledWork>

  /// - Parameter words: ``wordCount`` zeroed words that outlive the turn, starting at a cache line.
  init(words: UnsafeMutablePointer<UInt64>) {
    self.words = words
    turn = DeliveryTurn(words: words + Self.turnOffset)
  }

  private var rest: AtomicWord { AtomicWord(words) }
  /// A word for ``RoundLoop``.
  var enqueuer: AtomicWord { AtomicWord(words + 1) }
  /// 1 when nothing new is accepted, 2 when those who push abandon what is there. Beside the inbox, which
  /// pushing threads access anyway.
  private var closing: AtomicWord { AtomicWord(words + Self.closingOffset) }

  /// For the holder: whether the portion under way is to run nothing more.
  private var isCut: Bool {
    get { words[Self.cutOffset] != 0 }
    nonmutating set { words[Self.cutOffset] = newValue ? 1 : 0 }
  }

  var isClosed: Bool { closing.load() != 0 }
  private var isEnded: Bool { closing.load() == 2 }

  /// Adds work. True if the caller has the turn now, and must have the work run.
  func push(_ work: any ScheduledWork) -> Bool {
    _ = turn.push(work)
    if isEnded {
      _ = abandonChain(from: turn.reversed(endingAt: turn.takeInbox()))
      return false
    }
    return take()
  }

  /// Takes the turn, if it is free. The load comes after a push, or after closing, and must not return a
  /// holder that left before that.
  func take() -> Bool { turn.token.load() == 0 && turn.token.compareExchange(0, 1) }

  /// For the holder: gives the turn up. False if it has taken the turn again, as work is pending or the turn
  /// is closed.
  func leave() -> Bool {
    turn.leave()
    return !((turn.isWaiting || isClosed) && take())
  }

  var isWaiting: Bool { turn.isWaiting }

  /// For the holder: whether there is work that has not started, in the inbox or in `rest`.
  var hasMore: Bool { rest.loadRelaxed() & ~Self.running != 0 || isWaiting }

  /// For the holder, before it runs a portion, which is not cut yet.
  func beginPortion() { isCut = false }

  /// For the holder, from inside a piece of work: the portion ends with it.
  func cutPortion() { isCut = true }

  /// How a portion ended. The caller still has the turn.
  enum Portion: Equatable {
    case empty
    /// Work is left.
    case limit
    /// All work is abandoned; with the report, if that was left to the caller.
    case ended(ShutdownReport?)
  }

  /// For the holder: runs pending work, at most `left` pieces, and none once the portion is cut.
  ///
  /// - Parameter wakeWorkers: called before a piece that has cut the portion is released, if that may run
  ///   user code.
  func run(atMost left: inout Int, waking wakeWorkers: () -> Void) -> Portion {
    while true {
      var now = rest.load()
      // The thread that put it there abandons the inbox, and counts what was in it.
      if now & Self.ended != 0 { return .ended(nil) }
      if now == 0 {
        if !turn.isWaiting { return .empty }
        if left == 0 || isCut { return .limit }
        if let report = takeInbox() { return .ended(report) }
        continue
      }
      if left == 0 || isCut { return .limit }
      turn.deliverChain(
        from: UInt32(now),
        claiming: { _, following in
          if left == 0 || isCut { return false }
          guard rest.compareExchange(now, Self.running | UInt64(following)) else { return false }
          now = Self.running | UInt64(following)
          left -= 1
          return true
        }
      ) { perform($0, waking: wakeWorkers) }
      _ = rest.compareExchange(now, now & Self.nodes)
    }
  }

  /// Runs a piece of work, and releases it.
  private func perform(_ work: consuming any ScheduledWork, waking wakeWorkers: () -> Void) {
    work.run()
    if isCut, isLastReference(work) { wakeWorkers() }
    _ = consume work
  }

  /// Moves the content of the inbox to `rest`. Returns a report if the turn was ended meanwhile by a thread
  /// that left the report to the holder.
  private func takeInbox() -> ShutdownReport? {
    guard rest.compareExchange(0, Self.taking) else { return nil }
    let oldest = turn.reversed(endingAt: turn.takeInbox())
    if rest.compareExchange(Self.taking, UInt64(oldest)) { return nil }
    return reportOfEnd(pending: oldest, stillRunning: 0)
  }

  /// Sets ``isClosed``. True for the first call.
  func close() -> Bool { closing.compareExchange(0, 1) }

  /// Abandons work that has not started, and work that comes later. Returns a report, once, unless that is
  /// left to the holder.
  func end() -> ShutdownReport? {
    let before = rest.exchange(Self.ended)
    if before & (Self.ended | Self.taking) != 0 { return nil }
    return reportOfEnd(
      pending: UInt32(before & Self.nodes), stillRunning: before & Self.running != 0 ? 1 : 0)
  }

  /// Abandons what was pending when `rest` was exchanged for `ended`.
  private func reportOfEnd(pending oldest: UInt32, stillRunning: Int) -> ShutdownReport {
    // User code runs when others can no longer take away what is to be counted.
    let inbox = turn.reversed(endingAt: turn.takeInbox())
    _ = closing.exchange(2)
    let late = turn.reversed(endingAt: turn.takeInbox())
    let notRun = [oldest, inbox, late].reduce(0) { $0 + abandonChain(from: $1) }
    return ShutdownReport(notRun: notRun, stillRunning: stillRunning)
  }

  /// Returns how many pieces there were.
  private func abandonChain(from oldest: UInt32) -> Int {
    var count = 0
    turn.deliverChain(from: oldest, claiming: { _, _ in true }) {
      $0.abandon()
      count += 1
    }
    return count
  }

  /// Drops pending work and frees the nodes. No other thread may use the turn any more.
  func destroy() { turn.destroy() }
}
