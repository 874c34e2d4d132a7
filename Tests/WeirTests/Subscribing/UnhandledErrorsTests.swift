// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Glibc
import Testing
import WeirTesting

@testable import Weir

/// A source that the test sends to.
private func observed(by held: Held<Oops>) -> Signal<Int, Oops> {
  .create { observer in
    held.value = observer
    return nil
  }
}

/// Errors that no subscriber receives. The handler is one for the process, so each test has a process of its
/// own.
struct UnhandledErrorsTests {
  /// What is reported while `body` runs, which returns the line that should be blamed.
  private static func reports(_ body: () -> Int) -> (got: [String], expected: String) {
    let reports = Box<[String]>([])
    UnhandledErrors.setHandler { reports.value.append("\($0.error) \($0.fileID) \($0.line)") }
    let line = body()
    return (reports.value, "Oops(code: 1) \(#fileID) \(line)")
  }

  // Outside of the macro: its expansion has lines of its own.
  private static func failSignal() -> Int {
    Signal<Int, Oops>.fail(Oops(code: 1)).subscribe()
    return #line - 1
  }

  private static func failObserver() -> Int {
    let observer = Observer<Int, Oops>(next: { _ in })
    Signal<Int, Oops>.fail(Oops(code: 1)).forward(to: observer)
    return #line - 2
  }

  @Test("a failure that a subscriber has no closure for reaches the handler, with the location of subscribe")
  func handler() async {
    await #expect(processExitsWith: .success) {
      let reports = UnhandledErrorsTests.reports(UnhandledErrorsTests.failSignal)
      #expect(reports.got == [reports.expected])
    }
  }

  @Test(
    "a failure that an observer has no closure for reaches the handler, with the location of its initializer")
  func observer() async {
    await #expect(processExitsWith: .success) {
      let reports = UnhandledErrorsTests.reports(UnhandledErrorsTests.failObserver)
      #expect(reports.got == [reports.expected])
    }
  }

  @Test("the report has the last name given in the run that ends in the subscriber, or none")
  func named() async {
    await #expect(processExitsWith: .success) {
      let names = Box<[String?]>([])
      UnhandledErrors.setHandler { names.value.append($0.name) }
      let failing = Signal<Int, Oops>.fail(Oops())
      failing.subscribe()
      failing.named("orders").subscribe()
      failing.named("inner").map { $0 }.named("outer").subscribe()
      failing.catch { _ in failing.named("second") }.subscribe()
      failing.named("upstream").merge(with: failing).subscribe()
      #expect(names.value == [nil, "orders", "outer", "second", nil])
    }
  }

  @Test(
    "a failure that observe(on:) loses in a shutdown is reported with the source's name, or the receiver's")
  func namedHops() async {
    await #expect(processExitsWith: .success) {
      let names = Box<[String?]>([])
      UnhandledErrors.setHandler { names.value.append($0.name) }
      let scheduler = QueuedScheduler()
      let failing = Signal<Int, Oops>.fail(Oops())
      for signal in [
        failing.observe(on: scheduler), failing.named("source").observe(on: scheduler),
        failing.observe(on: scheduler).named("receiver"),
        failing.named("source").observe(on: scheduler).named("receiver"),
      ] { signal.subscribe(next: { _ in }, failed: { _ in names.value.append("received") }) }
      scheduler.stop()
      #expect(names.value == [nil, "source", "receiver", "source"])
    }
  }

  @Test("an unhandled failure of a hot signal is reported once per subscriber, on the thread that fails it")
  func hot() async {
    await #expect(processExitsWith: .success) {
      let threads = Box<[UInt64]>([])
      UnhandledErrors.setHandler { _ in threads.value.append(weir_thread()) }
      let subject = Subject<Int, Oops>()
      for _ in 0..<3 { subject.map { $0 }.subscribe() }
      withThreads(1) { _ in
        subject.fail(Oops())
        #expect(threads.value == [weir_thread(), weir_thread(), weir_thread()])
      }
    }
  }

  @Test("neither a failure that is received nor a completion reaches the handler")
  func handled() async {
    await #expect(processExitsWith: .success) {
      let (reports, failures) = (Counter(), Counter())
      UnhandledErrors.setHandler { _ in reports.add() }
      Signal<Int, Oops>.fail(Oops()).subscribe(failed: { _ in failures.add() })
      Signal<Int, Oops>.empty().subscribe()
      Signal<Int, Oops>.fail(Oops()).forward(to: Observer(failed: { _ in failures.add() }))
      #expect((reports.value, failures.value) == (0, 2))
    }
  }

  @Test("a failure sent to an observer that has ended reaches the handler, and not the subscriber")
  func afterTheEnd() async {
    await #expect(processExitsWith: .success) {
      let reports = Box<[Oops]>([])
      UnhandledErrors.setHandler { report in
        if let error = report.error as? Oops { reports.value.append(error) }
      }
      let recorder = Recorder(
        Signal<Int, Oops>.create { observer in
          observer.complete()
          observer.fail(Oops(code: 3))
          return nil
        })
      #expect(recorder.events == [.completed])
      #expect(reports.value == [Oops(code: 3)])
    }
  }

  @Test("a failure that is queued behind a completion reaches the handler")
  func queuedBehindTheEnd() async {
    await #expect(processExitsWith: .success) {
      let reports = Counter()
      UnhandledErrors.setHandler { _ in reports.add() }
      let held = Held<Oops>(nil)
      let source = observed(by: held)
      let recorder = Recorder(
        source.doNext { _ in
          held.value?.complete()
          held.value?.fail(Oops())
        })
      held.value?.send(1)
      #expect(recorder.events == [.next(1), .completed])
      #expect(reports.value == 1)
      held.value = nil
    }
  }

  @Test("a failure that a source sends when it is disposed is not reported, even during its own delivery")
  func failingClean() async {
    await #expect(processExitsWith: .success) {
      let reports = Counter()
      UnhandledErrors.setHandler { _ in reports.add() }
      let held = Held<Oops>(nil)
      let source = observed(by: held)
      source.on(disposed: { held.value?.fail(Oops(code: 1)) }).take(first: 1).subscribe(failed: { _ in })
      held.value?.send(1)
      let run = source.on(disposed: { held.value?.fail(Oops(code: 2)) }).subscribe(failed: { _ in })
      run.dispose()
      #expect(reports.value == 0)
    }
  }

  @Test("a failure that is queued when its run is disposed, or behind a terminal event, reaches the handler")
  func waitingAtDisposal() async {
    await #expect(processExitsWith: .success) {
      let reports = Box<[Int]>([])
      UnhandledErrors.setHandler { report in
        if let error = report.error as? Oops { reports.value.append(error.code) }
      }
      // During a delivery.
      let endings: [@Sendable (Observer<Int, Oops>, Subscription) -> Void] = [
        { observer, run in
          observer.fail(Oops(code: 1))
          run.dispose()
        },
        { observer, run in
          observer.complete()
          run.dispose()
          observer.fail(Oops(code: 2))
        },
        { observer, run in
          observer.fail(Oops(code: 3))
          run.dispose()
          observer.fail(Oops(code: 4))
        },
        { observer, run in
          run.dispose()
          observer.complete()
          observer.fail(Oops(code: 5))
        },
      ]
      for end in endings {
        let (held, run) = (Held<Oops>(nil), Subscription())
        let source = observed(by: held)
        run.add(
          source.subscribe(
            next: { _ in if let observer = held.value { end(observer, run) } }, failed: { _ in }))
        held.value?.send(1)
        held.value = nil
      }
      #expect(reports.value == [1, 2, 3, 4])
    }
  }

  @Test("sites whose keys share a slot are distinguished, whatever the keys are")
  func keys() async {
    await #expect(processExitsWith: .success) {
      let state = UnhandledErrors.State()
      let keys: [UInt64] = [2_047, .max, 2_047, .max]
      #expect(keys.map { state.isFirst($0) } == [true, true, false, false])
    }
  }

  @Test("a failure that a source sends after its run was disposed is dropped, however the run was disposed")
  func afterDisposal() async {
    await #expect(processExitsWith: .success) {
      UnhandledErrors.setHandler { fatalError("reported: \($0.error)") }
      let (held, run) = (Held<Oops>(nil), Subscription())
      let source = Signal<Int, Oops>.create { observer in
        held.value = observer
        return ActionDisposable { observer.fail(Oops(code: 1)) }
      }
      source.subscribe(failed: { _ in }).dispose()
      held.value?.fail(Oops(code: 2))
      // Disposed downstream.
      source.take(first: 1).subscribe(failed: { _ in })
      held.value?.send(1)
      held.value?.fail(Oops(code: 3))
      // Sent during a delivery, and queued behind it.
      run.add(
        source.subscribe(
          next: { _ in
            run.dispose()
            held.value?.fail(Oops(code: 4))
          }, failed: { _ in }))
      held.value?.send(1)
      // Disposed before it has begun.
      let ended = Observer<Int, Oops>(failed: { _ in })
      ended.complete()
      source.forward(to: ended)
      held.value?.fail(Oops(code: 5))
      held.value = nil
    }
  }

  @Test(
    "by default the first error of each type, location and name is printed on standard error, in one line")
  func printing() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      for code in 0..<3 { Signal<Int, Oops>.fail(Oops(code: code)).subscribe() }
      UnhandledErrors.report(Oops(code: 7), fileID: "Other/Place.swift", line: 12)
      UnhandledErrors.report(Oops(code: 8), fileID: "Other/Place.swift", line: 12)
      UnhandledErrors.report(CancellationError(), fileID: "Other/Place.swift", line: 12)
      UnhandledErrors.report(Oops(code: 8), fileID: "Other/Place.swift", line: 13)
      UnhandledErrors.report(Oops(code: 9), in: "orders", fileID: "Other/Place.swift", line: 13)
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    let lines = text.split(separator: "\n").filter { $0.contains("weir:") }
    #expect(lines.count == 5)
    #expect(lines.first?.contains("UnhandledErrorsTests.swift") == true)
    #expect(lines.first?.contains("Oops(code: 0) (nothing receives it there, such as failed: of") == true)
    #expect(lines.dropFirst().first?.contains("Other/Place.swift:12: Oops(code: 7)") == true)
    #expect(lines.last?.contains("in orders at Other/Place.swift:13: Oops(code: 9)") == true)
  }

  @Test("an error after the end has a location in Weir, but each named run still prints its first one")
  func printingNames() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      for name in ["orders", "orders", "prices"] {
        let run = Subscription()
        let source = Subject<Int, Oops>()
        let failing = source.named(name).map { (_) throws(Oops) -> Int in
          run.dispose()
          throw Oops(code: 5)
        }
        run.add(failing.subscribe(failed: { _ in }))
        source.send(1)
      }
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    let lines = text.split(separator: "\n").filter { $0.contains("weir:") }
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("weir: unhandled error in orders at Weir/") == true)
    #expect(lines.last?.hasPrefix("weir: unhandled error in prices at Weir/") == true)
    #expect(
      lines.allSatisfy {
        $0.hasSuffix("on a scheduler that was shut down; more of this type from there are not printed)")
      }
    )
  }

  @Test("the default handler can be restored")
  func backToDefault() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      UnhandledErrors.setHandler { _ in }
      UnhandledErrors.report(Oops(code: 1), fileID: "A/a.swift", line: 1)
      UnhandledErrors.setHandler(UnhandledErrors.printOncePerSite)
      UnhandledErrors.report(Oops(code: 2), fileID: "A/a.swift", line: 1)
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(text.contains("Oops(code: 2)"))
    #expect(!text.contains("Oops(code: 1)"))
  }

  @Test(
    "errors on several threads all reach a handler while handlers are replaced, and old handlers are released"
  )
  func replacedWhileReporting() async {
    await #expect(processExitsWith: .success) {
      let reports = Counter()
      let resources = Resources()
      UnhandledErrors.setHandler { _ in reports.add() }
      withThreads(4) { index in
        for _ in 0..<500 {
          if index == 0 {
            UnhandledErrors.setHandler { [token = resources.make()] _ in
              _ = token
              reports.add()
            }
          } else {
            UnhandledErrors.report(Oops())
          }
        }
      }
      #expect(reports.value == 1_500)
      #expect(resources.alive == 1)
    }
  }

  @Test("of several threads that report from one location, one prints")
  func printedOnce() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      withThreads(4) { _ in
        for line: UInt in 1...50 { UnhandledErrors.report(Oops(), fileID: "A/a.swift", line: line) }
      }
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(text.split(separator: "\n").filter { $0.contains("A/a.swift:") }.count == 50)
  }

  @Test("the printed line is one line, whatever the description of the error or the name contains")
  func oneLine() async {
    struct Remote: Error, CustomStringConvertible {
      let description = "one\nweir: forged\u{1b}[0m\u{2028}é"
    }
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      UnhandledErrors.report(Remote(), in: "a\nb", fileID: "A/a.swift", line: 1)
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(
      text.contains(#"unhandled error in a\nb at A/a.swift:1: one\nweir: forged\u{1b}[0m\u{2028}é (its"#)
        || text.contains(
          #"unhandled error in a\nb at A/a.swift:1: one\nweir: forged\u{1b}[0m\u{2028}é (nothing"#)
    )
  }

  @Test("a report does not stop a process whose standard error nobody reads any more")
  func brokenPipe() async {
    await #expect(processExitsWith: .exitCode(7)) {
      var ends: [Int32] = [0, 0]
      #expect(pipe(&ends) == 0 && dup2(ends[1], 2) == 2)
      close(ends[1])
      close(ends[0])
      UnhandledErrors.report(Oops(), fileID: "A/a.swift", line: 1)
      // Nor is the signal left behind, or the mask changed.
      var (pending, mask) = (sigset_t(), sigset_t())
      sigpending(&pending)
      pthread_sigmask(SIG_BLOCK, nil, &mask)
      let isClean = sigismember(&pending, SIGPIPE) == 0 && sigismember(&mask, SIGPIPE) == 0
      _exit(isClean ? 7 : 1)
    }
  }

  @Test("setting a handler returns the previous one, which can be set again")
  func previousHandler() async {
    await #expect(processExitsWith: .success) {
      let reports = Box<[String]>([])
      UnhandledErrors.setHandler { _ in reports.value.append("first") }
      let first = UnhandledErrors.setHandler { _ in reports.value.append("second") }
      UnhandledErrors.report(Oops())
      UnhandledErrors.setHandler(first)
      UnhandledErrors.report(Oops())
      #expect(reports.value == ["second", "first"])
    }
  }

  @Test("an unhandled error describes itself in one line, with the name of its run and the place")
  func description() {
    let error = UnhandledError(error: Oops(code: 3), name: "a\nb", fileID: "App/x.swift", line: 12)
    #expect("\(error)" == #"unhandled error in a\nb at App/x.swift:12: Oops(code: 3)"#)
    #expect(
      "\(UnhandledError(error: Oops(code: 3), line: 7))" == "unhandled error at \(#fileID):7: Oops(code: 3)")
  }
}
