// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc

/// Ctrl-C and SIGTERM. They are blocked, so that they do not interrupt anything halfway, until the program
/// asks whether one has arrived. One that the program was started to ignore, as a shell does for a job in the
/// background, stays ignored: blocked, it would arrive all the same.
enum StopSignal {
  private static let all = {
    var signals = sigset_t()
    for signal in [SIGINT, SIGTERM] {
      var action = sigaction()
      sigaction(signal, nil, &action)
      let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: UInt.self)
      if handler != unsafeBitCast(SIG_IGN, to: UInt.self) { sigaddset(&signals, signal) }
    }
    return signals
  }()

  static func keepBack() {
    var signals = all
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// The exit status if one has arrived, or arrives within `nanoseconds`. Later calls return it as well.
  static func status(waiting nanoseconds: Int = 0) -> Int32? {
    var (signals, pause) = (all, timespec(tv_sec: 0, tv_nsec: nanoseconds))
    let signal = sigtimedwait(&signals, nil, &pause)
    guard signal > 0 else { return nil }
    raise(signal)
    return 128 + signal
  }
}
