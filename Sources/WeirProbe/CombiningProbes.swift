// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// Operators on two subjects. Each adds a number of its own to what it delivers: the compiler merges closures
/// that are alike, and the jumps to a merged one would be counted.
enum CombiningProbe: String, CaseIterable, Probe {
  case merge
  /// With map, filter, map before each signal.
  case mergeOfChains = "merge-chains"
  case combineLatest = "combine-latest"
  /// The same.
  case combineLatestOfChains = "combine-latest-chains"
  /// Three of the four upstreams are one subject. Values of the last two go through generic code for all
  /// types.
  case combineLatest4 = "combine-latest-4"
  case zip
  case withLatest = "with-latest"
  case takeUntil = "take-until"
  case forward
  case race
  case and

  /// Whether values come from both subjects in turn, or from the first alone.
  private enum Senders { case both, first }

  private var senders: Senders {
    switch self {
    case .merge, .mergeOfChains, .combineLatest, .combineLatestOfChains, .combineLatest4, .zip, .and: .both
    case .withLatest, .takeUntil, .forward, .race: .first
    }
  }

  @inline(never)
  func run(_ cell: Cell, _ count: Int) {
    let (left, right) = (Source(), Source())
    subscribe(left, right, cell)
    left.send(0)
    // With `take(until:)`, this would end the run.
    if self != .takeUntil { right.send(0) }
    cell.pointee = 0
    CountedHeap.watch {
      switch senders {
      case .both: probeInTurn(left, right, count)
      case .first: probeEmit(left, count)
      }
    }
  }

  @inline(never)
  private func subscribe(_ left: Source, _ right: Source, _ cell: Cell) {
    nonisolated(unsafe) let cell = cell  // the probes run on one thread
    switch self {
    case .merge:
      Signal.merge([left.signal, right.signal]).subscribe { cell.pointee &+= $0 &+ 1 }
    case .mergeOfChains:
      left.map { $0 &+ 61 }.filter { $0 >= 0 }.map { $0 &* 3 }
        .merge(with: right.map { $0 &+ 62 }.filter { $0 >= 0 }.map { $0 &* 5 })
        .subscribe { cell.pointee &+= $0 &+ 61 }
    case .combineLatestOfChains:
      let front = left.map { $0 &+ 63 }.filter { $0 >= 0 }.map { $0 &* 2 }
      let other = right.map { $0 &+ 64 }.filter { $0 >= 0 }.map { $0 &* 7 }
      front.combineLatest(with: other).subscribe { cell.pointee &+= $0 &+ $1 &+ 63 }
    case .combineLatest:
      left.combineLatest(with: right).map { 2 &* $0 &+ $1 &+ 5 }.subscribe { cell.pointee &+= $0 &+ 5 }
    case .combineLatest4:
      left.combineLatest(with: left, left, right).map { 2 &* $0 &+ $3 &+ 58 }
        .subscribe { cell.pointee &+= $0 &+ 58 }
    case .zip:
      left.zip(with: right).map { $0 &+ $1 &+ 2 }.subscribe { cell.pointee &+= $0 &+ 2 }
    case .withLatest:
      left.withLatest(from: right).map { $0 &+ $1 &+ 3 }.subscribe { cell.pointee &+= $0 &+ 3 }
    case .takeUntil:
      left.take(until: right).subscribe { cell.pointee &+= $0 &+ 8 }
    case .forward:
      right.subscribe { cell.pointee &+= $0 &+ 6 }
      left.forward(to: right)
    case .race:
      left.race(with: right).subscribe { cell.pointee &+= $0 &+ 7 }
    case .and:
      left.map { $0 >= 0 }.and(right.map { $0 < 0 }).subscribe { cell.pointee &+= $0 ? 0 : 1 }
    }
  }

  /// After both have sent 0 and then `count` values from 0 upwards, an even number of them, were sent.
  func expected(_ count: Int) -> Int {
    switch self {
    case .merge: sum(count) + count
    case .mergeOfChains:
      (0..<count).reduce(0) { $0 + ($1 & 1 == 0 ? 3 * ($1 + 61) : 5 * ($1 + 62)) } + 61 * count
    case .combineLatestOfChains:
      (0..<count).reduce(0) { $0 + 2 * (($1 & ~1) + 63) + 7 * (max(0, $1 - 1 | 1) + 64) } + 63 * count
    case .combineLatest:
      // Twice the newest even number and the newest odd one: of 0 and 1, 0 and 0; of 2 and 3, 2 and 1; and so
      // on.
      (0..<count).reduce(0) { $0 + 2 * ($1 & ~1) + max(0, $1 - 1 | 1) } + 10 * count
    case .combineLatest4:
      // The same, three times for a value of the first.
      (0..<count).reduce(0) {
        $0 + ($1 & 1 == 0 ? 3 : 1) * (2 * ($1 & ~1) + max(0, $1 - 1 | 1))
      } + 232 * count
    case .zip: sum(count) + 2 * count
    case .withLatest, .forward: sum(count) + 6 * count
    case .takeUntil: sum(count) + 8 * count
    case .race: sum(count) + 7 * count
    case .and: count
    }
  }
}
