// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing
import Weir
import WeirFoundation
import WeirTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The examples of WeirFoundation.md, so that they compile.
struct ArticleTests {
  private final class Server: Sendable {
    func stop() {}
  }

  @Test("the article's examples compile, and the one of notifications reloads on a notification")
  func examples() throws {
    let (server, session, center) = (Server(), URLSession(configuration: .ephemeral), NotificationCenter())
    let request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:1/")))
    let (commands, entries, log) = (Subject<String, Never>(), Subject<String, Never>(), STDIN_FILENO)
    let answers = Subject<Data, Never>()
    let reloaded = Counter()
    let reload: @Sendable (String) -> Void = { if $0 == "here" { reloaded.add() } }
    let examples: [() -> Subscription] = [
      { Signal.system(SIGINT, SIGTERM).take(first: 1).subscribe { _ in server.stop() } },
      {
        Signal.chunks(of: STDIN_FILENO).lines(upTo: 4_096)
          .subscribe(next: { commands.send($0) }, failed: { print($0) }, completed: { commands.complete() })
      },
      {
        Signal.chunks(of: log)
          .concat(.empty().delay(.milliseconds(200), on: .pool))
          .repeat()
          .lines(upTo: 4_096)
          .subscribe(next: { entries.send($0) }, failed: { print($0) })
      },
      {
        session.response(to: request)
          .timeout(.idle(.seconds(5)), on: .pool, failing: URLError(.timedOut))
          .retry(upTo: 2)
          .subscribe(next: { answers.send($0.data) }, failed: { print("no answer:", $0) })
      },
      {
        center.signal(for: .configurationChanged) { $0.userInfo?["path"] as? String }
          .subscribe { reload($0) }
      },
    ]
    // Only the last one is harmless; what the others are made of is run by its own tests.
    let subscription = examples[4]()
    center.post(name: .configurationChanged, object: nil, userInfo: ["path": "here"])
    subscription.dispose()
    #expect(reloaded.value == 1)
  }
}

/// The class of Async.md that receives values on the main actor.
@MainActor private final class Display {
  private(set) var total = 0

  func show(
    _ amounts: Signal<Int, Never>, on scheduler: some Scheduler, _ done: Subject<Never, Never>
  ) -> Subscription {
    amounts.observe(on: scheduler).subscribe(
      next: { [weak self] amount in MainActor.assumeIsolated { self?.total += amount } },
      completed: { done.complete() })
  }
}

/// What Async.md says about the main actor.
struct MainActorArticleTests {
  @Test("behind a hop to the main queue, or the main actor, a closure may assume the actor's isolation")
  @MainActor func isolated() async {
    let actor = SerialScheduler(isolatedTo: MainActor.shared)
    for scheduler in [MainScheduler.shared, actor] as [any Scheduler] {
      let (display, amounts, done) = (Display(), Subject<Int, Never>(), Subject<Never, Never>())
      let subscription = display.show(amounts.signal, on: scheduler, done)
      for amount in 1...3 { amounts.send(amount) }
      amounts.complete()
      await done.completion()
      #expect(display.total == 6 && subscription.isDisposed)
    }
  }
}

/// The service of Production.md.
private final class Service: Sendable {
  let orders = Subject<Int, Never>()
  private let stopping = Subject<Never, Never>()
  private let workers = WorkerPool(threads: 2, name: "service")
  private let writer: SerialScheduler
  private let stored = Subject<[Int], any Error>()

  init(store: @escaping @Sendable ([Int]) throws -> Void) {
    writer = SerialScheduler(on: workers)
    let beats = Signal.ticks(every: .seconds(30), on: workers).take(until: stopping).map { [Int]() }
    orders.collect(count: 500, within: .milliseconds(200), on: workers)
      .merge(with: beats)
      .observe(on: writer)
      .attempt(store)
      .doFailed { print("storing has stopped:", $0) }
      .forward(to: stored)
  }

  func stop(within limit: Duration) async -> Bool {
    stopping.complete()
    orders.complete()
    let end = stored.timeout(.deadline(limit), on: .pool)
    let isStored = (try? await end.completion()) == true
    let reports = [await writer.shutdown(within: limit), await workers.shutdown(within: limit)]
    return isStored && reports.allSatisfy(\.isComplete)
  }
}

/// What Production.md says about stopping a server.
struct ShutdownArticleTests {
  @Test(
    "a service with two sources, two schedulers and timers stores all orders that it has accepted before it stops"
  )
  func stored() async {
    let count = Counter()
    let service = Service { orders in for _ in orders { count.add() } }
    for order in 0..<1_200 { service.orders.send(order) }
    #expect(await service.stop(within: .seconds(3_600)))
    #expect(count.value == 1_200)
  }

  @Test("a service whose store fails returns false when it stops")
  func failed() async {
    let service = Service { _ in throw CocoaError(.fileWriteOutOfSpace) }
    service.orders.send(1)
    #expect(await !service.stop(within: .seconds(3_600)))
  }

  @Test("a service stopped by SIGTERM stops completely, and the process exits with success")
  func terminated() async {
    await #expect(processExitsWith: .exitCode(EXIT_SUCCESS)) {
      let service = Service { _ in }
      service.orders.send(1)
      // Sent when there is a subscriber: merge subscribes to the signals of the system first.
      let sending = Signal<Int32, Never>.deferred {
        kill(getpid(), SIGTERM)
        return .empty()
      }
      _ = await Signal.system(SIGTERM, SIGINT).merge(with: sending).firstValue()
      exit(await service.stop(within: .seconds(3_600)) ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }
}

extension Notification.Name {
  fileprivate static let configurationChanged = Notification.Name("configurationChanged")
}
