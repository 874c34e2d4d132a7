// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// Chains on two subjects. Each adds a number of its own to what it delivers: the compiler merges closures that are
/// alike, and the jumps to a merged one would be counted.
enum OperatorProbe: String, CaseIterable {
  case merge
  case combineLatest = "combine-latest"
  case zip
  case withLatest = "with-latest"
  case flatMapJust = "flat-map-just"
  case forward
  case publish

  /// Whether values come from both subjects in turn, or from the first alone.
  enum Senders { case both, first }

  var senders: Senders {
    switch self {
    case .merge, .combineLatest, .zip: .both
    case .withLatest, .flatMapJust, .forward, .publish: .first
    }
  }

  /// Never inlined, and named otherwise than what is counted.
  @inline(never)
  func subscribe(_ left: Source, _ right: Source, _ cell: Cell) {
    nonisolated(unsafe) let cell = cell  // the probes run on one thread
    switch self {
    case .merge:
      Signal.merge([left.signal, right.signal]).subscribe { cell.pointee &+= $0 &+ 1 }
    case .combineLatest:
      left.combineLatest(with: right).map { 2 &* $0 &+ $1 &+ 5 }.subscribe { cell.pointee &+= $0 &+ 5 }
    case .zip:
      left.zip(with: right).map { $0 &+ $1 &+ 2 }.subscribe { cell.pointee &+= $0 &+ 2 }
    case .withLatest:
      left.withLatest(from: right).map { $0 &+ $1 &+ 3 }.subscribe { cell.pointee &+= $0 &+ 3 }
    case .flatMapJust:
      left.flatMap { .just($0 &+ 4) }.subscribe { cell.pointee &+= $0 &+ 4 }
    case .forward:
      right.subscribe { cell.pointee &+= $0 &+ 6 }
      left.forward(to: right)
    case .publish:
      left.publish().autoconnect().subscribe { cell.pointee &+= $0 &+ 7 }
    }
  }

  /// What is counted when both have sent 0 and then `count` values, an even number, came from 0 upwards.
  func expected(_ count: Int) -> Int {
    let sum = count * (count - 1) / 2
    return switch self {
    case .merge: sum + count
    case .combineLatest:
      // Twice the newest even number and the newest odd one: of 0 and 1, 0 and 0; of 2 and 3, 2 and 1; and so on.
      (0..<count).reduce(0) { $0 + 2 * ($1 & ~1) + max(0, $1 - 1 | 1) } + 10 * count
    case .zip: sum + 2 * count
    case .withLatest: sum + 6 * count
    case .flatMapJust: sum + 8 * count
    case .forward: sum + 6 * count
    case .publish: sum + 7 * count
    }
  }
}
