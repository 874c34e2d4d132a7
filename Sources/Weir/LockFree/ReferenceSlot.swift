// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Reference slot
//
// Guarantees: a slot with one disposable in it, or none, that any thread replaces, reads, or closes; who
// reads it gets a living object, whatever others do with the slot. Nobody waits.
//
// To load an address and then to retain what is there is a use after free. So the slot has references in
// stock: who puts an object in retains it `stock` times at once, and who reads is handed one of them by the
// same operation that reads the address.
//
// State: two words that change together, [handed out: 16 | object: 48] and what makes a disposable of the
// object (its conformance). No object is 0; `closed` is 1, and final.
//
// Invariants:
//  1. The slot owns `stock` references to its object, less those that are handed out. That is at least one.
//  2. Who takes the object out owns what the slot did: it keeps one reference, and gives the others back.
//  3. Who reads when half of the stock is handed out retains that many, and strikes them off: then they are
//     the slot's. If there is another object meanwhile, or not so much of this one is handed out, it releases
//     them again. The object may also have been taken out and put back in: then its stock is another one, but
//     references to one object are all alike.
//  4. Nobody is handed the slot's last reference. With half of the stock handed out, as many threads must be
//     stopped between reading and striking off before a reader finds that; it tries again.
//
// The stock is so large that nobody has as many threads in one slot, and so small that an object can be in
// 200,000 slots before the runtime's count of its references overflows, which traps.
//
// Orderings: sequentially consistent. Putting in releases the object, and reading or taking it out acquires
// it.

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
    // Native objects are at multiples of 16, and these words behind the 16 bytes that each begins with.
    first = AtomicWord(property: 0, of: owner)
    second = AtomicWord(property: 1, of: owner)
  }

  var isClosed: Bool { first.load() == Self.closed }

  /// What became of an attempt to put something in.
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

  /// From now on nothing can be put in. Answers what was there; nil, too, if it was closed before.
  func close() -> (any Disposable)? { takeOut(puttingIn: Contents(Self.closed, 0))?.only() }

  /// What is there.
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

  /// Takes over what the slot owns; nil if it is closed.
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

  /// For who has just been handed a reference to the object.
  private func restock(_ object: UnsafeMutableRawPointer) {
    let count = Self.stock / 2
    swift_retain_n(object, UInt32(count))
    while true {
      let now = Contents(first.load(), 0)
      guard now.object == object, now.handedOut >= count else {
        return swift_release_n(object, UInt32(count))
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

    /// With new references. A disposable is the address of an object and that of its conformance.
    init(stocking disposable: (any Disposable)?) {
      // Nothing at all is nil in one of the two words only.
      let words = unsafeBitCast(disposable, to: (first: UInt64, second: UInt64).self)
      self.init(words.first, words.first == 0 ? 0 : words.second)
      if let object { swift_retain_n(object, UInt32(ReferenceSlot.stock)) }
    }

    var handedOut: UInt64 { first / ReferenceSlot.handedOut }

    var object: UnsafeMutableRawPointer? {
      let address = first % ReferenceSlot.handedOut
      return address == ReferenceSlot.closed ? nil : UnsafeMutableRawPointer(bitPattern: UInt(address))
    }

    /// One of the references that the caller owns.
    func reference() -> (any Disposable)? {
      guard let object else { return nil }
      var words = (UInt64(UInt(bitPattern: object)), second)
      return withUnsafeMutableBytes(of: &words) {
        $0.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: (any Disposable)?.self).move()
      }
    }

    /// For who owns what the slot did: one reference, the others are given back.
    func only() -> (any Disposable)? {
      if let object, handedOut < ReferenceSlot.stock - 1 {
        swift_release_n(object, UInt32(ReferenceSlot.stock - 1 - handedOut))
      }
      return reference()
    }
  }
}
