// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

extension Stress.Races {
  /// Schedulers and timers.
  @Suite struct Scheduling {
    /// How long a piece of work takes.
    enum Length { case short, untilReport }

    /// A piece of work that tells what became of it.
    private final class Piece: ScheduledWork {
      let (runs, abandoned) = (Counter(), Counter())
      private let isGoingOn: @Sendable () -> Bool
      init(while isGoingOn: @escaping @Sendable () -> Bool) { self.isGoingOn = isGoingOn }

      func run() {
        while isGoingOn() { weir_yield() }
        runs.add()
      }
      func abandon() { abandoned.add() }
      var isDecided: Bool { runs.value + abandoned.value > 0 }
      var text: String { "run \(runs.value), abandoned \(abandoned.value)" }
    }

    /// A scheduler that is shut down in the race.
    private final class Stage<Target: Scheduler>: Sendable {
      let scheduler: Target
      let piece: Piece
      let report: Place<ShutdownReport>

      init(_ scheduler: Target, _ length: Length = .short) {
        self.scheduler = scheduler
        let report = Place<ShutdownReport>()
        self.report = report
        piece = Piece { length == .untilReport && report.value == nil }
      }

      /// Begins at once, on the calling thread, and waits for the report.
      func end(_ shutdown: @escaping @Sendable (Target) async -> ShutdownReport) {
        Task.immediate { [self] in report.put(await shutdown(scheduler)) }
        while report.value == nil { weir_yield() }
      }

      var text: String {
        while !piece.isDecided { weir_yield() }
        let report = report.value ?? ShutdownReport(notRun: -1, stillRunning: -1)
        return "\(piece.text); report: \(report.notRun) not run, \(report.stillRunning) running"
      }
    }

    @Test("work enqueued during a pool's shutdown is run or abandoned, once")
    func poolShutdown() {
      expectRace(
        setup: { Stage(WorkerPool(threads: 1)) },
        [{ it in it.scheduler.enqueue(it.piece) }, { it in it.end { await $0.shutdown(within: .zero) } }],
        outcome: { it in it.text },
        allowed: [
          "run 1, abandoned 0; report: 0 not run, 0 running": "enqueued before, and run in time",
          "run 1, abandoned 0; report: 0 not run, 1 running": "running at the deadline",
          "run 0, abandoned 1; report: 1 not run, 0 running": "waiting at the deadline",
          "run 0, abandoned 1; report: 0 not run, 0 running": "enqueued after, and refused",
          // A pool counts its busy threads: see ShutdownReport.stillRunning.
          "run 0, abandoned 1; report: 1 not run, 1 running": "the worker was about to begin it",
        ])
    }

    @Test("a report of a pool's shutdown says that no work is running only when none is")
    func poolShutdownMeanwhile() {
      expectRace(
        setup: { Stage(WorkerPool(threads: 1), .untilReport) },
        [{ it in it.scheduler.enqueue(it.piece) }, { it in it.end { await $0.shutdown(within: .zero) } }],
        outcome: { it in it.text },
        allowed: [
          "run 1, abandoned 0; report: 0 not run, 1 running": "running at the deadline",
          "run 0, abandoned 1; report: 1 not run, 0 running": "waiting at the deadline",
          "run 0, abandoned 1; report: 0 not run, 0 running": "enqueued after, and refused",
          // A pool counts its busy threads: see ShutdownReport.stillRunning.
          "run 0, abandoned 1; report: 1 not run, 1 running": "the worker was about to begin it",
        ])
    }

    @Test("a report of a serial scheduler's shutdown says that no work is running only when none is")
    func serialShutdownMeanwhile() {
      expectRace(
        setup: { Stage(SerialScheduler(on: .pool), .untilReport) },
        [{ it in it.scheduler.enqueue(it.piece) }, { it in it.end { await $0.shutdown(within: .zero) } }],
        outcome: { it in it.text },
        allowed: [
          "run 1, abandoned 0; report: 0 not run, 1 running": "running at the deadline",
          "run 0, abandoned 1; report: 1 not run, 0 running": "waiting at the deadline",
          "run 0, abandoned 1; report: 0 not run, 0 running": "enqueued after, and refused",
        ])
    }

    @Test("work enqueued during a serial scheduler's shutdown is run or abandoned, once")
    func serialShutdown() {
      expectRace(
        setup: { Stage(SerialScheduler(on: .pool)) },
        [{ it in it.scheduler.enqueue(it.piece) }, { it in it.end { await $0.shutdown(within: .zero) } }],
        outcome: { it in it.text },
        allowed: [
          "run 1, abandoned 0; report: 0 not run, 0 running": "enqueued before, and run in time",
          "run 1, abandoned 0; report: 0 not run, 1 running": "running at the deadline",
          "run 0, abandoned 1; report: 1 not run, 0 running": "waiting at the deadline",
          "run 0, abandoned 1; report: 0 not run, 0 running": "enqueued after, and refused",
        ])
    }

    @Test("work enqueued before a pool's shutdown with time to spare is run, whatever the pool's worker does")
    func poolShutdownInTime() {
      expectRunInTime({ WorkerPool(threads: 1) }) { await $0.shutdown(within: .seconds(3_600)) }
    }

    @Test("work enqueued before a serial scheduler's shutdown with time to spare is run")
    func serialShutdownInTime() {
      expectRunInTime({ SerialScheduler(on: .pool) }) { await $0.shutdown(within: .seconds(3_600)) }
    }

    /// - Parameter make: makes what is shut down, after work was enqueued, while another thread enqueues as
    ///   well.
    private func expectRunInTime<Target: Scheduler>(
      _ make: @escaping @Sendable () -> Target,
      _ shutdown: @escaping @Sendable (Target) async -> ShutdownReport
    ) {
      expectRace(
        setup: { (stage: Stage(make()), other: Piece { false }) },
        [
          { it in it.stage.scheduler.enqueue(it.other) },
          { it in
            it.stage.scheduler.enqueue(it.stage.piece)
            it.stage.end(shutdown)
          },
        ],
        outcome: { it in it.stage.text },
        allowed: [
          "run 1, abandoned 0; report: 0 not run, 0 running": "there was time for all",
          "run 1, abandoned 0; report: 1 not run, 0 running": "the other one was just being scheduled",
        ])
    }

    /// A piece of work with unprotected state.
    private final class Letter: ScheduledWork, @unchecked Sendable {  // that is the question
      private(set) var fate = Unguarded()
      func run() { fate.touch() }
      func abandon() { fate = Unguarded(-1) }
      var text: String { fate.touches < 0 ? "abandoned" : "run \(fate.touches)" }
    }

    @Test(
      "work enqueued by two threads during shutdown is run or abandoned, also by a thread that did not enqueue it"
    )
    func sharedShutdown() {
      expectRace(
        setup: { (stage: Stage(SerialScheduler(on: .immediate)), letters: (Letter(), Letter())) },
        [
          { it in it.stage.scheduler.enqueue(it.letters.0) },
          { it in it.stage.scheduler.enqueue(it.letters.1) },
          { it in it.stage.end { await $0.shutdown(within: .zero) } },
        ],
        outcome: { it in "\(it.letters.0.text), \(it.letters.1.text)" },
        allowed: [
          "run 1, run 1": "both came before the end",
          "run 1, abandoned": "one of them did",
          "abandoned, run 1": "the other did",
          "abandoned, abandoned": "none did",
        ])
    }

    @Test("I7: a timer disposed as it fires runs once at most and leaves nothing scheduled")
    func timer() {
      expectRace(
        setup: { () -> (time: VirtualScheduler, timer: any Disposable, runs: Counter) in
          let (time, runs) = (VirtualScheduler(), Counter())
          return (time, time.schedule(after: .seconds(1)) { runs.add() }, runs)
        },
        [{ it in it.time.advance(by: .seconds(1)) }, { it in it.timer.dispose() }],
        outcome: { it in "run \(it.runs.value), waiting \(it.time.waitingCount)" },
        allowed: [
          "run 1, waiting 0": "it fired first",
          "run 0, waiting 0": "it was taken back first",
        ])
    }

    @Test("a repeating timer disposed as it fires does not run afterwards and leaves nothing scheduled")
    func repetition() {
      expectRace(
        setup: { () -> (time: VirtualScheduler, timer: any Disposable, runs: Counter) in
          let (time, runs) = (VirtualScheduler(), Counter())
          return (time, time.schedule(every: .seconds(1)) { runs.add() }, runs)
        },
        [{ it in it.time.advance(by: .seconds(2)) }, { it in it.timer.dispose() }],
        outcome: { it in
          let during = it.runs.value
          it.time.advance(by: .seconds(9))
          return "run \(during) and \(it.runs.value - during), waiting \(it.time.waitingCount)"
        },
        allowed: [
          "run 0 and 0, waiting 0": "disposed before the first",
          "run 1 and 0, waiting 0": "disposed between them",
          "run 2 and 0, waiting 0": "disposed after both",
        ])
    }
  }
}
