// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// An operation of a thread in a scenario, with its name in traces.
package struct Operation<State> {
  let label: String
  let body: (State) -> Void

  /// - Parameters:
  ///   - label: the name in traces.
  ///   - body: what to do. At every atomic operation in it, another thread may continue instead; everything
  ///     else happens in one step. It must wait only with `weir_yield` and `weir_pause`.
  package init(_ label: String, _ body: @escaping (State) -> Void) {
    self.label = label
    self.body = body
  }
}

/// A small program of several threads, and what must hold whatever the order of its steps is.
///
/// Nothing in it needs to be `Sendable`: only one thread runs at a time, and passes control to the next one
/// through a semaphore.
package struct Scenario<State> {
  let name: String
  let setup: () -> State
  let threads: [[Operation<State>]]
  let invariant: (State) -> String?
  let check: (State) -> String?

  /// How many threads it has.
  package var threadCount: Int { threads.count }

  /// - Parameters:
  ///   - name: the name in reports, and in `WEIR_EXPLORE_REPLAY`.
  ///   - setup: creates fresh state for each run.
  ///   - threads: what each thread does, one operation after the other. At most 26.
  ///   - invariant: called after each step, with the other threads at any point. It must not change anything.
  ///     Returns what is wrong, or nil.
  ///   - check: called when all threads have finished. It may do anything, even take the state apart. Returns
  ///     what is wrong, or nil.
  package init(
    _ name: String, setup: @escaping () -> State, threads: [[Operation<State>]],
    invariant: @escaping (State) -> String? = { _ in nil }, check: @escaping (State) -> String?
  ) {
    precondition(2...26 ~= threads.count, "weir: a scenario has 2 to 26 threads")
    self.name = name
    self.setup = setup
    self.threads = threads
    self.invariant = invariant
    self.check = check
  }
}
