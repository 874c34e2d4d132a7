// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// Chains of operators on subjects that are built, subscribed and disposed; nothing is sent.
enum SubscribingProbe: String, CaseIterable, Probe {
  case chain = "subscribe-chain"
  case storedChain = "subscribe-chain-stored"
  case merge = "subscribe-merge"
  /// With map, filter, map before each signal.
  case mergeOfChains = "subscribe-merge-chains"
  case combineLatest = "subscribe-combine-latest"
  /// The same.
  case combineLatestOfChains = "subscribe-combine-latest-chains"
  case zip = "subscribe-zip"
  case flatMap = "subscribe-flat-map"
  case concat = "subscribe-concat"
  case share = "subscribe-share"
  case retry = "subscribe-retry"

  func run(_ cell: Cell, _ count: Int) {
    let (left, right) = (Source(), Source())
    let shared = left.share()
    let staying = shared.subscribe()
    let stored = Stored(left.signal)
    CountedHeap.watch { probeSubscribing(self, left, right, shared, stored, cell, count) }
    // Shows that disposed subscribers receive nothing.
    left.send(1)
    staying.dispose()
  }

  func expected(_ count: Int) -> Int { 0 }
}

@inline(never)
func probeSubscribing(
  _ probe: SubscribingProbe, _ left: Source, _ right: Source, _ shared: Signal<Int, Never>, _ stored: Stored,
  _ cell: Cell, _ count: Int
) {
  for _ in 0..<count { probe.subscribe(left, right, shared, stored, cell).dispose() }
}

extension SubscribingProbe {
  @inline(never)
  fileprivate func subscribe(
    _ left: Source, _ right: Source, _ shared: Signal<Int, Never>, _ stored: Stored, _ cell: Cell
  ) -> Subscription {
    nonisolated(unsafe) let cell = cell  // the probes run on one thread
    return switch self {
    case .chain:
      left.map { $0 &+ 51 }.filter { $0 != 51 }.map { $0 &* 51 }.subscribe { cell.pointee &+= $0 &+ 51 }
    case .storedChain:
      stored.signal.map { $0 &+ 58 }.filter { $0 != 58 }.map { $0 &* 58 }
        .subscribe { cell.pointee &+= $0 &+ 58 }
    case .merge: left.merge(with: right).subscribe { cell.pointee &+= $0 &+ 52 }
    case .mergeOfChains: subscribeMerge(ofChainsOn: left, right, cell)
    case .combineLatestOfChains: subscribeCombineLatest(ofChainsOn: left, right, cell)
    case .combineLatest: left.combineLatest(with: right).subscribe { cell.pointee &+= $0 &+ $1 &+ 53 }
    case .zip: left.zip(with: right).subscribe { cell.pointee &+= $0 &+ $1 &+ 54 }
    case .flatMap: left.flatMap { .just($0 &+ 55) }.subscribe { cell.pointee &+= $0 &+ 55 }
    case .concat: left.concat(right).subscribe { cell.pointee &+= $0 &+ 56 }
    case .share: shared.subscribe { cell.pointee &+= $0 &+ 57 }
    case .retry: subscribeRetry(of: left, cell)
    }
  }
}

// Functions of their own: in one as large as that above, the compiler inlines less.

@inline(never)
private func subscribeMerge(ofChainsOn left: Source, _ right: Source, _ cell: Cell) -> Subscription {
  nonisolated(unsafe) let cell = cell  // as above
  let other = right.map { $0 &+ 66 }.filter { $0 >= 0 }.map { $0 &* 66 }
  return left.map { $0 &+ 65 }.filter { $0 >= 0 }.map { $0 &* 65 }.merge(with: other)
    .subscribe { cell.pointee &+= $0 &+ 65 }
}

@inline(never)
private func subscribeCombineLatest(ofChainsOn left: Source, _ right: Source, _ cell: Cell) -> Subscription {
  nonisolated(unsafe) let cell = cell  // as above
  let other = right.map { $0 &+ 68 }.filter { $0 >= 0 }.map { $0 &* 68 }
  return left.map { $0 &+ 67 }.filter { $0 >= 0 }.map { $0 &* 67 }.combineLatest(with: other)
    .subscribe { cell.pointee &+= $0 &+ $1 &+ 67 }
}

@inline(never)
private func subscribeRetry(of source: Source, _ cell: Cell) -> Subscription {
  nonisolated(unsafe) let cell = cell  // as above
  return source.setFailureType(to: TimeoutError.self).retry(upTo: 2)
    .subscribe(next: { cell.pointee &+= $0 &+ 69 }, failed: { _ in })
}
