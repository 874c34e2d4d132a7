// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CBenchSupport
import Weir

// The functions perf/instructions watches. Each is never inlined, so that callgrind can switch its counting on
// and off at their boundaries, and each handles a given number of events: the difference between two numbers
// divided by the difference of their counts is the price of one event, and everything constant cancels out.

/// A counter in raw memory, which costs no exclusivity check and no reference count.
typealias Cell = UnsafeMutablePointer<Int>

typealias Source = Subject<Int, Never>

@inline(never)
func probeEmit(_ subject: Source, _ count: Int) {
  for value in 0..<count { subject.send(value) }
}

/// Sends from one subject and the other in turn, an even number of values in all.
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

@inline(never)
func probeSubscribeDispose(_ subject: Source, _ cell: Cell, _ count: Int) {
  nonisolated(unsafe) let cell = cell  // as above
  for _ in 0..<count { subject.subscribe { cell.pointee &+= $0 }.dispose() }
}
