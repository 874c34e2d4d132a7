// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Command word
//
// Guarantees: of any number of threads that execute a command at the same time, only as many succeed as may
// run. All that decides this (whether executions are allowed, how many may run, how many do) is in one word,
// and an execution starts with the compare-exchange that has found the word allowing it. No thread waits.
//
// The word is [running: 51 | bound: 12 | allowed: 1].
//
// Invariants:
//  1. `running` is the number of executions that have begun and not ended. Each adds one, and subtracts one,
//     once.
//  2. `running` is counted up only while it is below the bound; it can be above if that was lowered since.
//  3. Every change is followed by a refresh that is delivered after it; so the last state that is announced
//     is the final one.
//
// Orderings: sequentially consistent. The post of the refresh comes after the change in the order of one
// thread, and the delivery of the refresh loads the word after taking the post, so it sees that change or a
// later one.

/// The state of a command, packed into a word.
struct CommandWord: PackedWord {
  private static let allowed: UInt64 = 1
  private static let bound: UInt64 = 1 << 1
  private static let one: UInt64 = 1 << 13

  var bits: UInt64

  init(bits: UInt64) { self.bits = bits }

  /// Idle and allowed.
  init(_ concurrency: CommandConcurrency) {
    bits = Self.allowed
    self.concurrency = concurrency
  }

  /// How many executions have begun and not ended.
  var running: UInt64 { bits / Self.one }
  var isExecuting: Bool { running > 0 }
  /// Why no execution may begin; nil if one may.
  var refusal: CommandRefusal? {
    if !isAllowed { return .disabled }
    return concurrency.allowsOne(beside: Int(running)) ? nil : .busy
  }
  var isEnabled: Bool { refusal == nil }

  /// What the condition of the command last said.
  var isAllowed: Bool {
    get { bits & Self.allowed != 0 }
    set { bits = newValue ? bits | Self.allowed : bits & ~Self.allowed }
  }

  var concurrency: CommandConcurrency {
    get { CommandConcurrency(bound: Int(bits % Self.one / Self.bound)) }
    set { bits = bits - bits % Self.one + UInt64(newValue.bound) * Self.bound + bits % Self.bound }
  }

  mutating func begin() { bits += Self.one }
  mutating func end() { bits -= Self.one }
}
