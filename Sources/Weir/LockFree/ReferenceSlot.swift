// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Reference slot
//
// Guarantees: a slot with one disposable in it, or none, that any thread replaces, reads, or closes; who reads it gets a living object,
// whatever others do with the slot. Nobody waits. Replacing is one operation, which counts no references: the slot owns one, which passes
// from hand to hand.
//
// State: two words that change together, [readers: 16 | object: 48] and what makes a disposable of the object (its conformance). No
// object is 0; `closed` is 1, and final.
//
// To read is to enter among the `readers` in the step that reads the object, to retain the object, and to strike out one reader.
//
// Invariants:
//  1. Who takes an object out gets the slot's reference, and retains the object once more for each reader that stands there in that
//     moment, before it gives up any. So it lives as long as somebody has entered and has not retained it yet.
//  2. A reader that comes to strike itself out and finds another object, or this one without readers, has been paid for by (1), and
//     releases one reference.
//  3. It may be that the object was taken out and put back in meanwhile, and that the reader strikes out one who came later. Then that
//     one finds no reader to strike out, and releases what was retained for the first: references to one object are all alike, and so
//     are its readers.
//  4. As long as somebody has entered the object lives, so its address is not that of another object, and its conformance is the same.
//
// There is room for 65,535 readers, which are as many threads stopped in between.
//
// Orderings: sequentially consistent. Putting in releases the object, and entering or taking it out acquires it.

/// A disposable that is replaced by some threads while others read it.
struct ReferenceSlot {
  private static var closed: UInt64 { 1 }
  private static var reader: UInt64 { 1 << 48 }

  private let first: AtomicWord
  private let second: AtomicWord

  /// - Parameter owner: a native object whose first two stored properties are the words of this slot, zero at first.
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

  /// Puts `disposable` in and answers what was there, unless the slot is closed.
  func swap(_ disposable: (any Disposable)?) -> Swap {
    let new = Contents(owning: disposable)
    guard let old = takeOut(puttingIn: new) else {
      _ = new.owned()
      return .closed
    }
    return .previous(old.owned())
  }

  /// From now on nothing can be put in. Answers what was there; nil, too, if it was closed before.
  func close() -> (any Disposable)? { takeOut(puttingIn: Contents(Self.closed, 0))?.owned() }

  /// What is there.
  func read() -> (any Disposable)? {
    while true {
      let seen = Contents(first.load(), second.load())
      guard let object = seen.object else { return nil }
      guard replace(seen, by: Contents(seen.first &+ Self.reader, seen.second)) else { continue }
      _ = object.retain()
      if !strikeOut(object) { object.release() }
      return seen.owned()
    }
  }

  /// For the owner's deinit: lets go of what is there.
  func destroy() { _ = Contents(first.load(), second.load()).owned() }

  /// Takes over the slot's reference; nil if the slot is closed.
  private func takeOut(puttingIn new: Contents) -> Contents? {
    while true {
      let old = Contents(first.load(), second.load())
      if old.first == Self.closed { return nil }
      guard replace(old, by: new) else { continue }
      for _ in 0..<old.readers { _ = old.object?.retain() }
      return old
    }
  }

  private func replace(_ old: Contents, by new: Contents) -> Bool {
    weir_compare_exchange_seq_cst_pair(first.address, old.first, old.second, new.first, new.second)
  }

  /// False if somebody else has paid for a reader of this object.
  private func strikeOut(_ object: Unmanaged<AnyObject>) -> Bool {
    while true {
      let seen = Contents(first.load(), 0)
      if seen.readers == 0 || seen.object?.toOpaque() != object.toOpaque() { return false }
      if first.compareExchange(seen.first, seen.first &- Self.reader) { return true }
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

    /// Takes over a new reference. A disposable is the address of an object and that of its conformance.
    init(owning disposable: (any Disposable)?) {
      guard let object = disposable else {
        self.init(0, 0)
        return
      }
      _ = Unmanaged.passRetained(object as AnyObject)
      let words = unsafeBitCast(disposable, to: (UInt64, UInt64).self)
      self.init(words.0, words.1)
    }

    var readers: UInt64 { first / ReferenceSlot.reader }

    var object: Unmanaged<AnyObject>? {
      let address = first % ReferenceSlot.reader
      if address <= ReferenceSlot.closed { return nil }
      return UnsafeRawPointer(bitPattern: UInt(address)).map(Unmanaged.fromOpaque)
    }

    /// Gives the reference that these words own to the caller.
    func owned() -> (any Disposable)? {
      guard let object else { return nil }
      var words = (UInt64(UInt(bitPattern: object.toOpaque())), second)
      return withUnsafeMutableBytes(of: &words) {
        $0.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: (any Disposable)?.self).move()
      }
    }
  }
}
