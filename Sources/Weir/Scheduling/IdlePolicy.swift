// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What threads that run work do while there is none.
///
/// ReactiveObjC has none of its own: the system decides.
public enum IdlePolicy: Sendable {
  /// They look for work for a few microseconds, and then sleep. Waking one costs whoever brings work a system
  /// call, and the work some ten microseconds or more, until the system runs the thread.
  case parking
  /// They go on looking. Each takes up a processor for as long as its scheduler lives, also when nothing
  /// happens; work begins a fraction of a microsecond after it was scheduled, at any time, and nobody makes a
  /// system call for it.
  ///
  /// For threads that have a processor to themselves. Where they have not, they take it from those whose work
  /// they wait for.
  case spinning

  /// How long a thread looks before it counts as idle: 5 µs where it was measured, or half a millisecond.
  var search: Search { self == .parking ? Search(looks: 50, pauses: 4) : Search(looks: 20_000, pauses: 1) }

  /// The same for one that looks from inside a piece of work. What it looks for, one other thread writes, and
  /// is not held up by being looked at all the time.
  var lingering: Search { self == .parking ? Search(looks: 100, pauses: 1) : search }

  /// So often it looks, so many pauses in between.
  struct Search {
    let looks, pauses: Int

    static var once: Search { Search(looks: 1, pauses: 0) }
  }
}
