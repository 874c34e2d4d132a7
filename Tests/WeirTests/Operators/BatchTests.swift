// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// collect(count:) and window(count:): values in batches, as arrays and as signals.
struct BatchTests {
  private typealias Windows = Signal<Signal<Int, Oops>, Oops>
  private let numbers = Signal<Int, Oops>(1...5)

  @Test("collect(count:) sends each array when it is full, and the rest at completion")
  func collect() {
    let pairs = numbers.collect(count: 2)
    for _ in 0..<2 {
      #expect(Recorder(pairs).events == [.next([1, 2]), .next([3, 4]), .next([5]), .completed])
    }
    #expect(Recorder(numbers.collect(count: 5)).events == [.next([1, 2, 3, 4, 5]), .completed])
    #expect(Recorder(numbers.collect(count: .max)).events == [.next([1, 2, 3, 4, 5]), .completed])
    #expect(Recorder(Signal<Int, Oops>.empty().collect(count: 2)).events == [.completed])
    let subject = Subject<Int, Oops>()
    let recorder = Recorder(subject.collect(count: 2))
    subject.send(1)
    #expect(recorder.values == [])
    subject.send(2)
    #expect(recorder.values == [[1, 2]])
  }

  @Test("collect(count:) drops a partial array on failure and on disposal")
  func collectFails() {
    let failing = numbers.concat(Signal<Int, Oops>.fail(Oops()))
    #expect(Recorder(failing.collect(count: 3)).events == [.next([1, 2, 3]), .failed(Oops())])
    #expect(Recorder(numbers.collect(count: 2).take(first: 1)).events == [.next([1, 2]), .completed])
    let subject = Subject<Int, Oops>()
    let recorder = Recorder(subject.collect(count: 2))
    subject.send(1)
    recorder.dispose()
    subject.complete()
    #expect(recorder.events == [])
  }

  /// The log of a subscriber that subscribes to every window.
  private func log(_ windows: Windows) -> [String] {
    let log = Box<[String]>([])
    windows.enumerated().subscribe(
      next: { index, window in
        log.value.append("window \(index)")
        window.subscribe(
          next: { log.value.append("\(index): \($0)") }, failed: { _ in log.value.append("\(index) failed") },
          completed: { log.value.append("\(index) completed") })
      }, failed: { _ in log.value.append("failed") }, completed: { log.value.append("completed") })
    return log.value
  }

  @Test(
    "a window is sent before its first value and completes when full; the open one ends after the outer signal"
  )
  func windows() {
    let windows = numbers.window(count: 2)
    let full = [
      "window 0", "0: 1", "0: 2", "0 completed", "window 1", "1: 3", "1: 4", "1 completed", "window 2",
      "2: 5",
    ]
    for _ in 0..<2 { #expect(log(windows) == full + ["completed", "2 completed"]) }
    #expect(
      log(numbers.concat(Signal<Int, Oops>.fail(Oops())).window(count: 2)) == full + ["failed", "2 failed"])
    #expect(log(numbers.take(first: 4).window(count: 2)) == Array(full.dropLast(2)) + ["completed"])
    #expect(log(Signal<Int, Oops>.empty().window(count: 2)) == ["completed"])
  }

  @Test(
    "a late subscriber of a window receives the rest of its values, or only the completion once it has ended")
  func lateToWindow() {
    let source = Subject<Int, Oops>()
    let windows = Recorder(source.window(count: 2))
    source.send(1)
    let late = windows.values.map { Recorder($0) }
    source.send(2)
    #expect(late.map(\.events) == [[.next(2), .completed]])
    #expect(windows.values.map { Recorder($0).events } == [[.completed]])
  }

  @Test("disposing the outer subscription ends the open window without an event and releases its subscribers")
  func windowCut() {
    let (source, resources) = (Subject<Int, Oops>(), Resources())
    let values = Box<[Int]>([])
    let listen: @Sendable (Signal<Int, Oops>) -> Void = { window in
      window.subscribe(
        next: { [token = resources.make()] value in
          _ = token
          values.value.append(value)
        }, failed: { _ in }, completed: { values.value.append(-1) })
    }
    let outer = source.window(count: 3).subscribe(next: listen, failed: { _ in })
    source.send(1)
    #expect(resources.alive == 1)
    outer.dispose()
    source.send(2)
    source.complete()
    #expect(values.value == [1])
    #expect(resources.alive == 0)

    // The run ends when the second window is sent: that window receives nothing.
    values.value = []
    let other = Subject<Int, Oops>()
    other.window(count: 2).take(first: 2).subscribe(next: listen, failed: { _ in })
    for value in 1...4 { other.send(value) }
    #expect(values.value == [1, 2, -1])
  }

  @Test("disposing the run during the last value of a window ends the window without an event")
  func disposedInLastValue() {
    let source = Subject<Int, Oops>()
    let outer = Box<Subscription?>(nil)
    let log = Box<[Int]>([])
    outer.value = source.window(count: 1).subscribe(
      next: { window in
        window.subscribe(
          next: { value in
            log.value.append(value)
            outer.value?.dispose()
          }, failed: { _ in }, completed: { log.value.append(-1) })
      }, failed: { _ in })
    source.send(1)
    #expect(log.value == [1])
  }

  @Test("window(count:) sends neither a value nor a new window when an upstream closure disposes the run")
  func disposedAbove() {
    let source = Subject<Int, Never>()
    let outer = Box<Subscription?>(nil)
    let log = Box<[Int]>([])
    outer.value = source.map { value in
      if value == 2 { outer.value?.dispose() }
      return value
    }.window(count: 5).subscribe { window in
      window.subscribe { log.value.append($0) }
    }
    for value in 1...3 { source.send(value) }
    #expect(log.value == [1])

    // No window is opened for the value either.
    outer.value = source.doNext { _ in outer.value?.dispose() }.window(count: 5)
      .subscribe { _ in log.value.append(-1) }
    source.send(4)
    #expect(log.value == [1])
  }
}
