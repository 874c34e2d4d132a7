// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// The examples of GettingStarted.md in Weir.docc, so that they compile and do what they say.
struct GettingStartedTests {
  struct Reading: Sendable, Equatable {
    var sensor: String
    var celsius: Double
  }

  private let readings = Subject<Reading, Never>()

  @Sendable private static func check(_ reading: Reading) throws -> Reading {
    if reading.celsius < -273.15 { throw Oops() }
    return reading
  }

  private func send(_ degrees: Double...) {
    for celsius in degrees { readings.send(Reading(sensor: "boiler", celsius: celsius)) }
  }

  private var alarms: Signal<String, Never> {
    readings
      .filter { $0.celsius > 80 }
      .map { "\($0.sensor) has \($0.celsius) degrees" }
  }

  @Test("article for beginners: the first pipeline delivers alarms until it is disposed")
  func pipeline() {
    let printed = Box<[String]>([])
    let subscription = alarms.subscribe { printed.value.append($0) }
    send(20, 93)
    subscription.dispose()
    send(94)
    #expect(printed.value == ["boiler has 93.0 degrees"])
  }

  @Test("article for beginners: an invalid reading fails the tryMap chain, and the compactMap chain drops it")
  func errors() {
    let checked = Recorder(readings.tryMap { reading in try Self.check(reading) })
    let usable = Recorder(readings.compactMap { reading in try? Self.check(reading) })
    send(1, -300, 2)
    #expect(checked.values.map(\.celsius) == [1])
    #expect(checked.completion != nil)
    #expect(usable.values.map(\.celsius) == [1, 2])
    usable.dispose()
  }

  private enum SensorError: Error, Equatable { case impossible(celsius: Double) }

  @Sendable private static func plausible(_ reading: Reading) throws(SensorError) -> Reading {
    if reading.celsius < -273.15 { throw .impossible(celsius: reading.celsius) }
    return reading
  }

  @Test("article for beginners: closures of a signal that can fail throw its error, which they name")
  func typedErrors() {
    let failing = readings.setFailureType(to: SensorError.self)
    let plausible = readings.setFailureType(to: SensorError.self)
      .map { reading throws(SensorError) in
        if reading.celsius < -273.15 { throw .impossible(celsius: reading.celsius) }
        return reading
      }
    let (mapped, called) = (Recorder(plausible), Recorder(failing.map(Self.plausible)))
    let looked = Recorder(
      failing.doNext { reading throws(SensorError) in
        if reading.celsius > 3 { throw .impossible(celsius: reading.celsius) }
      })
    send(1, -300, 2)
    for recorder in [mapped, called] {
      #expect(recorder.values.map(\.celsius) == [1])
      #expect(recorder.completion == .failed(.impossible(celsius: -300)))
    }
    send(4)
    #expect(looked.values.count == 3 && looked.completion == .failed(.impossible(celsius: 4)))
  }

  @Test(
    "article for beginners: caught inside of the flatMap a failure skips one reading; behind it, it ends all")
  func caughtInside() async {
    let (attempts, skipped) = (Box<[Double]>([]), Box<[Double]>([]))
    let store = { @Sendable (reading: Reading) async throws in
      attempts.value.append(reading.celsius)
      _ = try Self.check(reading)
    }
    let signal = Signal<Reading, Never>([1, -300, 2].map { Reading(sensor: "boiler", celsius: $0) })
    let stored = signal.flatMap(.concat) { reading in
      Signal.task { try await store(reading) }
        .retry(upTo: 2)
        .doFailed { _ in skipped.value.append(reading.celsius) }
        .catch { _ in .empty() }
    }
    #expect(await stored.allValues().count == 2)
    #expect(attempts.value == [1, -300, -300, -300, 2] && skipped.value == [-300])
    let cutOff = signal.setFailureType(to: (any Error).self)
      .flatMap(.concat) { reading in .task { try await store(reading) } }
      .catch { _ in .empty() }
    #expect(await cutOff.allValues().count == 1)
  }

  @Test("article for beginners: values sent before completion are written before the scheduler shuts down")
  func shuttingDown() async {
    let (writer, written) = (SerialScheduler(), Subject<[Reading], Never>())
    let degrees = Box<[Double]>([])
    let batches = readings.collect(within: .milliseconds(100), on: .pool)
    batches.observe(on: writer).doNext { degrees.value += $0.map(\.celsius) }.forward(to: written)
    send(1, 2, 3)
    readings.complete()
    await written.completion()
    #expect(await writer.shutdown(within: .seconds(3_600)).isComplete)
    #expect(degrees.value == [1, 2, 3])
  }

  private actor Database {
    private(set) var stored: [Double] = []
    func store(_ reading: Reading) throws { stored.append(reading.celsius) }
  }

  @Test("article for beginners: tasks store each reading once for two subscribers")
  func tasks() async {
    let (database, done) = (Database(), Subject<Never, Never>())
    let stored = readings.setFailureType(to: (any Error).self)
      .flatMap(.merge(limit: 8)) { reading in .task { try await database.store(reading) } }
      .share()
    for _ in 0..<2 { stored.subscribe(failed: { print($0) }, completed: { done.complete() }) }
    var iterator = alarms.values().makeAsyncIterator()
    send(93, 94)
    #expect(await iterator.next() == "boiler has 93.0 degrees")
    readings.complete()
    await done.completion()
    #expect(await database.stored.sorted() == [93, 94])
  }

  private final class Sensor: Sendable {
    let readings = Subject<Reading, Never>()
    let limit = MutableProperty(80.0)
    private let name = "boiler"

    init(captures: Bool) {
      if captures {
        readings.filter { $0.celsius > 80 }.subscribe { print(self.name, $0.celsius) }
      } else {
        readings.filter { $0.celsius > 80 }.subscribe { [name] in print(name, $0.celsius) }
      }
    }
  }

  @Test(
    "article for beginners: a closure that captures the owner of its source keeps it alive",
    arguments: [false, true])
  func owners(captures: Bool) {
    weak var sensor: Sensor?
    let (limits, hot): (Recorder<Double, Never>, Recorder<Reading, Never>)
    do {
      let new = Sensor(captures: captures)
      sensor = new
      (limits, hot) = (Recorder(new.limit.signal), Recorder(new.readings))
    }
    #expect((sensor != nil) == captures)
    #expect((limits.completion != nil) == !captures)
    #expect(hot.subscription.isDisposed == !captures)
    #expect(hot.events.isEmpty)
    sensor?.readings.complete()
    #expect(sensor == nil)
  }

  private func silence(
    _ readings: Signal<Int, Never>, on scheduler: some TimedScheduler
  ) -> Signal<Int, Never> {
    readings.debounce(.seconds(2), on: scheduler)
  }

  @Test("article for beginners: a test in virtual time")
  func testing() throws {
    let scheduler = VirtualScheduler()
    let source = try ColdSignal<Int, Never>("12--3-|", on: scheduler)
    let recorder = TimedRecorder(silence(source.signal, on: scheduler), on: scheduler)
    scheduler.run()
    #expect(recorder.difference(from: "---2--(3|)") == nil)
  }
}
