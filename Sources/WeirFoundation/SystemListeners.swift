// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirSystem
import Dispatch
import Foundation
import Glibc
import Synchronization
import Weir

/// All listeners to signals of the system, and the previous actions of those signals.
///
/// A dispatch source would do for a listener that lives as long as the process. But on Linux it needs
/// descriptors and waits for ever if there are none left; it never removes its handler; and it hands signals
/// that came for one source to the next one.
///
/// The signal handler notes a number; the thread takes the noted numbers and hands them to the listeners of
/// that time. Adding or removing a listener hands out the noted numbers first, so that no listener gets a
/// signal that was noted before the listener was added.
final class SystemListeners: @unchecked Sendable {
  // Unchecked: `entries` is used under the lock, which is one that ThreadSanitizer understands. No user code
  // runs under it.
  static let shared = SystemListeners()

  private struct Entry {
    var listeners: [SystemListener] = []
    var previous = sigaction()
  }

  private var entries: [Int32: Entry] = [:]
  private let lock = NSLock()

  private init() {
    SystemThread.start(named: "weir-signals") { [unowned self] in
      while true {
        weir_signals_wait()
        lock.withLock { handOut() }
      }
    }
  }

  static func check(_ number: Int32) {
    require(
      (1...64).contains(number),
      "weir: system(\(number)): there is no such signal; pass one such as SIGTERM")
    require(
      ![SIGKILL, SIGSTOP, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, 32, 33].contains(number),
      "weir: system(\(number)): nobody can listen to this signal; pass one such as SIGTERM")
  }

  func add(_ listener: SystemListener) {
    lock.withLock {
      handOut()
      for number in listener.numbers {
        var entry = entries[number] ?? Entry()
        if entry.listeners.isEmpty {
          let isNoted = weir_signal_note(number, &entry.previous)
          require(
            isNoted,
            "weir: system(\(number)): the system does not let this signal be handled (errno \(errno))")
        }
        entry.listeners.append(listener)
        entries[number] = entry
      }
    }
  }

  func remove(_ listener: SystemListener) {
    lock.withLock {
      handOut()
      for number in listener.numbers {
        entries[number]?.listeners.removeAll { $0 === listener }
        guard let entry = entries[number], entry.listeners.isEmpty else { continue }
        withUnsafePointer(to: entry.previous) { weir_signal_leave(number, $0) }
        entries[number] = nil
      }
    }
  }

  private func handOut() {
    for number in SystemNumbers(bits: weir_signals_take()) {
      for listener in entries[number]?.listeners ?? [] { listener.note(number) }
    }
  }
}

/// One subscription. The numbers noted for it are kept in a word; as long as that is not 0, a block that
/// delivers them is in its queue.
final class SystemListener: Sendable {
  let numbers: Set<Int32>
  private let observer: Observer<Int32, Never>
  private let queue = DispatchQueue(label: "weir.system")
  private let noted = Atomic<UInt64>(0)

  init(to numbers: Set<Int32>, _ observer: Observer<Int32, Never>) {
    (self.numbers, self.observer) = (numbers, observer)
  }

  func note(_ number: Int32) {
    let bits = noted.bitwiseOr(SystemNumbers.bit(number), ordering: .acquiringAndReleasing).oldValue
    if bits == 0 { queue.async { self.deliver() } }
  }

  private func deliver() {
    for number in SystemNumbers(bits: noted.exchange(0, ordering: .acquiringAndReleasing)) {
      observer.send(number)
    }
  }
}

/// The numbers of signals in a word, the lowest first: number 1 is bit 0.
private struct SystemNumbers: Sequence, IteratorProtocol {
  var bits: UInt64

  static func bit(_ number: Int32) -> UInt64 { 1 << (number - 1) }

  mutating func next() -> Int32? {
    if bits == 0 { return nil }
    defer { bits &= bits - 1 }
    return Int32(bits.trailingZeroBitCount) + 1
  }
}
