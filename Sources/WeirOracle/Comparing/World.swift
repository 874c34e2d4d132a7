// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Something that can run a program: Weir, or the model of it.
protocol World: AnyObject {
  /// The number of observers that have not ended.
  var living: Int { get }
  /// The observers that the script has subscribed, which clean-ups may dispose.
  var observers: Observers { get }
  /// Ends everything that would run for ever, such as the source of a `replay()`.
  func end()
  func send(_ event: Happening, to source: Int)
  func connect(_ shared: Int)
  func disconnect(_ shared: Int)
  func release(_ source: Int)
  func releaseCommand(_ command: Int)
  func limit(_ command: Int, to limit: Int?)
  func releaseObject(_ object: Int)
  func endLifetime(_ object: Int)
  /// Returns nil if it has been released.
  func read(_ readable: Readable) -> Int?
  func releaseDerived(_ derived: Int)
  func lift(_ lift: Lift)
  func releaseLifted(_ slot: Int)
  /// Returns a function that ends what has begun.
  func forward(_ tree: Int, to source: Int) -> @Sendable () -> Void
  func bindBothWays(_ binding: Binding) -> @Sendable () -> Void
  func bindTarget(_ tree: Int, to object: Int, _ form: TargetForm) -> @Sendable () -> Void
  /// The time since the start, in microseconds.
  var now: Int { get }
  func advance(by seconds: Int)
  /// Shuts the scheduler down, and returns how many pieces of work were queued.
  func shutDown() -> Int
  /// Subscribes an observer.
  ///
  /// - Parameters:
  ///   - plan: which signal to subscribe to, and how.
  ///   - take: called with each event.
  ///   - started: called with a function that disposes the subscription; before any event if the observer
  ///     brings its own subscription.
  func subscribe(
    _ plan: ObserverPlan, take: @escaping @Sendable (Happening) -> Void,
    started: (@escaping @Sendable () -> Void) -> Void)
}

/// The observers of a run, by their numbers.
final class Observers: @unchecked Sendable {  // for one thread
  final class Observer {
    var seen = 0
    var dispose: (@Sendable () -> Void)?
    var shallEnd = false

    /// Disposes at once, or as soon as possible.
    func end() {
      shallEnd = true
      dispose?()
    }
  }

  private(set) var all: [Observer] = []

  /// Adds an observer, and returns its number.
  func add(_ observer: Observer) -> Int {
    all.append(observer)
    return all.count - 1
  }

  /// Does nothing if there is no such observer yet.
  func dispose(_ number: Int) { if number < all.count { all[number].end() } }
}

/// Everything that can be observed in a run, in order.
package final class Trace: @unchecked Sendable {  // for one thread
  package enum Leaf: Hashable, Comparable, Sendable {
    case source(Int)
    case cold(Int)
  }

  package enum Note: Equatable, Sendable {
    /// An observer received an event at this time, in microseconds.
    case event(observer: Int, Happening, at: Int)
    /// A source was subscribed to.
    case opened(Leaf)
    /// The subscription to a source has ended.
    case closed(Leaf)
    /// A property was read.
    case read(Readable, Int)
    /// An object was called, or set.
    case called(object: Int, Int)
    /// The scheduler was shut down with so many pieces of work in its queue.
    case shutDown(notRun: Int)
    /// A step is over, with this many observers alive.
    case step(living: Int)
    /// Everything has ended, but this was not released.
    case leaked(String)
  }

  private(set) var notes: [Note] = []

  func note(_ note: Note) {
    // Things that end at the same time end in an unspecified order.
    var place = notes.count
    if case .closed(let leaf) = note {
      while place > 0, case .closed(let other) = notes[place - 1], other > leaf { place -= 1 }
    }
    notes.insert(note, at: place)
  }
}

extension Trace.Note: CustomStringConvertible {
  package var description: String {
    switch self {
    case .event(let observer, let event, 0): "observer \(observer): \(event)"
    case .event(let observer, let event, let time): "observer \(observer) at \(time): \(event)"
    case .opened(let leaf): "subscribed \(leaf)"
    case .closed(let leaf): "released \(leaf)"
    case .read(let readable, let value): "\(readable) is \(value)"
    case .called(let object, let value): "o\(object) gets \(value)"
    case .shutDown(let count): "shut down, \(count) pieces of work not run"
    case .step(let living): "step over, \(living) observers alive"
    case .leaked(let what): "leaked: \(what)"
    }
  }
}
