// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Memo
//
// Guarantees: a value is computed on first demand, remembered, and the same for everybody. Nobody waits:
// threads that ask at the same time all compute; one of the results is published, the others are dropped. The
// closure, with all that it captured, is released as soon as there is a value and no thread is inside the
// closure any more, even if the memo lives on. User closures run, and are released, under no lock and no
// hazard.
//
// State: two words and the closure.
//   `published` is 0, or the address of an object with the value, to which the memo has the only reference.
//   `users` counts the users of the closure: the memo itself, until there is a value, and the threads that
//   are computing.
//
// Invariants:
//  1. `published` changes once, from 0, and the object is constant. So a thread that has found the object may
//     read it as long as it retains the memo, without any count or hazard.
//  2. Only a thread that has counted itself in reads the closure, and none can count itself in when `users`
//     is 0. The thread that counts down to 0 releases the closure: one thread, when no other is using it.
//  3. The thread that has published counts out itself and the memo. So `users` is 0 only if there is a value,
//     and the closure stays as long as there is none.
//  4. When a memo is deallocated, its value and its closure are released through the ReleaseQueue, because a
//     chain of any length may hang on them.
//
// Orderings: publishing releases the value, and loading `published` acquires it. Counting in needs no
// ordering: the closure is there since the memo was made, and a thread that has the memo has seen that.
// Counting out releases the uses of the closure to the last thread, which releases the closure, and releases
// `published` to a thread that finds `users` at 0 and loads `published` again. All of them are sequentially
// consistent, except the load of `published`, which acquires.

/// A value that is computed on demand, once, and remembered.
@usableFromInline
final class Memo<Value: Sendable>: @unchecked Sendable {  // by the invariants above
  @usableFromInline var publishedWord: UInt64
  @usableFromInline var usersWord: UInt64
  /// Serialised by `users`, not by run-time exclusivity checks.
  @exclusivity(unchecked) @usableFromInline var closure: (@Sendable () -> Value)?

  /// A value that `closure` computes. Threads that ask at the same time may all call it. It must not ask for
  /// the value itself: that would recurse without end.
  @inlinable
  init(_ closure: @escaping @Sendable () -> Value) {
    publishedWord = 0
    usersWord = 1
    self.closure = closure
  }

  /// A value that is known already.
  @inlinable
  init(known value: Value) {
    publishedWord = Boxed(value).given()
    usersWord = 0
    closure = nil
  }

  @inlinable
  deinit {
    // Checked by the word: generic code in here is not specialised, so checking the closure would be slow.
    if users.loadRelaxed() != 0 { Leftover.release(boxOfClosure()) }
    Leftover.release(published.loadAcquire())
  }

  /// Moves the closure into an object of its own. A separate function, as nothing else may retain the closure
  /// when that object is released.
  @inlinable
  func boxOfClosure() -> UInt64 {
    guard let closure = closure.take() else { return 0 }
    return Boxed(closure).given()
  }

  @inlinable var published: AtomicWord { AtomicWord(property: 0, of: self) }
  @inlinable var users: AtomicWord { AtomicWord(property: 1, of: self) }

  /// The value, computed now if it is not known.
  @inlinable var value: Value { remembered ?? compute() }

  /// The value, if it is known.
  @inlinable var remembered: Value? { Boxed.value(at: published.loadAcquire()) }

  @inlinable
  func compute() -> Value {
    if enter() {
      let box = evaluate()
      let isFirst = published.compareExchange(0, box)
      leave(isFirst ? 2 : 1)
      if !isFirst { Leftover.release(box) }
    }
    return remembered.unsafelyUnwrapped
  }

  /// Counts the caller in. False if the closure is gone: then there is a value.
  @inlinable
  func enter() -> Bool {
    while true {
      let count = users.load()
      if count == 0 { return false }
      if users.compareExchange(count, count + 1) { return true }
    }
  }

  /// For a thread that is counted in: the address of an object with a newly computed value.
  @inlinable
  func evaluate() -> UInt64 { Boxed(closure.unsafelyUnwrapped()).given() }

  /// Counts out the caller and, if `count` is 2, the memo too.
  @inlinable
  func leave(_ count: UInt64) { if users.subtract(count) == count { closure = nil } }
}
