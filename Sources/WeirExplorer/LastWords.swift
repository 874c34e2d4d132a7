// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc

// What a crashing run leaves behind: the schedule that led to the crash. Set during a search; only one search
// runs at a time.

private nonisolated(unsafe) var running: (name: UnsafeMutablePointer<CChar>?, schedule: Schedule)?

/// Writes the schedule of the current run to standard error when the process is about to die.
enum LastWords {
  static func prepare(_ name: String, _ schedule: Schedule) {
    running = (strdup(name), schedule)
    _ = installed
  }

  static func forget() {
    free(running?.name)
    running = nil
  }

  private static let installed: Void = {
    let death = dlsym(nil, "__sanitizer_set_death_callback").map {
      unsafeBitCast($0, to: (@convention(c) (@convention(c) () -> Void) -> Void).self)
    }
    // The signals that a sanitizer does not handle.
    var signals = [SIGILL, SIGTRAP, SIGABRT]
    if let death { death { say() } } else { signals += [SIGSEGV, SIGBUS, SIGFPE] }
    for number in signals {
      signal(number) { number in
        say()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }()

  /// Allocates nothing, since the process may have crashed anywhere.
  private static func say() {
    guard let (name, schedule) = running else { return }
    running = nil
    put("\nweir: crashed in the explorer; repeat it with WEIR_EXPLORE_REPLAY='")
    if let name { write(STDERR_FILENO, name, strlen(name)) }
    put("@")
    schedule.write { byte in
      var byte = byte
      write(STDERR_FILENO, &byte, 1)
    }
    put("'\n")
  }

  private static func put(_ text: StaticString) {
    write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
  }
}
