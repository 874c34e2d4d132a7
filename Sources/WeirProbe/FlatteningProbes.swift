// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// Each value of a subject becomes a signal of one value, or is one of such a signal.
enum FlatteningProbe: String, CaseIterable, Probe {
  case flatMapJust = "flat-map-just"
  case flatMapInner = "flat-map-inner"
  case concatMapJust = "concat-map-just"
  case orderedJust = "ordered-just"
  case switchJust = "switch-just"
  case switchInner = "switch-inner"

  @inline(never)
  func run(_ cell: Cell, _ count: Int) {
    let source = Source()
    subscribe(source, cell)
    source.send(0)
    cell.pointee = 0
    CountedHeap.watch { probeEmit(source, count) }
  }

  @inline(never)
  private func subscribe(_ source: Source, _ cell: Cell) {
    nonisolated(unsafe) let cell = cell  // the probes run on one thread
    switch self {
    case .flatMapJust:
      source.flatMap { .just($0 &+ 4) }.subscribe { cell.pointee &+= $0 &+ 4 }
    case .flatMapInner:
      // The inner signal has an operator of its own, so what it sends cannot be known beforehand.
      source.flatMap { Signal<Int, Never>.just($0).map { $0 &+ 23 } }.subscribe { cell.pointee &+= $0 &+ 23 }
    case .concatMapJust:
      source.flatMap(.concat) { .just($0 &+ 24) }.subscribe { cell.pointee &+= $0 &+ 24 }
    case .orderedJust:
      source.flatMap(.ordered(limit: 8)) { .just($0 &+ 26) }.subscribe { cell.pointee &+= $0 &+ 26 }
    case .switchJust:
      source.map { Signal<Int, Never>.just($0 &+ 25) }.switchToLatest().subscribe {
        cell.pointee &+= $0 &+ 25
      }
    case .switchInner:
      Signal.just(source.map { $0 &+ 34 }).switchToLatest().subscribe { cell.pointee &+= $0 &+ 34 }
    }
  }

  func expected(_ count: Int) -> Int {
    switch self {
    case .flatMapJust: sum(count) + 8 * count
    case .flatMapInner: sum(count) + 46 * count
    case .concatMapJust: sum(count) + 48 * count
    case .orderedJust: sum(count) + 52 * count
    case .switchJust: sum(count) + 50 * count
    case .switchInner: sum(count) + 68 * count
    }
  }
}
