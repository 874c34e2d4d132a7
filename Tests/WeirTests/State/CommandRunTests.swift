// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Executing a command from a task.
struct CommandRunTests {
  typealias Held = Command<Subject<Int, Oops>, Int, Oops>

  @Test("run returns the last value, or nil if there was none")
  func lastValue() async throws {
    let command = Command { (input: [Int]) in Signal<Int, Oops>(input) }
    #expect(try await command.run([1, 2, 3]) == 3)
    #expect(try await command.run([]) == nil)
    #expect(try await Command { Signal<Int, Oops>.just(4) }.run() == 4)
  }

  @Test("run throws the error of the execution, typed")
  func failure() async {
    let command = Command { (_: Int) in Signal<Int, Oops>.fail(Oops(code: 3)) }
    do {
      _ = try await command.run(0)
      Issue.record("no error")
    } catch {
      guard case .failed(let error) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(error == Oops(code: 3))
    }
  }

  @Test("run throws notEnabled when the command is not enabled")
  func notEnabled() async {
    let command = Command(enabledIf: Signal<Bool, Never>.just(false)) { (_: Int) in Signal<Int, Never>.just(1)
    }
    do {
      _ = try await command.run(8)
      Issue.record("no error")
    } catch {
      guard case .notEnabled(.disabled, let refusing, 8) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(refusing === command)
    }
  }

  /// The outcome of a task that runs `work`. `meanwhile` is called once the work has been subscribed to.
  private func outcome(
    of work: Subject<Int, Oops>, meanwhile: @Sendable (Held, Task<String, Never>) -> Void
  ) async -> String {
    let (starts, hasStarted) = AsyncStream.makeStream(of: Void.self)
    let command = Held { work in
      Signal.attaching { sink in
        work.signal.attach(sink)
        hasStarted.finish()
      }
    }
    let task = Task<String, Never> {
      do { return try await command.run(work).map { "\($0)" } ?? "nil" } catch { return "\(error)" }
    }
    for await _ in starts {}
    meanwhile(command, task)
    return await task.value
  }

  @Test("run waits for work that completes later on another thread")
  func later() async {
    let work = Subject<Int, Oops>()
    let outcome = await outcome(of: work) { _, _ in
      withThreads(1) { _ in
        work.send(1)
        work.send(2)
        work.complete()
      }
    }
    #expect(outcome == "2")
  }

  @Test(
    "run throws at once when its task is cancelled; the execution continues, and executing reports its end")
  func cancelled() async {
    let work = Subject<Int, Oops>()
    let executing = Box<Recorder<Bool, Never>?>(nil)
    let command = Box<Held?>(nil)
    let outcome = await outcome(of: work) {
      command.value = $0
      executing.value = Recorder($0.executing)
      $1.cancel()
    }
    #expect(outcome == "the task that waited for the command was cancelled")
    #expect(command.value?.isExecuting == true && executing.value?.values == [true])
    work.complete()
    #expect(command.value?.isExecuting == false && executing.value?.values == [true, false])
  }

  @Test("run executes the command where the caller runs, as execute does")
  func isolation() async throws {
    actor Ledger {
      func run(_ command: Command<Int, Int, Oops>) async throws -> Int? { try await command.run(1) }
      func run(_ command: Command<Void, Int, Oops>) async throws -> Int? { try await command.run() }
    }
    let ledger = Ledger()
    let command = Command { (value: Int) in
      ledger.assertIsolated()
      return Signal<Int, Oops>.just(value)
    }
    command.executing.skip(first: 1).subscribe { _ in ledger.assertIsolated() }
    #expect(try await ledger.run(command) == 1)
    let asking = Command {
      ledger.assertIsolated()
      return Signal<Int, Oops>.just(2)
    }
    #expect(try await ledger.run(asking) == 2)
  }

  @Test("run in a task that is already cancelled throws and executes nothing")
  func cancelledBefore() async {
    let calls = Counter()
    let command = Command { (_: Int) -> Signal<Int, Never> in
      calls.add()
      return .just(1)
    }
    let task = Task { () -> String in
      withUnsafeCurrentTask { $0?.cancel() }
      do { return "\(String(describing: try await command.run(0)))" } catch { return "\(error)" }
    }
    #expect(await task.value == "the task that waited for the command was cancelled")
    #expect(calls.value == 0)
  }

  @Test("run throws when the work's source is released without a terminal event")
  func abandoned() async {
    let observer = Box<Observer<Int, Oops>?>(nil)
    let (starts, hasStarted) = AsyncStream.makeStream(of: Void.self)
    let command = Command { (_: Int) in
      Signal<Int, Oops>.create {
        observer.value = $0
        hasStarted.finish()
        return nil
      }
    }
    let task = Task { () -> String in
      do { return "\(String(describing: try await command.run(0)))" } catch { return "\(error)" }
    }
    for await _ in starts {}
    observer.value = nil
    #expect(await task.value == "the work ended without a result")
  }

  @Test("errors of a command can be compared, and describe themselves without the input")
  func errors() {
    let command = Command { (_: Int) in Signal<Int, Oops>.never() }
    let other = Command { (_: Int) in Signal<Int, Oops>.never() }
    let errors: [CommandError<Int, Int, Oops>] = [
      .notEnabled(.busy, command: command, input: 123), .notEnabled(.disabled, command: command, input: 123),
      .notEnabled(.busy, command: other, input: 123), .notEnabled(.busy, command: command, input: 4),
      .failed(Oops(code: 1)), .failed(Oops(code: 2)), .interrupted, .cancelled,
    ]
    for (place, error) in errors.enumerated() {
      #expect(errors.indices.filter { errors[$0] == error } == [place])
      #expect(!"\(error)".contains("123"))
    }
    #expect(
      "\(errors[0]); \(errors[1]); \(errors[4])"
        == "the command is busy; the command is disabled; Oops(code: 1)")
  }
}
