// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing

@testable import Weir

/// Keeps the first piece of work that is enqueued, which is always the same here, and counts how often that
/// is.
private final class Shelf: Scheduler, @unchecked Sendable {
  // Unchecked: `work` is written once, before there are threads, and taken away when they are through; the
  // word is atomic.
  private(set) var work: (any ScheduledWork)?
  private let count = weir_block_allocate(8).assumingMemoryBound(to: UInt64.self)
  deinit { weir_block_free(count, 8) }

  func enqueue(_ work: any ScheduledWork) {
    if self.work == nil { self.work = work }
    _ = weir_add_relaxed_u64(count, 1)
  }

  /// Releases the work, which retains its scheduler.
  func clear() {
    work?.abandon()
    work = nil
  }

  /// Runs the work as often as it was enqueued.
  func run() {
    while case let left = weir_load_relaxed_u64(count), left > 0 {
      if weir_compare_exchange_relaxed_u64(count, left, left - 1) { work?.run() }
    }
  }
}

extension Stress.Orders {
  private final class Crossing: Sendable {
    let shelf = Shelf()
    let source = Subject<Unguarded, Never>()
    let subscription: Subscription

    init(_ backlog: Backlog<Never>, ahead: Int) {
      subscription = UnguardedListener().listen(to: source.observe(on: shelf, waiting: backlog))
      for _ in 0..<ahead { source.send(Unguarded()) }
    }

    deinit { shelf.clear() }
  }

  @Test(
    "observe(on:) delivers values whole and serially, whichever thread drains",
    arguments: [(.unbounded, 1), (.unbounded, 63), (.bounded(2, onOverflow: .dropOldest), 2)]
      as [(Backlog<Never>, Int)])
  func hop(backlog: Backlog<Never>, ahead: Int) {
    expectOrdered(
      setup: { Crossing(backlog, ahead: ahead) },
      [
        { it in it.source.send(Unguarded()) },
        { it in for _ in 0..<3 { it.source.send(Unguarded()) } },
        { it in it.shelf.run() },
        { it in it.subscription.dispose() },
        { it in
          it.source.complete()
          it.shelf.run()
        },
      ])
  }

  private final class Scheduled: Sendable {
    let shelf = Shelf()
    let disposable: any Disposable

    init(_ schedule: (Shelf, Unguarded) -> any Disposable) { disposable = schedule(shelf, Unguarded()) }
    deinit { shelf.clear() }
  }

  private static let ways: [@Sendable (Shelf, Unguarded) -> any Disposable] = [
    { shelf, plain in
      shelf.schedule { [last = LastTouch(plain)] in withExtendedLifetime(last) { plain.touch() } }
    },
    { shelf, plain in
      shelf.scheduleRecursive { [last = LastTouch(plain)] again in
        withExtendedLifetime(last) { plain.touch() }
        if plain.touches < 3 { again() }
      }
    },
    { shelf, plain in
      let action = ScheduledClosure { [last = LastTouch(plain)] in
        withExtendedLifetime(last) { plain.touch() }
      }
      let timer = Timer(action, on: shelf, due: 1)
      timer.fire()
      return timer
    },
  ]

  @Test("scheduled work is released after it has run or was cancelled", arguments: 0..<3)
  func scheduled(way: Int) {
    expectOrdered(
      setup: { Scheduled(Self.ways[way]) },
      [
        { it in it.shelf.run() },
        { it in it.disposable.dispose() },
        { it in it.shelf.work?.abandon() },
      ])
  }
}
