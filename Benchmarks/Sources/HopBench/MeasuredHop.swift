// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import Synchronization

/// Takes numbers to another thread or task, in order.
protocol MeasuredStream {
  static var implementation: Implementation { get }
  /// - Parameter receive: called with each number, on the other side.
  init(_ receive: @escaping @Sendable (Int) -> Void)
  /// Sends the numbers below `count`, and then a last one.
  func sendAll(_ count: Int)
  /// Ends what it has started. Called when no number is on its way any more.
  func end()
}

/// A hop into which a thread can send.
protocol MeasuredHop: MeasuredStream {
  /// Sends a number. Called by one thread.
  func send(_ number: Int)
}

extension MeasuredStream {
  func end() {}
}

extension MeasuredHop {
  @inline(never)
  func sendAll(_ count: Int) {
    for number in 0..<count { send(number) }
    send(Arrival.last)
  }
}

/// The last number of a run, and the flag with which the receiver reports that it has arrived.
final class Arrival: Sendable {
  static let last = -1
  private let isHere = Atomic<Bool>(false)

  func report() { isHere.store(true, ordering: .releasing) }

  /// Spins, since a thread that sleeps is woken late.
  func wait() {
    while !isHere.load(ordering: .acquiring) {}
    isHere.store(false, ordering: .relaxed)
  }
}
