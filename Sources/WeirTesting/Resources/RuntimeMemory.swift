// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// The memory of Weir's lock-free structures.
///
/// Only Weir's own tests and `perf/soak` need it: users count their objects, with ``Resources``.
@_spi(Benchmarks) public enum RuntimeMemory {
  /// How many more blocks they have allocated than freed in the whole process since this was first read: each
  /// subject, property and queue has some, and frees them when it is deallocated. Negative, if those that
  /// were there at first are gone. Nothing is counted before somebody asks, as threads that have nothing else
  /// in common would share the counter.
  ///
  /// Comparing the numbers before and after a long run shows whether memory is left behind that no reference
  /// leads to. Compare them when nothing runs or waits: each subject of a session that a scheduler has yet to
  /// clean up has its blocks. What stays then is the memory that queues of schedulers, of the timers and of
  /// live objects once needed: at most some thirty blocks each, however much has passed through them. Tests
  /// that run at the same time hold blocks, too.
  public static var blocks: Int { Int(weir_blocks_alive()) }
}
