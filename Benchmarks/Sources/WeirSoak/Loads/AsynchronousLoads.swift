// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc
import Weir
import WeirTesting

/// Timers: half of them fire, half are cancelled; and operators that use timers.
struct Timers: Load {
  func turn(_ number: Int, _ tally: Tally) {
    for _ in 0..<4 {
      tally.begin {
        WorkerPool.shared.schedule(after: .milliseconds(1)) { [token = tally.resources.make()] in
          _ = token
          tally.end()
        }
      }
      WorkerPool.shared.schedule(after: .seconds(3_600)) { [token = tally.resources.make()] in _ = token }
        .dispose()
    }
    let source = Subject<Int, Never>()
    let token = tally.resources.make()
    let subscriptions = [
      source.debounce(.milliseconds(1), on: .pool).subscribe { _ in _ = token },
      source.delay(.milliseconds(1), on: .pool, waiting: .bounded(8, onOverflow: .dropOldest))
        .subscribe { _ in _ = token },
      source.collect(within: .seconds(9), on: .pool).subscribe { _ in _ = token },
    ]
    for value in 0..<10 { source.send(value) }
    if number % 2 == 0 { source.complete() }
    for subscription in subscriptions { subscription.dispose() }
    tally.events.add(14)
  }
}

/// Values that change threads, more of them than the bound allows to wait.
struct Hops: Load {
  private let scheduler = SerialScheduler()

  func turn(_ number: Int, _ tally: Tally) {
    let source = Subject<Int, Never>()
    let done = Counter()
    let count = number % 2 == 0 ? 100 : 5_000
    source.observe(on: scheduler, waiting: .bounded(512, onOverflow: .dropOldest)).subscribe(
      next: { [token = tally.resources.make()] _ in _ = token }, completed: { done.add() })
    let cut = source.observe(on: .pool, waiting: .bounded(64, onOverflow: .dropNewest))
      .subscribe { [token = tally.resources.make()] _ in _ = token }
    for value in 0..<count { source.send(value) }
    cut.dispose()
    source.complete()
    while done.value == 0 { sched_yield() }
    tally.events.add(count)
  }
}

/// A command that all threads execute and that mostly refuses; and in each turn one of its own, which ends or
/// is released.
struct Commands: Load {
  private let contended = Command<Int, Int, Never> { .just($0) }

  func turn(_ number: Int, _ tally: Tally) {
    let token = tally.resources.make()
    for _ in 0..<10 {
      contended.execute(number).subscribe(next: { _ in _ = token }, failed: { _ in _ = token })
    }
    let work = Subject<Int, Never>()
    let command = Command<Int, Int, Never> { [token = tally.resources.make()] _ in
      work.doNext { _ in _ = token }
    }
    command.executions.flatten().subscribe { _ in _ = token }
    command.execute(1).subscribe(next: { _ in _ = token }, failed: { _ in })
    work.send(1)
    if number % 2 == 0 { work.complete() }
    tally.events.add(12)
  }
}

/// Tasks that wait for a command and are cancelled before it begins, while it works, or after it has ended.
struct Tasks: Load {
  func turn(_ number: Int, _ tally: Tally) {
    tally.begin {
      let work = Subject<Int, Never>()
      let command = Command<Int, Int, Never> { [token = tally.resources.make()] _ in
        work.doNext { _ in _ = token }
      }
      let task = Task { [token = tally.resources.make()] in
        _ = try? await command.run(number)
        _ = token
        tally.end()
      }
      if number % 3 == 0 { task.cancel() }
      for _ in 0..<(number % 5) { sched_yield() }
      work.send(1)
      if number % 3 == 1 { task.cancel() }
      work.complete()
      task.cancel()
    }
    tally.events.add()
  }
}

/// Threads that live for one value, and pools that live for one piece of work.
struct Threads: Load {
  private let subject = Subject<Int, Never>()

  func turn(_ number: Int, _ tally: Tally) {
    withThreads(1) { [subject] _ in
      let subscription = subject.subscribe { [token = tally.resources.make()] _ in _ = token }
      subject.send(number)
      subscription.dispose()
    }
    let pool = WorkerPool(threads: 1)
    let done = Counter()
    pool.schedule { [token = tally.resources.make()] in
      _ = token
      done.add()
    }
    while done.value == 0 { sched_yield() }
    tally.events.add(2)
  }
}
