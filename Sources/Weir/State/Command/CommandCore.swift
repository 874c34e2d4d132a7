// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Command core
//
// Guarantees: the four signals of a command are published by one thread at a time, in one order for all of
// them; the last value of `executing` and `enabled` is the final state of the word; and work starts after its
// announcement was posted, which has been delivered by then unless another thread is delivering. What the
// scheduler gives up is not retained.
//
// Who owns what: the command, its running executions, what is scheduled, and the subscription to the
// condition own the core. The core owns none of them, so that releasing the command ends that subscription,
// and running work goes on and is still announced. Its signals own only what they send.
//
// It is not generic over values and errors: what is sent of an execution is an object here, and a closure
// that is made where the types are known sends it. So this is compiled once, and asks the runtime for no
// type metadata, which would take most of the time of an execution.
//
// Invariants:
//  1. An item is posted after the change of the word that it stands for, and each delivery publishes the word
//     as it is then. No thread publishes a state that it loaded before it had the turn.
//  2. `outstanding` and `isReleased` belong to the holder of the turn, who alone announces.
//  3. Each execution is announced once, and ended once, later. When the command is released and none is
//     outstanding, there will be no more, and the remaining signals complete.
//  4. Work starts outside the turn, and not inside a delivery on the same thread: see CommandVisit.
//  5. What waits in the turn is dropped when the scheduler has given up work and has no other work that was
//     posted here. Before that, the work that it still has takes care of all that waits: it delivers that, or
//     is given up, too. So what a closed scheduler refuses does no harm to what it has accepted.
//  6. The immediate scheduler would run its work inside `enqueue`: so it is given none, and an item that
//     finds the turn free, and nothing waiting, is delivered without being posted.
//
// Orderings: those of the turn. An item is counted as unanswered before it is posted, and its work is counted
// out, if it was run, after it has looked at the turn. A scheduler that has given up something accepts
// nothing more; so the thread that counts out the last work finds in the turn what was given up, and nothing
// else.

/// What a command sends of its executions and their errors.
@frozen @usableFromInline
enum CommandNews {
  /// One begins: its output.
  case execution(any AnyObject & Sendable)
  /// One has failed: its `Unreceived`.
  case error(any AnyObject & Sendable)
  case noMoreExecutions
  case noMoreErrors
}

/// What a command, its executions and its signals share.
@usableFromInline
final class CommandCore: @unchecked Sendable {
  // Unchecked: atomic words, and the invariants above.
  /// What is delivered in order.
  private enum Item {
    case refresh
    /// With the output of the execution. Not the execution, which retains the core: an item may wait there
    /// for long.
    case begin(any AnyObject & Sendable)
    /// With the error, if there was one.
    case end((any AnyObject & Sendable)?)
    case release
  }

  @usableFromInline let site: SourceSite
  let executing = AnnouncedState(false)
  let enabled: AnnouncedState

  /// Sends what is new to the two signals whose values have types that are not known here.
  private let announce: @Sendable (CommandNews) -> Void
  private let scheduler: any Scheduler
  private let isImmediate: Bool
  private let words: UnsafeMutablePointer<UInt64>
  private let turn: DeliveryTurn<Item>
  @exclusivity(unchecked) private var outstanding = 0
  @exclusivity(unchecked) private var isReleased = false

  private static var turnOffset: Int { 2 }
  private static var wordCount: Int { turnOffset + DeliveryTurn<Item>.wordCount }

  @usableFromInline
  init(
    _ concurrency: CommandConcurrency, on scheduler: any Scheduler, site: SourceSite,
    announcing announce: @escaping @Sendable (CommandNews) -> Void
  ) {
    self.site = site
    self.scheduler = scheduler
    isImmediate = scheduler is ImmediateScheduler
    self.announce = announce
    enabled = AnnouncedState(true, beside: executing)
    words = weir_block_allocate(8 * Self.wordCount).assumingMemoryBound(to: UInt64.self)
    turn = DeliveryTurn(words: words + Self.turnOffset)
    word.storeRelaxed(CommandWord(concurrency).bits)
  }

  deinit {
    turn.destroy()
    weir_block_free(words, 8 * Self.wordCount)
  }

  private var word: AtomicWord { AtomicWord(words) }
  var state: CommandWord { CommandWord(bits: word.load()) }
  /// How many pieces of work the scheduler was given, or is about to be, and has neither run nor given up.
  /// Work is counted before its event is posted, and counted out after it was run, or given up. So at zero,
  /// nothing will deliver what waits.
  private var unanswered: AtomicWord { AtomicWord(words + 1) }

  /// Counts an execution in, or returns why none may start. After nil, the caller must call
  /// ``begin(_:announcing:)``.
  @usableFromInline
  func claim() -> CommandRefusal? {
    word.change { (word: inout CommandWord) in
      let refusal = word.refusal
      if refusal == nil { word.begin() }
      return refusal
    }
  }

  /// Announces an execution that was counted in, and starts it after that; disposes it if it will not be
  /// started.
  @usableFromInline
  func begin(_ execution: ScheduledExecution, announcing output: any AnyObject & Sendable) {
    post(.begin(output), then: execution)
  }

  /// Counts an execution out, and announces its error, if there was one.
  @usableFromInline
  func end(announcing error: (any AnyObject & Sendable)?) {
    word.change { (word: inout CommandWord) in word.end() }
    post(.end(error))
  }

  @usableFromInline
  func allow(_ isAllowed: Bool) { change { $0.isAllowed = isAllowed } }
  func limit(to concurrency: CommandConcurrency) { change { $0.concurrency = concurrency } }

  /// Changes what executions may begin, and publishes that.
  private func change(_ change: (inout CommandWord) -> Void) {
    let isChanged = word.change { (word: inout CommandWord) in
      let before = word
      change(&word)
      return word != before
    }
    if isChanged { post(.refresh) }
  }

  /// Publishes the state as it is, here and now. For the initialiser: there are no subscribers yet.
  @usableFromInline
  func publishFirst() { publish(.refresh) }

  /// The command has been deallocated.
  func release() { post(.release) }

  /// Posts an item to the turn, and gives the scheduler work that delivers it, and then starts the execution.
  private func post(_ item: Item, then execution: ScheduledExecution? = nil) {
    if isImmediate {
      return CommandVisit.deliver(for: executing.command, by: { publish(item) }, then: execution)
    }
    unanswered.add(1)
    turn.post(item)
    scheduler.enqueue(execution ?? self)
  }
}

extension CommandCore: ScheduledWork {
  /// The scheduler runs what was published.
  @usableFromInline
  func run() { deliver() }

  /// The scheduler has given up what was published. It is not delivered, unless the scheduler still has work
  /// that does so.
  @usableFromInline
  func abandon() {
    if hasLastAnswer() { turn.deliverWaiting(as: 1) { count($0) } }
  }
}

extension CommandCore {
  /// For the scheduler: publishes what waits, unless another thread is doing so, and then starts work. Inside
  /// a delivery on this thread the start waits until that is over, as its announcement does.
  func deliver(then execution: ScheduledExecution? = nil) {
    CommandVisit.deliver(
      for: executing.command,
      by: {
        publishWaiting()
        // Items whose work was given up meanwhile were left to this one.
        if hasLastAnswer() { publishWaiting() }
      }, then: execution)
  }

  /// Counts out work that the scheduler was given. True if the scheduler has no other.
  private func hasLastAnswer() -> Bool { unanswered.subtract(1) == 1 }

  private func publishWaiting() { turn.deliverWaiting(as: 1) { publishNow($0) } }

  /// Publishes an item; or leaves it to the thread that is publishing, or that publishes those that wait.
  private func publish(_ item: Item) {
    if turn.enter(as: 1) {
      publishNow(item)
      turn.leave()
    } else {
      turn.post(item)
    }
    publishWaiting()
  }

  /// For the holder of the turn.
  private func publishNow(_ item: Item) {
    count(item)
    switch item {
    case .refresh: refresh()
    case .begin(let output):
      refresh()
      announce(.execution(output))
    case .end(let error):
      if let error { announce(.error(error)) }
      refresh()
    case .release:
      enabled.complete()
      announce(.noMoreExecutions)
    }
    if isReleased, outstanding == 0 {
      executing.complete()
      announce(.noMoreErrors)
    }
  }

  /// The part of an item that is done even if it is not announced. For the holder of the turn.
  private func count(_ item: Item) {
    switch item {
    case .refresh: return
    case .begin: outstanding += 1
    case .end: outstanding -= 1
    case .release: isReleased = true
    }
  }

  private func refresh() {
    executing.announce(state.isExecuting)
    // As it is now: a handler may have changed it.
    enabled.announce(state.isEnabled)
  }
}
