// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import Synchronization
public import Weir

extension Signal where Value == Int32, Failure == Never {
  /// The numbers of signals that the system sends to this process, such as `SIGTERM`, or `SIGINT` for Ctrl-C.
  ///
  /// ```swift
  /// Signal.system(SIGINT, SIGTERM).take(first: 1).subscribe { _ in server.stop() }
  /// ```
  ///
  /// As long as somebody listens to a number, what the system would do otherwise, which mostly is to end the process, is switched off. When the
  /// last one has left, it is as it was before. Each subscription listens for itself, and gets all signals from then on; subscribing waits some
  /// microseconds, for the thread of Dispatch that sees to it. Never ends. Of equal signals that come faster than they are
  /// looked at, the system makes one. Some cannot be listened to (`SIGKILL`, `SIGSTOP`), and nothing comes of them.
  ///
  /// Delivered on a queue of its own, one at a time, not in a signal handler: everything may be done there. Nothing is buffered but what
  /// comes while one is being delivered, one of each number.
  ///
  /// ReactiveObjC has no such signal.
  ///
  /// - Parameter numbers: what to listen to.
  /// - Precondition: the system knows them: they are 1 to 64.
  public static func system(_ numbers: Int32...) -> Signal {
    for number in numbers {
      precondition(
        (1...64).contains(number),
        "weir: system(\(number)): there is no such signal; pass one such as SIGTERM")
    }
    return .create { observer in
      let queue = DispatchQueue(label: "weir.system")
      return CompoundDisposable(
        numbers.map { number in
          let listener = SystemListener(number, on: queue) { observer.send(number) }
          return ActionDisposable { listener.stop() }
        })
    }
  }
}

/// Listens to one number.
private final class SystemListener: @unchecked Sendable {  // a source of Dispatch may be used from any thread
  private let number: Int32
  private let source: any DispatchSourceSignal

  init(_ number: Int32, on queue: DispatchQueue, _ action: @escaping @Sendable () -> Void) {
    self.number = number
    source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    let isListening = DispatchSemaphore(value: 0)
    source.setEventHandler(handler: action)
    source.setRegistrationHandler { isListening.signal() }
    SystemActions.shared.begin(number)
    source.resume()
    isListening.wait()
    SystemActions.shared.hasBegun(number)
  }

  func stop() {
    source.cancel()
    SystemActions.shared.end(number)
  }
}

/// What the system does with signals that nobody listens to, while somebody does.
///
/// On Linux, Dispatch installs a handler of its own when a number is listened to for the first time in a process, and leaves it
/// there for good: a program that had once listened to Ctrl-C would ignore it from then on. So that handler is put away with the last listener,
/// and put back for the next one.
private final class SystemActions: Sendable {
  static let shared = SystemActions()

  private struct Entry {
    var listeners = 0
    var original = sigaction()
    var listening: sigaction?
  }

  private let entries = Mutex<[Int32: Entry]>([:])

  /// Before a number is listened to.
  func begin(_ number: Int32) {
    entries.withLock {
      var entry = $0[number] ?? Entry()
      if entry.listeners == 0 {
        sigaction(number, nil, &entry.original)
        if var listening = entry.listening { sigaction(number, &listening, nil) }
      }
      entry.listeners += 1
      $0[number] = entry
    }
  }

  /// When it is.
  func hasBegun(_ number: Int32) {
    entries.withLock {
      if $0[number]?.listening != nil { return }
      var installed = sigaction()
      sigaction(number, nil, &installed)
      $0[number]?.listening = installed
    }
  }

  func end(_ number: Int32) {
    entries.withLock {
      guard var entry = $0[number] else { return }
      entry.listeners -= 1
      if entry.listeners == 0 { sigaction(number, &entry.original, nil) }
      $0[number] = entry
    }
  }
}
