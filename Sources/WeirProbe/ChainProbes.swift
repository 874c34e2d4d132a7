// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CProbeSupport
import Weir

/// Operators on one subject, each with a number of its own as in `CombiningProbe`.
enum ChainProbe: String, CaseIterable, Probe {
  case hotChain = "hot-chain"
  case keepingChain = "hot-chain-keeping"
  case lastKeeps = "hot-chain-last-keeping"
  case storedSignal = "hot-chain-stored"
  case tenMaps = "hot-maps"
  case allKinds = "hot-kinds"
  case scanDistinctTake = "scan-distinct-take"
  case publish
  case share
  case group

  @inline(never)
  func run(_ cell: Cell, _ count: Int) {
    let source = Source()
    subscribe(source, cell, count)
    source.send(0)
    cell.pointee = 0
    CountedHeap.watch { probeEmit(source, count) }
  }

  @inline(never)
  private func subscribe(_ source: Source, _ cell: Cell, _ count: Int) {
    nonisolated(unsafe) let cell = cell  // the probes run on one thread
    switch self {
    case .hotChain:
      source.map { $0 &+ 17 }.filter { $0 >= 0 }.map { $0 &+ 18 }.subscribe { cell.pointee &+= $0 &+ 19 }
    case .keepingChain:
      let (first, second, third) = (bench_opaque_int(17), bench_opaque_int(0), bench_opaque_int(18))
      source.map { $0 &+ Int(first) }.filter { $0 >= Int(second) }.map { $0 &+ Int(third) }
        .subscribe { cell.pointee &+= $0 &+ 19 }
    case .lastKeeps:
      let third = bench_opaque_int(28)
      source.map { $0 &+ 27 }.filter { $0 >= 27 }.map { $0 &+ Int(third) }
        .subscribe { cell.pointee &+= $0 &+ 29 }
    case .storedSignal:
      Stored(source.signal).signal.map { $0 &+ 37 }.filter { $0 >= 37 }.map { $0 &+ 38 }
        .subscribe { cell.pointee &+= $0 &+ 39 }
    case .tenMaps:
      source
        .map { $0 &+ 1 }.map { $0 &+ 2 }.map { $0 &+ 3 }.map { $0 &+ 4 }.map { $0 &+ 5 }
        .map { $0 &+ 6 }.map { $0 &+ 7 }.map { $0 &+ 8 }.map { $0 &+ 9 }.map { $0 &+ 10 }
        .subscribe { cell.pointee &+= $0 }
    case .allKinds:
      // Each kind of operator with one upstream, and all values but the first get through.
      let kept = source.setFailureType(to: ProbeFailure.self).doNext { _ in }.filter { $0 >= 0 }.skip(while: {
        $0 < 0
      })
      .take(while: { $0 >= 0 })
      let changed = kept.enumerated().compactMap { $0.offset < 0 ? nil : $0.element }.scan(0) { $1 }
        .pairwise().map { $0.current }
      changed.finally {}.mapError { $0 }.materialize().compactMap { event -> Int? in
        if case .next(let value) = event { value } else { nil }
      }
      .subscribe { cell.pointee &+= $0 }
    case .scanDistinctTake:
      // Every second sum is the one before it.
      source.scan(0) { $0 &+ ($1 & 1) }.distinctUntilChanged().take(first: count)
        .subscribe { cell.pointee &+= $0 &+ 20 }
    case .publish:
      source.publish().autoconnect().subscribe { cell.pointee &+= $0 &+ 7 }
    case .share:
      let shared = source.share()
      for _ in 0..<8 { shared.subscribe { cell.pointee &+= $0 &+ 21 } }
    case .group:
      source.group { $0 & 3 }.subscribe { group in group.subscribe { cell.pointee &+= $0 &+ 22 } }
      for key in 0..<4 { source.send(key) }
    }
  }

  /// After 0 and then `count` values from 0 upwards, an even number of them, were sent.
  func expected(_ count: Int) -> Int {
    switch self {
    case .allKinds: sum(count)
    case .hotChain, .keepingChain: sum(count) + 54 * count
    case .lastKeeps: sum(count) + 84 * count
    case .storedSignal: sum(count) + 114 * count
    case .tenMaps: sum(count) + 55 * count
    case .scanDistinctTake: sum(count / 2 + 1) + 20 * (count / 2)
    case .publish: sum(count) + 7 * count
    case .share: 8 * (sum(count) + 21 * count)
    case .group: sum(count) + 22 * count
    }
  }
}

/// The failure type of a chain that can fail but does not.
private struct ProbeFailure: Error {}

/// Keeps a signal where the compiler does not see which one it is.
final class Stored {
  let signal: Signal<Int, Never>

  @inline(never)
  init(_ signal: Signal<Int, Never>) { self.signal = signal }
}
