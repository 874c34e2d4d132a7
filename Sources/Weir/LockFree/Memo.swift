// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Memo
//
// Guarantees: a value that is computed when somebody asks for it, is remembered, and is the same for
// everybody. Nobody waits: of threads that ask at the same time, each computes; one of the results is
// published, the others are dropped. The closure, with all that it captured, is released as soon as there is
// a value and nobody is inside it any more, although the memo is kept. Closures of users run, and are
// released, under no lock and no hazard.
//
// State: two words and the closure.
//   `published` is 0, or the address of an object with the value, to which the memo has the one reference.
//   `users` counts who may use the closure: the memo itself, until there is a value, and those who are
//   computing.
//
// Invariants:
//  1. `published` changes once, from 0, and the object is constant. So who has found it reads it as long as
//     it holds the memo, without any count or hazard.
//  2. The closure is read only by who has counted itself in, which nobody can from 0. Who counts down to 0
//     releases it: one thread, when no other one is using it.
//  3. The one that has published counts itself and the memo out. So `users` is 0 only if there is a value;
//     and the closure stays as long as there is none.
//  4. Whatever hangs on a memo that goes, and may be as long as one likes, goes through the ReleaseQueue: its
//     value and its closure.
//
// Orderings: publishing releases the value, and whoever looks acquires it. Counting in needs none: the
// closure stands there since the memo was made, and who has the memo has seen that. Counting out releases the
// uses of the closure to who comes last and releases it, and releases `published` to who finds 0 there and
// looks again. All of them are sequentially consistent, but for the look, which acquires.

/// A value that is computed on demand, once, and remembered.
@usableFromInline
final class Memo<Value: Sendable>: @unchecked Sendable {  // by the invariants above
  @usableFromInline var publishedWord: UInt64
  @usableFromInline var usersWord: UInt64
  /// Serialised by `users`, not by checks at run time.
  @exclusivity(unchecked) @usableFromInline var closure: (@Sendable () -> Value)?

  /// A value that `closure` makes. Threads that ask at the same time may all call it. It must not ask for the
  /// value itself: that would be a recursion without end.
  @inlinable
  init(_ closure: @escaping @Sendable () -> Value) {
    publishedWord = 0
    usersWord = 1
    self.closure = closure
  }

  /// A value that is known.
  @inlinable
  init(known value: Value) {
    publishedWord = Remembered(value).given()
    usersWord = 0
    closure = nil
  }

  @inlinable
  deinit {
    // Asked of the word: what is generic in here is not specialised, and slow to find out.
    if users.loadRelaxed() != 0 { Leftover.release(boxOfClosure()) }
    Leftover.release(published.loadAcquire())
  }

  /// The closure, alone in an object. A function of its own: nothing else may keep the closure when that
  /// object is released.
  @inlinable
  func boxOfClosure() -> UInt64 {
    guard let closure = closure.take() else { return 0 }
    return Remembered(closure).given()
  }

  @inlinable var published: AtomicWord { AtomicWord(property: 0, of: self) }
  @inlinable var users: AtomicWord { AtomicWord(property: 1, of: self) }

  /// The value, computed now if it is not known.
  @inlinable var value: Value { remembered ?? compute() }

  /// The value, if it is known.
  @inlinable var remembered: Value? { Remembered.value(at: published.loadAcquire()) }

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

  /// For who is counted in: the address of an object with a new value.
  @inlinable
  func evaluate() -> UInt64 { Remembered(closure.unsafelyUnwrapped()).given() }

  /// Counts the caller out, and the memo too, if that is to be.
  @inlinable
  func leave(_ count: UInt64) { if users.subtract(count) == count { closure = nil } }
}

/// A value in an object of its own, of which somebody has the address.
@usableFromInline
final class Remembered<Value>: Leftover {
  @usableFromInline let value: Value
  @inlinable init(_ value: Value) { self.value = value }

  /// The value in the object at an address that somebody else owns, or nil if there is none.
  @inlinable
  static func value(at address: UInt64) -> Value? {
    guard let object = UnsafeRawPointer(bitPattern: UInt(address)) else { return nil }
    return Unmanaged<Remembered>.fromOpaque(object)._withUnsafeGuaranteedRef { $0.value }
  }
}
