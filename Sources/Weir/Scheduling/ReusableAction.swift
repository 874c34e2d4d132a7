// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Reusable action
//
// Guarantees: a closure is called any number of times, by one caller at a time, until any thread ends it. It
// is released once: at once by the thread that ends it, or, if a call is under way then, by that call when it
// returns.
//
// State: the word is [running: 1 | ended: 1].
//
// Invariants:
//  1. The closure is called between setting `running`, which fails after `ended`, and clearing it.
//  2. The first thread to see both `ended` set and `running` clear releases it: the one that set `ended`
//     while no call was running, or the one that cleared `running` afterwards. Both are read-modify-writes of
//     one word, so it is exactly one of them.
//
// Orderings: those of the word; the end of a call happens before the next call.

/// A closure that is called again and again until it is ended. It may capture and return what its caller
/// needs until then, so that this is released at the same time.
final class ReusableAction<Input, Output>: @unchecked Sendable {  // the closure by invariant 1
  private static var running: UInt64 { 1 }
  private static var ended: UInt64 { 2 }

  private var stateWord: UInt64 = 0
  @exclusivity(unchecked) private var action: (@Sendable (Input) -> Output)?

  init(_ action: @escaping @Sendable (Input) -> Output) { self.action = action }

  private var state: AtomicWord { AtomicWord(property: 0, of: self) }

  var isEnded: Bool { state.load() & Self.ended != 0 }

  /// Calls the closure; returns nil if it was ended before. Calls must not overlap.
  func call(_ input: Input) -> Output? {
    guard state.compareExchange(0, Self.running) else { return nil }
    let output = action?(input)
    if state.subtract(Self.running) & Self.ended != 0 { action = nil }
    return output
  }

  /// Ends the action. True for the first call.
  @discardableResult
  func end() -> Bool {
    let before = state.formUnion(Self.ended)
    if before == 0 { action = nil }
    return before & Self.ended == 0
  }
}
