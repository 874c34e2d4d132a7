// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// What threads that run work do while there is none.
///
/// ReactiveObjC has none of its own: the system decides.
public enum IdlePolicy: Sendable {
  /// They look for work for a few microseconds, if there is more than one processor, and then sleep. Waking a
  /// thread costs the thread that schedules work a system call, and delays that work by some ten microseconds
  /// or more, until the system runs the thread.
  case parking
  /// They go on looking. Each occupies a processor for as long as its scheduler lives, even when nothing
  /// happens; work starts a fraction of a microsecond after it was scheduled, at any time, and scheduling it
  /// makes no system call.
  ///
  /// For threads that have a processor each to themselves. Otherwise they take processors from the threads
  /// whose work they wait for.
  case spinning

  /// How long a thread looks before it counts as idle: 5 µs or, if it spins, some tenths of a millisecond.
  var search: Search {
    switch self {
    case .parking: Self.isAlone ? .once : Search(looks: 50, pause: 100)
    case .spinning: Search(looks: 20_000, pause: 0)
    }
  }

  /// The same for a thread that looks from inside a piece of work. What it polls is written by one other
  /// thread, which constant polling does not slow down.
  var lingering: Search {
    switch self {
    case .parking: Self.isAlone ? .once : Search(looks: 100, pause: 0)
    case .spinning: search
    }
  }

  /// Whether there is one processor, where nobody can schedule work while a thread looks for some.
  private static let isAlone = weir_processor_count() == 1

  /// The number of looks, and the nanoseconds from one to the next; 0 is one pause instruction, after which a
  /// value is found soonest.
  struct Search: Equatable {
    let looks: Int
    let pause: UInt64

    static var once: Search { Search(looks: 1, pause: 0) }
  }
}
