// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import Glibc
import Weir

/// A subject observed on a serial scheduler, on the threads of the pool.
struct WeirPoolHop: MeasuredHop {
  static var implementation: Implementation { .weirPool }
  private let subject = Subject<Int, Never>()

  init(_ receive: @escaping @Sendable (Int) -> Void) {
    subject.observe(on: SerialScheduler(), waiting: .unbounded).subscribe { receive($0) }
  }

  @inline(__always) func send(_ number: Int) { subject.send(number) }
}

/// A subject observed on a thread that spins.
struct WeirSpinningHop: MeasuredHop {
  static var implementation: Implementation { .weirSpinning }
  private let subject = Subject<Int, Never>()

  init(_ receive: @escaping @Sendable (Int) -> Void) {
    let pool = WorkerPool(threads: 1, idling: .spinning)
    subject.observe(on: pool, waiting: .unbounded).subscribe { receive($0) }
  }

  @inline(__always) func send(_ number: Int) { subject.send(number) }
}

/// A subject observed on a thread of its own.
struct WeirThreadHop: MeasuredHop {
  static var implementation: Implementation { .weirThread }
  private let subject = Subject<Int, Never>()
  private let thread = ThreadScheduler()

  init(_ receive: @escaping @Sendable (Int) -> Void) {
    subject.observe(on: thread, waiting: .unbounded).subscribe { receive($0) }
  }

  @inline(__always) func send(_ number: Int) { subject.send(number) }
  func end() { thread.stop() }
}

/// `hop/range`: the numbers are made in a loop, and go straight into the hop.
@inline(never)
func rangeLoop(on thread: ThreadScheduler, _ cell: Cell, _ arrival: Arrival, _ count: Int) {
  Signal<Int, Never>.range(0..<count).observe(on: thread, waiting: .unbounded)
    .subscribe(next: { cell.add($0) }, completed: { arrival.report() })
}

/// A serial scheduler on a thread that sleeps when there is nothing to do.
final class ThreadScheduler: Scheduler, @unchecked Sendable {
  // Unchecked: `waiting` is guarded by the mutex, which is the obvious way to write this.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var waiting: [any ScheduledWork] = []
  private var isStopped = false
  private var thread: Thread?

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
    thread = Thread { [self] in work() }
  }

  deinit {
    mutex.deallocate()
    condition.deallocate()
  }

  func enqueue(_ work: any ScheduledWork) {
    pthread_mutex_lock(mutex)
    waiting.append(work)
    pthread_mutex_unlock(mutex)
    pthread_cond_signal(condition)
  }

  private func work() {
    pthread_mutex_lock(mutex)
    while true {
      if let next = waiting.popLast() {
        pthread_mutex_unlock(mutex)
        performAsCurrent { next.run() }
        pthread_mutex_lock(mutex)
      } else if isStopped {
        break
      } else {
        pthread_cond_wait(condition, mutex)
      }
    }
    pthread_mutex_unlock(mutex)
  }

  func stop() {
    pthread_mutex_lock(mutex)
    isStopped = true
    pthread_mutex_unlock(mutex)
    pthread_cond_signal(condition)
    thread?.join()
    thread = nil
  }
}
