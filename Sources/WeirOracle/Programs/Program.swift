// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A small reactive program: sources, signals made from them, and the steps that happen to them one after the
/// other.
///
/// It is data, so that it can be run by Weir (``WeirWorld``) and by the model (``ModelWorld``), and the
/// results compared.
package struct Program: Sendable, Equatable {
  package var sources: [Source] = []
  /// How many objects with a lifetime there are.
  package var objectCount = 0
  package var derived: [DerivedPlan] = []
  /// Signals with one run for all subscribers. Each may use sources, and shared signals before it.
  package var shared: [Shared] = []
  /// Each may use sources, derived properties, shared signals, and commands before it.
  package var commands: [CommandPlan] = []
  /// What observers subscribe to.
  package var trees: [Node] = []
  package var steps: [Action] = []
}

/// A hot source that the script feeds.
package enum Source: Sendable, Equatable {
  case subject
  case replay(Int)
  case current(Int)
  /// One end of a channel; the next source is the other one.
  case leading
  case following
  /// A property with a first value.
  case property(Int)
  /// A property that is fed from outside: what the script sends is entered.
  case control(Int)
  /// A terminal of the property or control with this number.
  case terminal(of: Int)
  // From here on: in the shape `timed`.
  /// A replay subject with all values, or with those of the last microseconds, of these the last.
  case replayAll, replayWithin(Int, last: Int?)
  /// A subject for one sender: what is sent while it is sending is not passed to it.
  case unserialized
}

/// One event, in both worlds.
package enum Happening: Hashable, Sendable {
  case value(Int)
  case failed(Int)
  case completed

  package var isEnd: Bool { if case .value = self { false } else { true } }
}

/// A signal.
package indirect enum Node: Sendable, Equatable {
  case source(Int)
  case cold(Cold)
  case shared(Int)
  /// Lets go at once, without ending the run: see `never()`.
  case never
  case one(Unary, Node)
  case two(Binary, Node, Node)
  case many(Many, [Node])
  /// Each value of the first signal runs one of the others, selected by its remainder.
  case flat(Strategy, Node, [Node])
  case timed(Timed, Node)
  case cleaned(CleanUp, Node)
  /// What the command with this number tells of itself.
  case command(Int, CommandView)
  /// What the derived property with this number sends.
  case derived(Int, DerivedView)
  /// What is in the slot with this number when this is subscribed: see ``Lift``. Without anything there, it
  /// lets go at once.
  case lifted(Int)
  /// The end of the lifetime of the object with this number.
  case life(Int)
  /// A signal until the end of that.
  case during(Int, Node)
  /// In the shape `timed`.
  case further(Further, [Node])
}

/// A cold signal: the same events for each subscriber, all inside `subscribe`.
package struct Cold: Sendable, Equatable {
  /// Distinguishes it from other cold signals in notes.
  package var id: Int
  package var values: [Int]
  package var ending: Ending
  /// Whether it is one of Weir's plain sources, which run without a subscription of their own, so that their
  /// subscribing and releasing cannot be observed.
  package var isPlain: Bool
}

/// What a cold signal does when it has sent its values.
package enum Ending: Sendable, Equatable {
  case sends(Happening)
  case staysOpen
  /// It releases its run, which then ends without an event.
  case letsGo
}

/// What happens at the end of a run, at its start, or at an event of it.
package struct CleanUp: Sendable, Equatable {
  package enum Occasion: Sendable, Equatable {
    /// When the run has ended for any reason.
    case disposed
    /// Before its terminal event.
    case finally
    // From here on: in the shape `objects`.
    /// Before it.
    case initially, subscribed
    /// Before each value.
    case next
    /// Before a failure.
    case failed
    /// Before a completion.
    case completed
  }

  package enum Deed: Sendable, Equatable {
    case send(Happening, to: Int)
    case endLifetime(Int)
    /// Ends the subscription of an observer: perhaps of the one whose run has just ended.
    case dispose(Int)
  }

  package var occasion: Occasion
  package var deed: Deed
}

/// An operator with one upstream. The meaning of its number depends on the operator: a count, a divisor, a
/// value.
package enum Unary: Sendable, Equatable {
  case add(Int), filter(Int), scan, pairs, distinct, collect(Int), sum, ignore
  case take(Int), takeLast(Int), takeWhile(below: Int), element(Int)
  case skip(Int), skipLast(Int), skipWhile(below: Int)
  case startWith(Int), append(Int), failAt(Int), recode, retry(Int), repeated(Int)
  /// Events as numbers.
  case materialized
  /// Events as values, and back.
  case roundTrip
  /// At most two values with each remainder.
  case group(Int)
  /// The sum of each window.
  case window(Int)
  /// A value in place of a failure.
  case catchAndReturn(Int)
  /// At most two values with each remainder by 3, from this many partitions. Which of them has which
  /// remainders depends on the process, so nothing may depend on that. The key of 4 fails.
  case partition(Int)
  /// The numbers of the partitions.
  case partitionKeys(Int)
  /// The same, each when its partition has ended.
  case partitionEnds(Int)
  /// What is left of two partitions behind a `take` of this many.
  case firstPartitions(Int)
  // From here on: in the shapes `chain` and `objects`.
  /// The halves of even numbers.
  case halves
  /// The digits of the position and the value.
  case enumerated
  /// The digits of each value and the one before it, which is this one at first.
  case previous(Int)
  case scanIndexed, scanInto, reduceIndexed, reduceInto
  case minimum, maximum, count
  /// A 1 if so.
  case contains(Int), any(above: Int), all(below: Int)
  case ignoring(Int)
  /// Values that differ from those before them by their remainder.
  case distinctKeys(Int)
  case takeUntilValue(Int, isIncluded: Bool), skipUntil(Int)
  case replaced(Int)
  /// Each value, and the next number.
  case twice
  /// The same; stops the source with this value, and before a 5.
  case stopping(Int)
  case ifEmptyValue(Int)
  case retryForever, repeatForever
  /// Up to twice, but not after this failure.
  case retryUnless(Int)
  /// Up to so many times in a row without a value.
  case retryInRow(Int)
  case attempt(Int)
  /// The digits of each group of values with one remainder, which ends with this value.
  case groupUntilValue(Int, divisor: Int)

  static let stop = 5

  /// Whether it runs its upstream several times.
  var repeats: Bool {
    switch self {
    case .retry, .repeated, .retryForever, .repeatForever, .retryUnless, .retryInRow: true
    default: false
    }
  }
}

package enum Binary: Sendable, Equatable {
  case zip, combineLatest, withLatest, sample
  case takeUntil, takeUntilReplacement, skipUntil
  case catchTo, ifEmpty, then
  case zipWithin(Room)
  /// Switches to the second signal when no value has come for these microseconds.
  case timeout(Int)
  // From here on: in the shape `objects`.
  /// The digits of each group of values with one remainder, which ends with the second signal.
  case groupUntil(divisor: Int)
  /// Twice at most, each time after the second signal.
  case retryAfter
}

package enum Many: Sendable, Equatable {
  case merge, concat, zip, combineLatest, race
  /// Of three.
  case zipPack, combineLatestPack, withLatestPack
}

package enum Strategy: Sendable, Equatable {
  case merge, limit(Int, Room?), ordered(Int, Room?), latest, first, race
}

/// An operator with a scheduler. Times are in microseconds.
package enum Timed: Sendable, Equatable {
  package enum Edge: Sendable, Equatable { case leading, trailing, both }

  case delay(Int, Room?), debounce(Int), debounceOdd(Int), rateLimit(Int, Edge)
  case idle(Int), deadline(Int)
  case collect(Int, count: Int), collectWithin(Int, Room?), sample(Int)
  case takeFor(Int), skipFor(Int), delaySubscription(Int), retry(Int, count: Int)
  /// The digits of each window.
  case window(Int, count: Int)
  /// The digits of each group of values with one remainder, which ends when it has been idle.
  case group(Int, divisor: Int)
  case hop(Room?, whenNeeded: Bool, failsAtOnce: Bool)
  case subscribing
  /// A task iterates over the values, and sends them.
  case values(Room?)
  /// The same in arrays: sends the digits of each.
  case chunks(Room?)
  /// A task waits for a value, and sends it.
  case awaited(Awaited)
}

/// What a task waits for: the first value, the last one, the digits of all, whether there was a completion.
package enum Awaited: Sendable, Equatable { case first, last, all, completion }

/// How many values may wait, and what happens to one more: see `Overflow`. Without a room, any number may.
package struct Room: Sendable, Equatable {
  package enum Excess: Sendable, Equatable { case newest, oldest, fails }

  package var count: Int
  package var excess: Excess

  package init(count: Int, excess: Excess) {
    self.count = count
    self.excess = excess
  }
}

/// A signal that is run once for all subscribers.
package struct Shared: Sendable, Equatable {
  package enum Form: Sendable, Equatable {
    /// Connected by a step. The number of values that are replayed; nil for a subject.
    case multicast(Int?)
    /// Connected by its first subscriber too.
    case autoconnect(Int?)
    case share(replay: Int)
    case shareForever(replay: Int)
    /// Goes on for a time, in microseconds, after its last subscriber has left.
    case shareLonger(replay: Int, Int, isForever: Bool)
    /// Takes so many subscribers at a time to be connected, and perhaps never ends by itself.
    case shareAt(Int, replay: Int, isForever: Bool, neverEnds: Bool)
    case replayLazily
    /// Connected when the program is set up.
    case replayLast(Int)
  }

  package var form: Form
  package var node: Node

  package init(form: Form, node: Node) {
    self.form = form
    self.node = node
  }
}

/// One step of the script.
package indirect enum Action: Sendable, Equatable {
  case send(Happening, to: Int)
  case subscribe(ObserverPlan)
  /// Ends the subscription of an observer, by its number.
  case dispose(Int)
  case connect(Int)
  case disconnect(Int)
  /// The owner of a source releases it: so it lets go of its runs, when no call of it is in progress.
  case release(Int)
  /// Lets seconds pass.
  case advance(Int)
  /// Shuts the scheduler of all operators down.
  case shutDown
  /// Runs a signal and sends its events to a source; if that is a property, the signal is bound to it. What
  /// began can be disposed like an observer.
  case forward(tree: Int, to: Int)
  /// Keeps two properties equal, until it is disposed like an observer.
  case bindBothWays(Binding)
  case releaseCommand(Int)
  /// Changes how many executions may run at the same time; nil: any number.
  case limit(Int, to: Int?)
  /// Reads a value.
  case read(Readable)
  /// The owner of a derived property releases it.
  case releaseDerived(Int)
  /// The owner of an object releases it.
  case releaseObject(Int)
  case endLifetime(Int)
  case lift(Lift)
  /// The owner of what is in a slot releases it.
  case releaseLifted(Int)
  /// Sets something of an object to the values of a signal, until that is disposed like an observer. A
  /// failure counts as a 7.
  case bind(tree: Int, toObject: Int, TargetForm)
}

/// What an observer does.
package struct ObserverPlan: Sendable, Equatable {
  package var tree: Int
  /// Whether it brings a subscription of its own, with which it can dispose itself while it is being
  /// subscribed.
  package var bringsSubscription: Bool
  /// Disposes itself at this event.
  package var limit: Int?
  /// What it does inside an event, before it disposes itself.
  package var reaction: Reaction?

  package struct Reaction: Sendable, Equatable {
    /// The number of the event, from 1.
    package var at: Int
    package var action: Action
  }
}
