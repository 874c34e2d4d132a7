// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// Runs `body`, and returns what is alive when it has returned; nil if nothing is.
///
/// ```swift
/// let problem = findLeaks { resources in
///   let subject = resources.follow(Subject<Int, Never>())
///   subject.subscribe { [token = resources.make()] _ in _ = token }
///   subject.complete()
/// }
/// #expect(problem == nil)
/// ```
///
/// What `body` only lends, because it keeps it outside, counts as alive. For asynchronous code use
/// ``Resources`` and its ``Resources/problem``, when everything is over.
///
/// - Parameter body: makes and follows objects with the counter that it is handed.
///
/// ReactiveObjC has none.
public func findLeaks(_ body: (Resources) throws -> Void) rethrows -> Problem? {
  let resources = Resources()
  try body(resources)
  return resources.problem
}

/// The memory of Weir's lock-free structures.
public enum RuntimeMemory {
  /// How many blocks they hold in the whole process: each subject, property and queue has some, and gives
  /// them back when it goes.
  ///
  /// The number before and after a long run tells whether something is left behind that no reference leads
  /// to. Tests that run at the same time have blocks, too.
  public static var blocks: Int { Int(weir_blocks_alive()) }
}
