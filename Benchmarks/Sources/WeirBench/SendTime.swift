// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import CBenchSupport
import Synchronization

/// `send-time-p50/N`, `send-time-p99/N`: how long a single send takes while N threads send into one subject
/// with four subscribers, as in `contended/N`, which shows the average of all. It includes the time of a look
/// at the clock.
///
/// A thread that happens to deliver does so for the others as well, and one that waits for a mutex may lose
/// it to others again and again: an average shows neither.
///
/// One send of sixty-four is timed: looking at the clock takes as long as several sends, and a thread that
/// does so does not meet the others meanwhile.
enum SendTime {
  static let senderCounts = [2, 4]
  private static let untimed = 63

  static var scenarios: TimedScenarios {
    var scenarios = TimedScenarios()
    for senders in senderCounts {
      add(WeirSubject.self, senders, to: &scenarios)
      add(CopySubject.self, senders, to: &scenarios)
      add(InsideSubject.self, senders, to: &scenarios)
      add(SnapshotSubject.self, senders, to: &scenarios)
      add(OpenCombineSubject.self, senders, to: &scenarios)
    }
    return scenarios
  }

  private static func add<S: MeasuredSubject>(_: S.Type, _ senders: Int, to scenarios: inout TimedScenarios) {
    scenarios.add("send-time", "\(senders)", S.implementation) { times(S.self, senders, $0) }
  }

  private static func times<S: MeasuredSubject>(_: S.Type, _ senders: Int, _ operations: Int) -> [Int] {
    let counters = ThreadCounters(subscribers: Contended.subscriberCount, threads: senders)
    let subject = S()
    let tokens = (0..<Contended.subscriberCount).map { subject.subscribe(countingInto: counters.first($0)) }
    // As in `contended/N`: a thread that is still alive has sent before, so the subject will belong to none
    // of those that are measured.
    emitIndexLoop(subject, 0, 2 * Contended.batch)
    counters.reset()
    let (period, sent) = (Period(operations: operations), SentCounts(threads: senders))
    let all = Mutex<[Int]>([])
    withExtendedLifetime(tokens) {
      _ = measureConcurrently(threads: senders) { thread in
        var times: [Int] = []
        let rounds = period.repeat {
          emitIndexLoop(subject, thread, untimed)
          times.append(timeOfOne(subject, thread))
        }
        all.withLock { $0 += times }
        return sent.note(rounds * (untimed + 1), of: thread)
      }
    }
    counters.verify("send-time/\(senders) \(S.implementation.name)", subscribers: Contended.subscriberCount) {
      sent[$0] * S.mark
    }
    return all.withLock { $0 }
  }

  @inline(never)
  private static func timeOfOne<S: MeasuredSource>(_ subject: S, _ thread: Int) -> Int {
    let start = bench_monotonic_ns()
    subject.send(thread)
    return Int(bench_monotonic_ns() - start)
  }
}
