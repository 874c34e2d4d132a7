// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
@_spi(Benchmarks) import WeirTesting

/// What is alive after each way in which a run can end: nothing. All of it runs in processes of its own, in
/// which nothing else has blocks, so the counts are exact; and `.ci/run address` has LeakSanitizer check each
/// of them.
@Suite enum Retention {}

/// Expects that `body` releases every object and every block. It is run twice, and counted the second time,
/// as the process makes some things once. What it puts into `kept` is retained until everything was counted.
///
/// - Parameter body: returns how many objects were alive before the end; there must be some, or nothing was
///   tested.
func expectNothingLeft(
  _ name: String, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: (_ resources: Resources, _ kept: Box<[any Disposable]>) -> Int
) {
  for round in 1...2 {
    let (blocks, resources, kept) = (RuntimeMemory.blocks, Resources(), Box<[any Disposable]>([]))
    let alive = body(resources, kept)
    #expect(alive > 0, "\(name)", sourceLocation: sourceLocation)
    #expect(resources.problem == nil, "\(name)", sourceLocation: sourceLocation)
    if round == 2 { #expect(RuntimeMemory.blocks == blocks, "\(name)", sourceLocation: sourceLocation) }
    #expect(kept.value.allSatisfy { $0.isDisposed }, "\(name)", sourceLocation: sourceLocation)
  }
}
