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
// It is not generic over values and errors: what is sent of an execution is passed as a closure. So this is
// compiled once, and asks the runtime for no type metadata, which would take most of the time of an
// execution.
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
//
// Orderings: those of the turn. An item is counted as unanswered before it is posted, and its work is counted
// out, if it was run, after it has looked at the turn. A scheduler that has given up something accepts
// nothing more; so the thread that counts out the last work finds in the turn what was given up, and nothing
// else.

/// What a command, its executions and its signals share.
@usableFromInline
final class CommandCore: @unchecked Sendable {
  // Unchecked: atomic words, and the invariants above.
  @usableFromInline typealias Action = @Sendable () -> Void

  /// What is delivered in order.
  private enum Item {
    case refresh
    case begin(announcing: Action)
    case end(announcing: Action?)
    case release
  }

  @usableFromInline let site: SourceSite
  let executing = AnnouncedState(false)
  let enabled: AnnouncedState

  /// Complete the two signals whose values have types that are not known here.
  private let completeExecutions: Action
  private let completeErrors: Action
  private let scheduler: any Scheduler
  private let words: UnsafeMutablePointer<UInt64>
  private let turn: DeliveryTurn<Item>
  @exclusivity(unchecked) private var outstanding = 0
  @exclusivity(unchecked) private var isReleased = false

  private static var turnOffset: Int { 2 }
  private static var wordCount: Int { turnOffset + DeliveryTurn<Item>.wordCount }

  @usableFromInline
  init(
    _ concurrency: CommandConcurrency, on scheduler: any Scheduler, site: SourceSite,
    completeExecutions: @escaping Action, completeErrors: @escaping Action
  ) {
    self.site = site
    self.scheduler = scheduler
    self.completeExecutions = completeExecutions
    self.completeErrors = completeErrors
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
  /// ``begin(_:announcing:starting:)``.
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
  func begin(
    _ execution: any Disposable, announcing announcement: @escaping Action, starting start: @escaping Action
  ) {
    post(.begin(announcing: announcement), with: CommandStart(of: self, execution, start))
  }

  /// Counts an execution out, and announces its error, if there was one.
  @usableFromInline
  func end(announcing announcement: Action?) {
    word.change { (word: inout CommandWord) in word.end() }
    publish(.end(announcing: announcement))
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
    if isChanged { publish(.refresh) }
  }

  /// Publishes the state as it is, here and now. For the initialiser: there are no subscribers yet.
  @usableFromInline
  func publishFirst() {
    turn.post(.refresh)
    publishWaiting()
  }

  /// The command has been deallocated.
  func release() { publish(.release) }

  private func publish(_ item: Item) { post(item, with: self) }

  /// Posts an item to the turn, and gives the scheduler work that delivers it.
  private func post(_ item: Item, with work: any ScheduledWork) {
    unanswered.add(1)
    turn.post(item)
    scheduler.enqueue(work)
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

/// The start of an execution, on its way through the scheduler, which runs it once or not at all.
private final class CommandStart: ScheduledWork, @unchecked Sendable {
  // Unchecked: `start` belongs to the scheduler's thread that runs or abandons this.
  private let core: CommandCore
  private let execution: any Disposable
  @exclusivity(unchecked) private var start: CommandCore.Action?

  init(of core: CommandCore, _ execution: any Disposable, _ start: @escaping CommandCore.Action) {
    self.core = core
    self.execution = execution
    self.start = start
  }

  func run() { core.deliver(then: start.take()) }

  func abandon() {
    start = nil
    execution.dispose()
    core.abandon()
  }
}

extension CommandCore {
  /// For the scheduler: publishes what waits, unless another thread is doing so, and then starts work. Inside
  /// a delivery on this thread the start waits until that is over, as its announcement does.
  fileprivate func deliver(then start: Action? = nil) {
    CommandVisit.deliver(
      for: executing.command,
      by: {
        publishWaiting()
        // Items whose work was given up meanwhile were left to this one.
        if hasLastAnswer() { publishWaiting() }
      }, then: start)
  }

  /// Counts out work that the scheduler was given. True if the scheduler has no other.
  private func hasLastAnswer() -> Bool { unanswered.subtract(1) == 1 }

  private func publishWaiting() { turn.deliverWaiting(as: 1) { publishNow($0) } }

  /// For the holder of the turn.
  private func publishNow(_ item: Item) {
    count(item)
    switch item {
    case .refresh: refresh()
    case .begin(let announce):
      refresh()
      announce()
    case .end(let announce):
      announce?()
      refresh()
    case .release:
      enabled.complete()
      completeExecutions()
    }
    if isReleased, outstanding == 0 {
      executing.complete()
      completeErrors()
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
