// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import CWeirAtomics
import Glibc

/// The limit: numbers go through a ring of 1,024 places, with one store to append and one to take. Both
/// threads spin, and the sender waits when the ring is full.
struct RingHop: MeasuredHop {
  static var implementation: Implementation { .limit }
  private static var size: UInt64 { 1_024 }
  private let memory = Memory()
  private let thread: Thread

  private final class Memory: @unchecked Sendable {  // each side writes its own words
    let words = weir_block_allocate(8 * (32 + Int(size))).assumingMemoryBound(to: UInt64.self)
    deinit { weir_block_free(words, 8 * (32 + Int(size))) }

    /// Written by the sender: the number of its next place, and the last one of the receiver that it has
    /// read.
    var tail: UnsafeMutablePointer<UInt64> { words }
    var headSeen: UnsafeMutablePointer<UInt64> { words + 8 }
    /// Written by the receiver.
    var head: UnsafeMutablePointer<UInt64> { words + 16 }
    func place(_ number: UInt64) -> UnsafeMutablePointer<UInt64> { words + 32 + Int(number & (size - 1)) }
  }

  init(_ receive: @escaping @Sendable (Int) -> Void) {
    thread = Thread { [memory] in Self.work(memory, receive) }
  }

  @inline(never)
  private static func work(_ memory: Memory, _ receive: (Int) -> Void) {
    var head: UInt64 = 0
    var last = 0
    while last != Arrival.last {
      let tail = weir_load_acquire_u64(memory.tail)
      while head < tail {
        last = Int(truncatingIfNeeded: memory.place(head).pointee)
        receive(last)
        head += 1
      }
      weir_store_release_u64(memory.head, head)
    }
  }

  @inline(__always)
  func send(_ number: Int) {
    let tail = weir_load_relaxed_u64(memory.tail)
    while tail - memory.headSeen.pointee == Self.size {
      memory.headSeen.pointee = weir_load_acquire_u64(memory.head)
    }
    memory.place(tail).pointee = UInt64(truncatingIfNeeded: number)
    weir_store_release_u64(memory.tail, tail + 1)
  }

  func end() {
    send(Arrival.last)
    thread.join()
  }
}

/// The usual form with a receiver that sleeps: numbers go through an array behind a mutex, whose condition
/// variable wakes the receiver when there was nothing to take before.
struct ConditionHop: MeasuredHop {
  static var implementation: Implementation { .limitCondition }
  private let inbox = Inbox()
  private let thread: Thread

  private final class Inbox: @unchecked Sendable {  // `waiting` is guarded by the mutex
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    var waiting: [Int] = []
    var isOver = false

    init() {
      pthread_mutex_init(mutex, nil)
      pthread_cond_init(condition, nil)
    }

    deinit {
      mutex.deallocate()
      condition.deallocate()
    }
  }

  init(_ receive: @escaping @Sendable (Int) -> Void) {
    thread = Thread { [inbox] in Self.work(inbox, receive) }
  }

  private static func work(_ inbox: Inbox, _ receive: (Int) -> Void) {
    var taken: [Int] = []
    pthread_mutex_lock(inbox.mutex)
    while true {
      swap(&taken, &inbox.waiting)
      if taken.isEmpty {
        if inbox.isOver { break }
        pthread_cond_wait(inbox.condition, inbox.mutex)
        continue
      }
      pthread_mutex_unlock(inbox.mutex)
      for number in taken { receive(number) }
      taken.removeAll(keepingCapacity: true)
      pthread_mutex_lock(inbox.mutex)
    }
    pthread_mutex_unlock(inbox.mutex)
  }

  func send(_ number: Int) {
    pthread_mutex_lock(inbox.mutex)
    let wasEmpty = inbox.waiting.isEmpty
    inbox.waiting.append(number)
    pthread_mutex_unlock(inbox.mutex)
    // The receiver takes all that is there, so it waits only while there is nothing.
    if wasEmpty { pthread_cond_signal(inbox.condition) }
  }

  func end() {
    pthread_mutex_lock(inbox.mutex)
    inbox.isOver = true
    pthread_mutex_unlock(inbox.mutex)
    pthread_cond_signal(inbox.condition)
    thread.join()
  }
}
