// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import Weir

extension Signal where Value == Int32, Failure == Never {
  /// The numbers of signals that the system sends to this process, such as `SIGTERM`, or `SIGINT` for Ctrl-C.
  ///
  /// ```swift
  /// Signal.system(SIGINT, SIGTERM).take(first: 1).subscribe { _ in server.stop() }
  /// ```
  ///
  /// As long as a number has a subscriber, its usual action, which mostly ends the process, is disabled, even
  /// if that was a handler; when the last subscription has ended, it is restored. A handler or a dispatch
  /// source that is installed meanwhile gets the signals from then on; with a dispatch source of the same
  /// number that existed before, such as that of a `ServiceGroup` of swift-service-lifecycle, either may get
  /// them, or none. So one part of a program should listen to a number. In a child that `fork` makes, signals
  /// have their usual effect. Each subscription gets all signals that come after it has started. Never ends.
  /// Equal signals that come faster than they are handled become one; while all threads block a number, it
  /// stays pending in the system.
  ///
  /// Delivered on a queue of the subscription's own, one at a time, not in a signal handler: any code may run
  /// there. Only signals that come while another one is being delivered are buffered, one of each number. The
  /// first subscription of a process starts a thread, which stays and mostly sleeps.
  ///
  /// The whole process has one action for a number. So subscribing and disposing take a lock, which that
  /// thread takes, too, to hand out the signals: here, unlike elsewhere in Weir, they may wait for another
  /// thread. No user code runs under that lock.
  ///
  /// - Parameter numbers: the numbers of the signals.
  /// - Precondition: the numbers are 1 to 64, without those that cannot be caught (`SIGKILL`, `SIGSTOP`),
  ///   those that say that the current instruction cannot continue (`SIGSEGV`, `SIGBUS`, `SIGFPE`, `SIGILL`,
  ///   `SIGTRAP`), and the two that the C library needs (32 and 33).
  ///
  /// ReactiveObjC has no such signal.
  public static func system(_ numbers: Int32...) -> Signal { system(numbers) }

  /// The numbers of signals that the system sends to this process, as by the form with single numbers; here
  /// they are in an array. If that is empty, the signal sends nothing.
  ///
  /// - Parameter numbers: the numbers of the signals.
  /// - Precondition: the numbers are such as that form takes.
  ///
  /// ReactiveObjC has no such signal.
  public static func system(_ numbers: [Int32]) -> Signal {
    for number in numbers { SystemListeners.check(number) }
    return .create { observer in
      let listener = SystemListener(to: Set(numbers), observer)
      SystemListeners.shared.add(listener)
      return ActionDisposable { SystemListeners.shared.remove(listener) }
    }
  }
}
