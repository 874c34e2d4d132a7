// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import Weir

extension Signal where Value == Int32, Failure == Never {
  /// The numbers of signals that the system sends to this process, such as `SIGTERM`, or `SIGINT` for Ctrl-C.
  ///
  /// ```swift
  /// Signal.system(SIGINT, SIGTERM).take(first: 1).subscribe { _ in server.stop() }
  /// ```
  ///
  /// As long as somebody listens to a number, what would happen otherwise, which mostly is that the process
  /// ends, is switched off; also if that was a handler. When the last one has left, it is as it was before.
  /// Whoever installs a handler meanwhile, or makes a source of Dispatch, has the signals from then on; a
  /// source of the same number that was there before takes some of them away. Each subscription listens for
  /// itself, and gets all signals that come once it has begun. Never ends. Of equal signals that come faster
  /// than they are looked at, one is made; while all threads block a number, it waits with the system.
  ///
  /// Delivered on a queue of the subscription's own, one at a time, not in a signal handler: everything may
  /// be done there. Nothing is buffered but what comes while one is being delivered, one of each number. The
  /// first subscription of a process starts a thread, which stays and mostly sleeps.
  ///
  /// What the system does with a number is one for the whole process. So subscribing and disposing take a
  /// lock, which that thread takes, too, to hand out what has come: here, unlike elsewhere in Weir, they may
  /// wait for another thread. No code of users runs under that lock.
  ///
  /// ReactiveObjC has no such signal.
  ///
  /// - Parameter numbers: what to listen to.
  /// - Precondition: the system knows them, and a process can live with them: they are 1 to 64, without those
  ///   that cannot be caught (`SIGKILL`, `SIGSTOP`), those that say that the instruction at hand cannot go on
  ///   (`SIGSEGV`, `SIGBUS`, `SIGFPE`, `SIGILL`, `SIGTRAP`), and the two that the C library needs (32 and
  ///   33).
  public static func system(_ numbers: Int32...) -> Signal {
    for number in numbers { SystemListeners.check(number) }
    return .create { observer in
      let listener = SystemListener(to: Set(numbers), observer)
      SystemListeners.shared.add(listener)
      return ActionDisposable { SystemListeners.shared.remove(listener) }
    }
  }
}
