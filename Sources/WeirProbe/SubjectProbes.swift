// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CProbeSupport
import Weir

// The names of the functions that perf/instructions watches start with `probe`, here and in the other files.
// They are never inlined, so that callgrind can start and stop counting at their boundaries. Each handles a
// given number of events: the difference between the instructions of two runs, divided by that of their
// numbers of events, is the cost of one event; everything constant cancels out.
//
// What puts a chain together is a function of its own, never inlined, and not in the loop: there the
// optimiser inlines more than in most programs, which subscribe outside of any loop, and the counts would be
// too low.

typealias Source = Subject<Int, Never>

/// One subject and its subscribers, and a cold chain.
enum SubjectProbe: String, CaseIterable, Probe {
  case emit
  case emit8 = "emit-8"
  case emit64 = "emit-64"
  case coldChain = "cold-chain"
  case coldSubscribe = "cold-subscribe"
  case subscribeDispose = "subscribe-dispose"
  case subscribeDisposeBeside100 = "subscribe-dispose-100"

  /// The number of subscribers that stay.
  private var subscribers: Int {
    switch self {
    case .emit: 1
    case .emit8: 8
    case .emit64: 64
    case .subscribeDisposeBeside100: 100
    case .coldChain, .coldSubscribe, .subscribeDispose: 0
    }
  }

  @inline(never)
  func run(_ cell: Cell, _ count: Int) {
    nonisolated(unsafe) let cell = cell  // the probes run on one thread
    let subject = Source()
    for _ in 0..<subscribers { subject.subscribe { cell.pointee &+= $0 } }
    CountedHeap.watch {
      switch self {
      case .emit, .emit8, .emit64: probeEmit(subject, count)
      case .coldChain: probeColdChain(cell, count)
      case .coldSubscribe: probeColdSubscribe(cell, count)
      case .subscribeDispose, .subscribeDisposeBeside100: probeSubscribeDispose(subject, cell, count)
      }
    }
    // Shows that disposed subscribers receive nothing.
    if case .subscribeDispose = self { subject.send(1) }
  }

  func expected(_ count: Int) -> Int {
    switch self {
    case .emit, .emit8, .emit64: subscribers * sum(count)
    case .coldChain: (0..<count).reduce(0) { $0 + ($1 * 3 & 7 != 5 ? $1 * 3 + 7 : 0) }
    case .coldSubscribe: sum(count) + 30 * count
    case .subscribeDispose, .subscribeDisposeBeside100: 0
    }
  }
}

@inline(never)
func probeEmit(_ subject: Source, _ count: Int) {
  for value in 0..<count { subject.send(value) }
}

/// Sends from the two subjects in turn, an even number of values in total.
@inline(never)
func probeInTurn(_ left: Source, _ right: Source, _ count: Int) {
  for value in stride(from: 0, to: count, by: 2) {
    left.send(value)
    right.send(value &+ 1)
  }
}

@inline(never)
func probeColdChain(_ cell: Cell, _ count: Int) {
  nonisolated(unsafe) let cell = cell  // the probes run on one thread
  let (factor, offset) = (Int(bench_opaque_int(3)), Int(bench_opaque_int(7)))
  let (mask, rejected) = (Int(bench_opaque_int(7)), Int(bench_opaque_int(5)))
  _ = Signal<Int, Never>.range(0..<count)
    .map { (x: Int) -> Int in x &* factor }
    .filter { (x: Int) -> Bool in x & mask != rejected }
    .map { (x: Int) -> Int in x &+ offset }
    .subscribe { (x: Int) in cell.pointee &+= x }
}

/// Builds and runs a chain for each event.
@inline(never)
func probeColdSubscribe(_ cell: Cell, _ count: Int) {
  for value in 0..<count { coldSubscribe(value, cell) }
}

@inline(never)
private func coldSubscribe(_ value: Int, _ cell: Cell) {
  nonisolated(unsafe) let cell = cell  // as above
  Signal<Int, Never>.just(value).map { $0 &+ 14 }.filter { $0 >= 0 }.subscribe { cell.pointee &+= $0 &+ 16 }
}

@inline(never)
func probeSubscribeDispose(_ subject: Source, _ cell: Cell, _ count: Int) {
  for _ in 0..<count { subscribe(subject, cell).dispose() }
}

@inline(never)
private func subscribe(_ subject: Source, _ cell: Cell) -> Subscription {
  nonisolated(unsafe) let cell = cell  // as above
  return subject.subscribe { cell.pointee &+= $0 }
}
