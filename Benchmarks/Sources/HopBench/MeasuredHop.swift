// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import Synchronization

/// A way for many numbers to get somewhere else, in order.
protocol MeasuredStream {
  static var implementation: Implementation { get }
  /// - Parameter receive: called with each number, somewhere else.
  init(_ receive: @escaping @Sendable (Int) -> Void)
  /// Sends the numbers up to `count`, and the last one.
  func sendAll(_ count: Int)
  /// Ends what it has begun, once nothing is on its way any more.
  func end()
}

/// One into which a thread can send.
protocol MeasuredHop: MeasuredStream {
  /// By one thread.
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

/// The last number of a run, and how the receiver says that it has come.
final class Arrival: Sendable {
  static let last = -1
  private let isHere = Atomic<Bool>(false)

  func report() { isHere.store(true, ordering: .releasing) }

  /// Spins: a thread that sleeps is woken late.
  func wait() {
    while !isHere.load(ordering: .acquiring) {}
    isHere.store(false, ordering: .relaxed)
  }
}
