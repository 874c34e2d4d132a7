// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// Runs `body`, and returns which of its objects are still alive when it has returned; nil if none are.
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
/// An object that `body` stores outside itself counts as alive. For asynchronous code, use ``Resources`` and
/// read its ``Resources/problem`` when everything is over.
///
/// - Parameter body: makes and follows objects with the counter that is passed to it.
///
/// ReactiveObjC has none.
public func findLeaks(_ body: (Resources) throws -> Void) rethrows -> Problem? {
  let resources = Resources()
  try body(resources)
  return resources.problem
}

/// The memory of Weir's lock-free structures.
///
/// ReactiveObjC has none.
public enum RuntimeMemory {
  /// The number of blocks that they hold in the whole process: each subject, property and queue has some, and
  /// frees them when it is deallocated.
  ///
  /// Comparing the numbers before and after a long run shows whether memory is left behind that no reference
  /// leads to. Compare them when nothing runs or waits: each subject of a session that a scheduler has yet to
  /// clean up has its blocks. What stays then is the memory that queues of schedulers, of the timers and of
  /// live objects once needed: at most some thirty blocks each, however much has passed through them. Tests
  /// that run at the same time hold blocks, too.
  public static var blocks: Int { Int(weir_blocks_alive()) }
}
