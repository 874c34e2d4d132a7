// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// Tasks that run when the test says so, on the thread of the test, each until it is suspended.
final class TaskStage: Sendable {
  let scheduler = QueuedScheduler()
  let executor: SchedulerTaskExecutor

  init() { executor = SchedulerTaskExecutor(scheduler) }

  /// Starts a task, and runs it until it is suspended or has ended.
  @discardableResult
  func start<Success: Sendable>(_ body: @escaping @Sendable () async -> Success) -> Task<Success, Never> {
    let task = Task(executorPreference: executor) { await body() }
    run()
    return task
  }

  /// Runs the tasks that can continue.
  func run() { scheduler.runAll() }
}

/// One iteration of the values of a signal, and what came of it.
final class Iteration<Value: Sendable, Failure: Error>: @unchecked Sendable {  // used by one thread at a time
  typealias Iterator = AsyncValues<Value, Failure>.Iterator
  private(set) var iterator: Iterator?
  private(set) var events: [Event<Value, Failure>] = []
  /// How often the next value, or the completion, was requested.
  private(set) var calls = 0

  init(_ values: AsyncValues<Value, Failure>) { iterator = values.makeAsyncIterator() }

  var values: [Value] { events.compactMap { if case .next(let value) = $0 { value } else { nil } } }

  /// Requests the next value.
  func next() async {
    guard var iterator else { return }
    calls += 1
    do throws(Failure) {
      events.append(try await iterator.next(isolation: nil).map { .next($0) } ?? .completed)
    } catch {
      events.append(.failed(error))
    }
  }

  /// Requests values until the completion.
  func finish() async {
    repeat { await next() } while events.last?.completion == nil
  }

  /// Releases the iterator.
  func leave() { iterator = nil }
}
