// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import CBenchSupport
import Glibc
import Weir
@_spi(Benchmarks) import WeirTesting

/// Runs a mixed load on four threads for the given number of seconds. Prints once a second what is in memory,
/// one JSON object per line, which perf/soak judges.
@main
struct WeirSoak {
  static let threads = 4

  private static let usage = """
    usage: WeirSoak SECONDS [--leak]
    Runs a mixed load on four threads for this many seconds, at least one. Prints once a second what is in memory, one
    JSON object per line, which perf/soak judges. Exits with 70 if an object of the load is left at the end.
      --leak   leak subscriptions: then that must happen, twenty seconds after the end
    """

  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.contains("--help") || arguments.contains("-h") {
      print(usage)
      return flushOutput()
    }
    guard let options = Options(arguments) else {
      fail("needs a number of seconds from 1 on, and takes only --leak; see WeirSoak --help", status: 64)
    }
    let left = whileRunning(options)
    // Everything was disposed, ended or released: when the last timers have fired, nothing may be left but
    // what a process creates only once. There is no notification of that; checking every 10 ms leaves the
    // processors to the timers.
    let patience = ContinuousClock.now + .seconds(20)
    while left.alive > 0, ContinuousClock.now < patience { usleep(10_000) }
    tell(Sample(at: options.seconds, resources: left, events: 0), phase: "end")
    if let problem = left.problem { fail("\(problem)", status: 70) }
  }

  /// Returns the counter of all objects that the load has created.
  private static func whileRunning(_ options: Options) -> Resources {
    _ = RuntimeMemory.blocks  // They are counted from now on.
    let tally = Tally()
    let loads = options.loads
    let start = ContinuousClock.now
    withThreads(threads + 1) { index in
      if index < threads {
        var turn = index
        while !tally.isOver {
          loads[turn % loads.count].turn(turn, tally)
          turn += threads + 1
        }
      } else {
        for second in 0...options.seconds {
          // A sample each second, by the clock. The sleeps leave the processors to the load.
          while start.duration(to: .now) < .seconds(second) { usleep(20_000) }
          tell(Sample(at: second, resources: tally.resources, events: tally.events.value), phase: "load")
        }
        tally.stop()
      }
    }
    return tally.resources
  }

  private static func tell(_ sample: Sample, phase: String) {
    print(sample.json(phase: phase))
    flushOutput()  // Otherwise a pipe would get several lines at once, and late.
  }

  static func fail(_ message: String, status: Int32) -> Never {
    bench_print_error("WeirSoak: \(message)")
    exit(status)
  }
}

/// What to run.
private struct Options {
  let seconds: Int
  let loads: [any Load]

  init?(_ arguments: some Collection<String>) {
    guard let first = arguments.first, let seconds = Int(first), seconds > 0 else { return nil }
    self.seconds = seconds
    let usual: [any Load] = [
      HotSources(), Histories(), States(), Combining(), Switching(), Shared(), Timers(), Hops(), Commands(),
      Tasks(), Threads(),
    ]
    switch Array(arguments.dropFirst()) {
    case []: loads = usual
    case ["--leak"]: loads = usual + [Forgotten()]
    default: return nil
    }
  }
}
