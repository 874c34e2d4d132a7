// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Glibc
import Testing
import WeirTesting

@testable import Weir

/// All stress suites, one test at a time: they count the blocks of the whole process.
@Suite(.serialized) enum Stress {}

/// How long stress tests run: `WEIR_STRESS_SCALE=20 swift test --filter Stress` for a long run.
let scale = getenv("WEIR_STRESS_SCALE").flatMap { Int(String(cString: $0)) } ?? 1

/// How many of `count` rounds to run, as all of them would take minutes: one in twelve, or in 24 in the
/// sanitizers' builds, where each is many times slower and meets more. The first three always count, so that
/// a small number does not become too small.
func roundCount(_ count: Int) -> Int {
  (min(count, 3) + (count - min(count, 3)) / (weir_atomics_are_hooked() ? 24 : 12)) * scale
}

/// In a build whose atomics are hooked, delays one operation in 64, from a seed that a failure can be
/// repeated with (`WEIR_STRESS_SEED`), as far as the system's own scheduling allows.
func perturb() {
  _ = processGrown
  let seed = getenv("WEIR_STRESS_SEED").flatMap { UInt64(String(cString: $0)) } ?? UInt64(time(nil))
  weir_perturb(64, seed)
}

/// How many blocks there are, for ``expectBlocks(notAbove:sourceLocation:)``. While tests of other suites
/// run, the number changes, and some of what these allocate stays: then it says nothing, and this is the
/// largest there is. (The stress suites also run without most of the others: under sanitizers.)
func blocksAlive() -> Int64 {
  _ = processGrown
  let (count, start) = (weir_blocks_alive(), ContinuousClock.now)
  while start.duration(to: .now) < .milliseconds(50) {
    if weir_blocks_alive() != count { return .max }
    // Leaves the processor to those whose blocks are looked for.
    usleep(1_000)
  }
  return count
}

/// What a process allocates once, on first use, would look like a leak of the test in which that happens. The
/// inbox of the process's timers and the queue of its pool keep the size that they once needed: this makes
/// room for more than any test needs.
private let processGrown: Void = {
  let (left, right) = (MutableProperty(0), MutableProperty(0))
  left.bindBothWays(with: right).dispose()
  _ = UnhandledErrors.state
  let limit = 2_000 * scale
  let (begun, hour) = (Counter(), ContinuousClock.now + .seconds(3_600))
  let armed = (0..<limit).map { _ in WorkerPool.shared.schedule(at: hour) {} }
  WorkerPool.shared.schedule(at: .now + .milliseconds(1)) { begun.add() }
  while begun.value == 0 { weir_yield() }
  for timer in armed { timer.dispose() }
  // Nothing is taken from the queue until it is full: each worker is held up by one of the first.
  let (full, done) = (Latch(), Latch(limit))
  for _ in 0..<WorkerPool.defaultThreadCount { WorkerPool.shared.schedule { full.wait() } }
  for _ in 0..<limit { WorkerPool.shared.schedule { done.open() } }
  full.open()
  done.wait()
}()

/// Expects that all blocks allocated since there were `count` of them have been freed. Tests of other suites
/// run in the same process and have some for a while: their number changes. What leaks is there after a
/// minute in which it has not.
///
/// - Parameter once: how many blocks may stay, as they are allocated once. Not added to `count`, which may be
///   the largest number there is.
func expectBlocks(
  notAbove count: Int64, exceptFor once: Int64 = 0, sourceLocation: SourceLocation = #_sourceLocation
) {
  var (alive, changed) = (weir_blocks_alive() - once, ContinuousClock.now)
  while alive > count, changed.duration(to: .now) < .seconds(60) {
    // Those tests need the processor.
    usleep(1_000)
    let now = weir_blocks_alive() - once
    if now != alive { (alive, changed) = (now, .now) }
  }
  #expect(alive <= count, sourceLocation: sourceLocation)
}

/// Opens when ``open()`` was called so many times.
final class Latch: Sendable {
  private let missing: Counter
  init(_ count: Int = 1) {
    missing = Counter()
    missing.add(count)
  }
  func open() { missing.add(-1) }
  func wait() { while missing.value > 0 { weir_yield() } }
}
