// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Where the errors of executions are delivered. Serialised: a process has one handler of unhandled errors.
@Suite(.serialized) struct CommandErrorTests {
  typealias Held = Command<Subject<Int, Oops>, Int, Oops>

  @Test("K7: an error is delivered by the returned signal and by errors, not by executions")
  func error() {
    let command = Command { (_: Int) in Signal<Int, Oops>([1]).concat(Signal.fail(Oops(code: 9))) }
    let inner = Box<[Recorder<Int, Never>]>([])
    command.executions.subscribe { inner.value.append(Recorder($0)) }
    let errors = Recorder(command.errors)
    let answer = Recorder(command.execute(0))
    guard case .failed(.failed(let error)) = answer.events.last else {
      Issue.record("\(answer.events)")
      return
    }
    #expect(error == Oops(code: 9) && answer.values == [1])
    #expect(errors.events == [.next(Oops(code: 9))])
    #expect(inner.value.map(\.events) == [[.next(1), .completed]])
  }

  @Test("an error of a command says why that refused, or what the work failed with, and not both")
  func parts() {
    let isOn = MutableProperty(false)
    let command = Command(enabledIf: isOn) { Signal<Int, Oops>.fail(Oops(code: 9)) }
    let refused = Recorder(command.execute()).completion?.error
    #expect(refused?.refusal == .disabled && refused?.failure == nil)
    isOn.value = true
    let failed = Recorder(command.execute()).completion?.error
    #expect(failed?.failure == Oops(code: 9) && failed?.refusal == nil)
    #expect(CommandError<Int, Int, Oops>.cancelled.refusal == nil)
  }

  @Test(
    "K8 AC63: errors delivers, as values in order, errors of executions begun before it was subscribed to")
  func begunBefore() {
    let command = Held(concurrency: .unlimited) { $0.signal }
    let inner = Box<[Recorder<Int, Never>]>([])
    let executions = command.executions.subscribe { inner.value.append(Recorder($0)) }
    let (first, second, third) = (Subject<Int, Oops>(), Subject<Int, Oops>(), Subject<Int, Oops>())
    for work in [first, second, third] { command.execute(work) }
    let errors = Recorder(command.errors)
    second.fail(Oops(code: 2))
    third.complete()
    first.fail(Oops(code: 1))
    #expect(errors.events == [.next(Oops(code: 2)), .next(Oops(code: 1))])
    #expect(inner.value.map(\.events) == [[.completed], [.completed], [.completed]])
    #expect(!executions.isDisposed)
    #expect(Recorder(command.errors).events.isEmpty)
  }

  @Test("an error that neither errors nor the returned signal delivers is reported as unhandled, once")
  func unhandled() async {
    await #expect(processExitsWith: .success) {
      let command = Command { (input: Int) in Signal<Int, Oops>.fail(Oops(code: input)) }
      command.executions.subscribe { $0.subscribe() }
      #expect(reports { command.execute(4_001) } == [Oops(code: 4_001)])
    }
  }

  @Test("a received error is not reported as unhandled; one in a retained signal is, once that is released")
  func handled() async {
    await #expect(processExitsWith: .success) {
      let command = Command { (input: Int) in Signal<Int, Oops>.fail(Oops(code: input)) }
      let kept = Box<Signal<Int, CommandError<Int, Int, Oops>>?>(nil)
      #expect(
        reports {
          command.execute(4_002).subscribe(failed: { _ in })
          kept.value = command.execute(4_003)
        }.isEmpty)
      #expect(reports { kept.value = nil } == [Oops(code: 4_003)])
      let errors = Recorder(command.errors)
      #expect(reports { command.execute(4_004) }.isEmpty)
      #expect(errors.values == [Oops(code: 4_004)])
    }
  }

  @Test(
    "K7: an error that is not delivered because the scheduler is shut down is reported as unhandled, once")
  func givenUp() async {
    await #expect(processExitsWith: .success) {
      let scheduler = QueuedScheduler()
      let command = Command(concurrency: .unlimited, on: scheduler) { (work: Subject<Int, Oops>) in
        work.signal
      }
      let errors = Recorder(command.errors)
      let work = Subject<Int, Oops>()
      command.execute(work)
      scheduler.runAll()
      scheduler.stop()
      #expect(reports { work.fail(Oops(code: 4_005)) } == [Oops(code: 4_005)])
      #expect(errors.events.isEmpty && !command.isExecuting)
    }
  }
}

/// The errors reported as unhandled in `body`. For a process of its own, as other tests set the handler, too.
private func reports(_ body: () -> Void) -> [Oops] {
  let reports = Box<[Oops]>([])
  UnhandledErrors.setHandler { report in
    if let error = report.error as? Oops { reports.value.append(error) }
  }
  body()
  UnhandledErrors.setHandler(UnhandledErrors.printOncePerSite)
  return reports.value
}
