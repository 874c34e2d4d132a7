// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Reference slot
//
// Guarantees: a slot holds one disposable, or none; any thread replaces, reads or closes it, and a reader
// gets a live object, whatever others do with the slot. Nobody waits.
//
// To load an address and then to retain the object there is a use-after-free. So the slot has references in
// stock: a thread that puts an object in retains it `stock` times at once, and a reader is handed one of
// these references by the compare-exchange that validates the address it has read.
//
// State: two words that change together, [handed out: 16 | object: 48] and the object's conformance to
// Disposable. No object is 0; `closed` is 1, and final.
//
// Invariants:
//  1. The slot owns `stock` references to its object, minus those that are handed out: at least one.
//  2. A thread that takes the object out takes over the slot's references: it keeps one, and releases the
//     others.
//  3. A reader that finds half of the stock handed out retains the object that many times, and subtracts as
//     many from the count: these references then belong to the slot. If the slot holds another object by
//     then, or fewer references are handed out, it releases them again. The object may also have been taken
//     out and put back in (ABA): then its stock is another one, but references to one object are all alike.
//  4. No reader is handed the slot's last reference. A reader finds only that one left if as many threads as
//     half of the stock are stopped between reading and subtracting; it then tries again.
//
// The stock is larger than any number of threads in one slot, and so small that an object can be in about
// 260,000 slots before the runtime's reference count overflows, which traps.
//
// Orderings: sequentially consistent. Putting an object in releases it, and reading it or taking it out
// acquires it.

/// A disposable that is replaced by some threads while others read it.
struct ReferenceSlot {
  private static var closed: UInt64 { 1 }
  private static var handedOut: UInt64 { 1 << 48 }
  static var stock: UInt64 { 1 << 12 }

  private let first: AtomicWord
  private let second: AtomicWord

  /// - Parameter owner: a native object whose first two stored properties are the words of this slot, zero at
  ///   first.
  init(firstPropertiesOf owner: AnyObject) {
    // Native objects are 16-byte aligned, and these words are behind their header of 16 bytes.
    first = AtomicWord(property: 0, of: owner)
    second = AtomicWord(property: 1, of: owner)
  }

  var isClosed: Bool { first.load() == Self.closed }

  /// The result of an attempt to put something in.
  enum Swap {
    case previous((any Disposable)?)
    case closed
  }

  /// Puts `disposable` in and returns what was there, unless the slot is closed.
  func swap(_ disposable: (any Disposable)?) -> Swap {
    let new = Contents(stocking: disposable)
    if let old = takeOut(puttingIn: new) { return .previous(old.only()) }
    _ = new.only()
    return .closed
  }

  /// Closes the slot: nothing can be put in from now on. Returns what was there; nil, too, if it was closed
  /// before.
  func close() -> (any Disposable)? { takeOut(puttingIn: Contents(Self.closed, 0))?.only() }

  /// The disposable in the slot; nil if there is none.
  func read() -> (any Disposable)? {
    while true {
      let seen = Contents(first.load(), second.load())
      guard let object = seen.object else { return nil }
      guard seen.handedOut < Self.stock - 1,
        replace(seen, by: Contents(seen.first &+ Self.handedOut, seen.second))
      else { continue }
      if seen.handedOut >= Self.stock / 2 { restock(object) }
      return seen.reference()
    }
  }

  /// For the owner's deinit: returns what is there.
  func takeLast() -> (any Disposable)? { Contents(first.load(), second.load()).only() }

  /// Puts `new` in and takes over the slot's references to what was there; nil if it is closed.
  private func takeOut(puttingIn new: Contents) -> Contents? {
    while true {
      let old = Contents(first.load(), second.load())
      if old.first == Self.closed { return nil }
      if replace(old, by: new) { return old }
    }
  }

  private func replace(_ old: Contents, by new: Contents) -> Bool {
    weir_compare_exchange_seq_cst_pair(first.address, old.first, old.second, new.first, new.second)
  }

  /// Restores half of the stock, for a reader that was just handed a reference.
  private func restock(_ object: UnsafeMutableRawPointer) {
    let count = Self.stock / 2
    weir_retain(object, UInt32(count))
    while true {
      let now = Contents(first.load(), 0)
      guard now.object == object, now.handedOut >= count else {
        return weir_release(object, UInt32(count))
      }
      if first.compareExchange(now.first, now.first &- count &* Self.handedOut) { return }
    }
  }

  /// The two words, and what they stand for.
  private struct Contents {
    let first: UInt64
    let second: UInt64

    init(_ first: UInt64, _ second: UInt64) {
      self.first = first
      self.second = second
    }

    /// Contents with new references. A disposable is the address of an object and that of its conformance.
    init(stocking disposable: (any Disposable)?) {
      // In a nil disposable only the first word is defined.
      let words = unsafeBitCast(disposable, to: (first: UInt64, second: UInt64).self)
      self.init(words.first, words.first == 0 ? 0 : words.second)
      if let object { weir_retain(object, UInt32(ReferenceSlot.stock)) }
    }

    var handedOut: UInt64 { first / ReferenceSlot.handedOut }

    var object: UnsafeMutableRawPointer? {
      let address = first % ReferenceSlot.handedOut
      return address == ReferenceSlot.closed ? nil : UnsafeMutableRawPointer(bitPattern: UInt(address))
    }

    /// The disposable, with one of the references that the caller owns.
    func reference() -> (any Disposable)? {
      guard let object else { return nil }
      var words = (UInt64(UInt(bitPattern: object)), second)
      return withUnsafeMutableBytes(of: &words) {
        $0.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: (any Disposable)?.self).move()
      }
    }

    /// For a thread that has taken over the slot's references: returns one, and releases the others.
    func only() -> (any Disposable)? {
      if let object, handedOut < ReferenceSlot.stock - 1 {
        weir_release(object, UInt32(ReferenceSlot.stock - 1 - handedOut))
      }
      return reference()
    }
  }
}
