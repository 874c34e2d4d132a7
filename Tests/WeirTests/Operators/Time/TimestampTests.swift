// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// timestamp, measureInterval, take(for:) and skip(for:).
struct TimestampTests {
  let scheduler = VirtualScheduler()
  let subject = Subject<Int, Oops>()

  /// Sends at 2, 3 and 7 seconds.
  private func send() {
    for (value, pause) in [2, 1, 4].enumerated() {
      scheduler.advance(by: .seconds(pause))
      subject.send(value)
    }
  }

  @Test("timestamp adds to each value the time at which it arrived")
  func timestamp() {
    let recorder = Recorder(subject.timestamp(on: scheduler))
    send()
    #expect(recorder.values.map(\.value) == [0, 1, 2])
    #expect(recorder.values.map(\.instant.elapsed) == [2, 3, 7].map { .seconds($0) })
    recorder.dispose()
  }

  @Test("measureInterval adds to each value the time since the one before it, or since the subscription")
  func measureInterval() {
    let signal = subject.measureInterval(on: scheduler)
    let recorder = Recorder(signal)
    scheduler.advance(by: .seconds(1))
    let later = Recorder(signal)
    send()
    #expect(recorder.values.map(\.value) == [0, 1, 2])
    #expect(recorder.values.map(\.interval) == [3, 1, 4].map { .seconds($0) })
    #expect(later.values.map(\.interval) == [2, 1, 4].map { .seconds($0) })
    recorder.dispose()
    later.dispose()
  }

  @Test("take(for:) stops the source and completes on the scheduler when the time is over")
  func takeFor() {
    let log = Box<[String]>([])
    subject.on(disposed: { log.value.append("stopped") }).take(for: .seconds(3), on: scheduler).subscribe(
      next: { log.value.append("\($0)") }, failed: { _ in },
      completed: { [scheduler] in log.value.append(Schedulers.current === scheduler ? "completed" : "") })
    send()
    #expect(log.value == ["0", "stopped", "completed"])
    #expect(!scheduler.step())
  }

  @Test("take(for:) completes when a source sends nothing, and forwards a failure before the time is over")
  func takeForEnds() {
    let silent = Recorder(Signal<Int, Oops>.never().take(for: .seconds(3), on: scheduler))
    scheduler.run()
    #expect(silent.events == [.completed])
    let failing = Recorder(subject.take(for: .seconds(3), on: scheduler))
    subject.fail(Oops())
    #expect(failing.events == [.failed(Oops())])
    #expect(!scheduler.step())
  }

  @Test("skip(for:) drops values until the time is over, and forwards a completion before that")
  func skipFor() {
    let recorder = Recorder(subject.skip(for: .seconds(3), on: scheduler))
    send()
    subject.complete()
    #expect(recorder.events == [.next(1), .next(2), .completed])
    let ended = Recorder(Signal<Int, Oops>.just(1).skip(for: .seconds(3), on: scheduler))
    #expect(ended.events == [.completed])
    #expect(!scheduler.step())
  }
}
