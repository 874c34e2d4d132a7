// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Older loads
//
// A load need not return the value that was stored last: the memory model lets it return any value that is
// not older than one that the thread has seen, itself or by an acquire. This type records, for each word that
// a run has accessed, the values that it has had, and for each thread how far it has seen them. So it knows
// which values a load may return, and one of these is chosen.
//
// Every value that was stored with release carries what its writer had seen: a thread that acquires the value
// has seen that as well. A read-modify-write reads the newest value, and the value that it writes also
// carries what that value carried. Sequentially consistent operations are ordered like the steps of the run:
// such a load returns nothing older than the last such access of the word did. (The model allows other orders
// than that of the run. Most are the runs of other schedules; not those in which such a load, after it has
// read a relaxed store, returns something older than the run has.) After a process fence, all threads have
// seen everything that was stored before it.
//
// The value that a store or a read-modify-write has left in a word is read at the next step. If a word has
// another value than it was left with, it was initialized again by plain stores: then there are no older
// values.

/// The values that loads of a run may return.
final class OlderLoads {
  /// How far a thread has seen each word: the number of the oldest value that a load may return there.
  private typealias View = [UInt: Int]

  private struct Value {
    let bits: UInt64
    /// What the writer of the value had seen, which threads that acquire the value have then seen.
    let carried: View
  }

  private struct Place {
    var values: [Value]
    /// The oldest value that sequentially consistent loads may return.
    var sequential = 0
  }

  private var places: [UInt: Place] = [:]
  private var views: [View]
  private var unsettled: (lane: Int, operation: AtomicOperation, address: UInt)?
  private var operations: [UnsafePointer<CChar>: AtomicOperation] = [:]

  init(threads: Int) { views = Array(repeating: [:], count: threads) }

  /// Prepares for a run.
  func clear() {
    places.removeAll(keepingCapacity: true)
    for lane in views.indices { views[lane].removeAll(keepingCapacity: true) }
    unsettled = nil
  }

  /// Called when a thread is about to access a word.
  ///
  /// - Parameter choose: called with the number of values that a load may return, if there are several;
  ///   returns how many of them are newer than the one that the load returns.
  /// - Returns: what the load returns, if it is not the value in the word.
  func step(_ lane: Int, _ name: UnsafePointer<CChar>, _ pointer: UnsafeRawPointer, choose: (Int) -> Int)
    -> UInt64?
  {
    settle()
    let operation = operations[name] ?? AtomicOperation(String(cString: name))
    operations[name] = operation
    if operation.kind == .fence {
      showAll()
      return nil
    }
    let address = UInt(bitPattern: pointer)
    for word in operation.words(at: address) { note(word, operation.size) }
    guard operation.kind == .load else {
      unsettled = (lane, operation, address)
      return nil
    }
    return load(lane, operation, address, choose)
  }

  private func showAll() {
    let newest = places.mapValues { $0.values.count - 1 }
    for lane in views.indices { views[lane] = newest }
  }

  /// Makes sure that the newest recorded value of a word is the one in the word.
  private func note(_ address: UInt, _ size: Int) {
    let bits = peek(address, size)
    if places[address]?.values.last?.bits == bits { return }
    places[address] = Place(values: [Value(bits: bits, carried: [:])])
    for lane in views.indices { views[lane][address] = nil }
  }

  private func peek(_ address: UInt, _ size: Int) -> UInt64 {
    UnsafeRawPointer(bitPattern: address).map { weir_peek($0, size) } ?? 0
  }

  private func load(_ lane: Int, _ operation: AtomicOperation, _ address: UInt, _ choose: (Int) -> Int)
    -> UInt64?
  {
    guard let place = places[address] else { return nil }
    let newest = place.values.count - 1
    var oldest = min(newest, views[lane][address] ?? 0)
    if operation.isSequential { oldest = max(oldest, place.sequential) }
    let age = oldest == newest ? 0 : choose(newest - oldest + 1)
    let found = newest - age
    views[lane][address] = found
    if operation.acquires { see(place.values[found].carried, lane) }
    if operation.isSequential { places[address]?.sequential = found }
    return age == 0 ? nil : place.values[found].bits
  }

  private func see(_ view: View, _ lane: Int) { views[lane].merge(view) { max($0, $1) } }

  /// Records the value that the last operation that may write has left.
  private func settle() {
    guard let (lane, operation, address) = unsettled else { return }
    unsettled = nil
    let written = operation.words(at: address).filter { touch($0, lane, operation) }
    // After all words of a pair are touched: a thread that acquires one of them has seen the other.
    for word in written { publish(word, lane, operation) }
  }

  /// Records that an operation that may write has seen the newest value. Returns whether it has written.
  private func touch(_ address: UInt, _ lane: Int, _ operation: AtomicOperation) -> Bool {
    guard let last = places[address]?.values.last, let count = places[address]?.values.count else {
      return false
    }
    if operation.kind != .store, operation.acquires { see(last.carried, lane) }
    // A compare-exchange that leaves the same value is taken for one that failed: then it released nothing.
    let isWritten = operation.kind != .compareExchange || peek(address, operation.size) != last.bits
    views[lane][address] = isWritten ? count : count - 1
    if operation.isSequential { places[address]?.sequential = isWritten ? count : count - 1 }
    return isWritten
  }

  private func publish(_ address: UInt, _ lane: Int, _ operation: AtomicOperation) {
    guard let last = places[address]?.values.last else { return }
    var carried = operation.kind == .store ? [:] : last.carried
    if operation.releases { carried.merge(views[lane]) { max($0, $1) } }
    places[address]?.values.append(Value(bits: peek(address, operation.size), carried: carried))
  }
}

/// An operation of the shim, as its name describes it.
private struct AtomicOperation {
  enum Kind { case load, store, readModifyWrite, compareExchange, fence }

  let kind: Kind
  let isSequential, acquires, releases: Bool
  let size: Int
  private let isPair: Bool

  init(_ name: String) {
    kind =
      switch name {
      case "process_fence": .fence
      case _ where name.hasPrefix("load"): .load
      case _ where name.hasPrefix("store"): .store
      case _ where name.hasPrefix("compare_exchange"): .compareExchange
      default: .readModifyWrite
      }
    isSequential = name.contains("_seq_cst")
    acquires = isSequential || name.contains("_acq")
    releases = isSequential || ["_rel_", "_release", "_asymmetric"].contains { name.contains($0) }
    size = name.hasSuffix("u32") ? 4 : 8
    isPair = name.hasSuffix("pair")
  }

  /// The words that it accesses.
  func words(at address: UInt) -> [UInt] { isPair ? [address, address + 8] : [address] }
}
