// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Command core
//
// Guarantees: the four signals of a command are published by one thread at a time, in one order for all of
// them; the last value of `executing` and `enabled` is the final state of the word; and work starts after its
// announcement was posted, which has been delivered by then unless another thread is delivering.
//
// Who owns what: the command, its running executions, what is scheduled, and the input own the core. The core
// owns none of them, so that dropping the command ends the input, and running work goes on and is heard of.
// Its signals own only what they send.
//
// It knows no types of values and errors: what is sent of an execution comes as a closure. So this is
// compiled once, and asks the runtime for no types, which would take most of the time of an execution.
//
// Invariants:
//  1. An item is posted after the change of the word that it stands for, and each delivery publishes the word
//     as it is then. Nobody publishes a state that it loaded before it had the turn.
//  2. `outstanding`, `isReleased` and `postponed` belong to the holder of the turn, who alone announces.
//     `deliverer` is its thread while it publishes, so that a thread finds its own there just when it is
//     nested in its own delivery.
//  3. Each execution is announced once, and ended once, later. When the command is released and none is
//     outstanding, there will be none, and what is left of the signals completes.
//  4. Work starts outside the turn. `starter` is the thread that starts postponed work in a loop, and `line`
//     belongs to it.
//
// Orderings: those of the turn. `deliverer` and `starter` are compared by a thread with its own mark only,
// which it has put there itself, so relaxed accesses do; whoever takes `starter` over does it by
// compare-exchange.

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
  let enabled = AnnouncedState(true)

  /// What ends the two signals whose values have other types.
  private let completeExecutions: Action
  private let completeErrors: Action
  private let scheduler: any Scheduler
  private let words: UnsafeMutablePointer<UInt64>
  private let turn: DeliveryTurn<Item>
  @exclusivity(unchecked) private var outstanding = 0
  @exclusivity(unchecked) private var isReleased = false
  @exclusivity(unchecked) private var postponed = FIFO<Action>()
  @exclusivity(unchecked) private var line = FIFO<Action>()

  private static var turnOffset: Int { 2 }
  private static var ownOffset: Int { turnOffset + DeliveryTurn<Item>.wordCount }
  private static var wordCount: Int { ownOffset + 2 }

  init(
    _ concurrency: CommandConcurrency, deliverOn scheduler: any Scheduler, site: SourceSite,
    completeExecutions: @escaping Action, completeErrors: @escaping Action
  ) {
    self.site = site
    self.scheduler = scheduler
    self.completeExecutions = completeExecutions
    self.completeErrors = completeErrors
    words = weir_block_allocate(8 * Self.wordCount).assumingMemoryBound(to: UInt64.self)
    turn = DeliveryTurn(words: words + Self.turnOffset)
    word.storeRelaxed(CommandWord(concurrency).bits)
  }

  deinit {
    turn.destroy()
    weir_block_free(words, 8 * Self.wordCount)
  }

  var word: AtomicWord { AtomicWord(words) }
  private var deliverer: AtomicWord { AtomicWord(words + Self.ownOffset) }
  private var starter: AtomicWord { AtomicWord(words + Self.ownOffset + 1) }

  /// Counts an execution in, if one may begin. Whoever is told so must call
  /// ``begin(_:announcing:starting:)``.
  @usableFromInline
  func claim() -> Bool { word.update { if $0.isEnabled { $0.begin() } } }

  /// Announces an execution that was counted in, and starts it after that; disposes it if it will not be
  /// started.
  @usableFromInline
  func begin(
    _ execution: any Disposable, announcing announcement: @escaping Action, starting start: @escaping Action
  ) {
    turn.post(.begin(announcing: announcement))
    scheduler.enqueue(CommandStart(of: self, execution, start))
  }

  /// Counts an execution out, and tells of its error, if there was one.
  @usableFromInline
  func end(announcing announcement: Action?) {
    word.update { $0.end() }
    publish(.end(announcing: announcement))
  }

  func allow(_ isAllowed: Bool) { if word.update({ $0.isAllowed = isAllowed }) { publish(.refresh) } }

  func limit(to concurrency: CommandConcurrency) {
    if word.update({ $0.concurrency = concurrency }) { publish(.refresh) }
  }

  /// Publishes the state as it is, here and now. For the initialiser: nobody is listening yet.
  func publishFirst() {
    turn.post(.refresh)
    deliver()
  }

  /// The command is gone.
  func release() { publish(.release) }

  private func publish(_ item: Item) {
    turn.post(item)
    scheduler.enqueue(self)
  }
}

extension CommandCore: ScheduledWork {
  /// The scheduler has got to what was published.
  @usableFromInline
  func run() { deliver() }
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
  }
}

extension CommandCore {
  /// Publishes what waits, unless somebody is at it; and then starts work. Work of an execution that was
  /// begun inside a delivery on this thread waits for the end of that: its announcement does, too.
  fileprivate func deliver(then start: Action? = nil) {
    if deliverer.loadRelaxed() == weir_thread() {
      if let start { postponed.append(start) }
      return
    }
    var starts = FIFO<Action>()
    turn.deliverWaiting(as: 1) { item in
      deliverer.storeRelaxed(weir_thread())
      publishNow(item)
      deliverer.storeRelaxed(0)
      while let start = postponed.popFirst() { starts.append(start) }
    }
    start?()
    run(&starts)
  }

  /// For the holder of the turn.
  private func publishNow(_ item: consuming Item) {
    switch item {
    case .refresh: refresh()
    case .begin(let announce):
      outstanding += 1
      refresh()
      announce()
    case .end(let announce):
      outstanding -= 1
      announce?()
      refresh()
    case .release:
      isReleased = true
      enabled.complete()
      completeExecutions()
    }
    if isReleased, outstanding == 0 {
      executing.complete()
      completeErrors()
    }
  }

  private func refresh() {
    executing.announce(word.command.isExecuting)
    // As it is now: a handler may have changed it.
    enabled.announce(word.command.isEnabled)
  }

  /// Starts postponed work. If that leads to more of it on this thread, it joins the loop, so that the stack
  /// does not grow. (A thread that finds another one in the loop starts its own work by itself.)
  private func run(_ starts: inout FIFO<Action>) {
    if starts.isEmpty { return }
    let thread = weir_thread()
    if starter.loadRelaxed() == thread {
      while let start = starts.popFirst() { line.append(start) }
    } else if starter.compareExchange(0, thread) {
      while let start = starts.popFirst() ?? line.popFirst() { start() }
      _ = starter.exchange(0)
    } else {
      while let start = starts.popFirst() { start() }
    }
  }
}
