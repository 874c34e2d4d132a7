// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import WeirExplorer
import WeirTesting

@testable import Weir

private struct Full: Error {}

/// Stores work, and runs or abandons it when the scenario says so.
private final class Shelf: Scheduler, @unchecked Sendable {  // one thread runs at a time
  private var works: [any ScheduledWork] = []
  private let step = Words(1)

  func enqueue(_ work: any ScheduledWork) { works.append(work) }
  func run() { take()?.run() }
  func abandon() { take()?.abandon() }

  private func take() -> (any ScheduledWork)? {
    // So that another thread may run before it.
    _ = weir_load_relaxed_u64(step.words)
    return works.isEmpty ? nil : works.removeFirst()
  }
}

/// A queue for one value that is full, and a source that retains its sink and adds no steps of its own.
private final class Filled: @unchecked Sendable {  // one thread runs at a time
  let shelf = Shelf()
  private var sink: Sink<Int, Full>?
  private var subscription: Subscription?
  private var sender: UInt64 = 0
  /// Whether there is a failure: the sender has ended the upstream, and nobody before it.
  private var hasFailed = false
  private let received = Log<Int>()

  init() {
    let source = Signal<Int, Full>.attaching { sink in
      self.sink = sink
      sink.subscription.add(ActionDisposable { self.hasFailed = weir_thread() == self.sender })
    }
    subscription = source.observe(on: shelf, waiting: .bounded(1, onOverflow: .fail(Full())))
      .subscribe(failed: { [received] _ in received.add(1) })
    sink?.ungatedNext(0)
  }

  func send() {
    sender = weir_thread()
    sink?.ungatedNext(1)
  }

  /// - Parameter reported: how many failures nobody has received.
  func problem(reported: Int) -> String? {
    shelf.run()
    subscription?.dispose()
    (sink, subscription) = (nil, nil)
    if reported + received.elements.count == (hasFailed ? 1 : 0) { return nil }
    return "failed: \(hasFailed), received \(received.elements.count), reported \(reported)"
  }
}

extension Exploring.HopSuite {
  @Test(
    "contract 8: an overflow failure while the scheduler is shut down is received or reported as unhandled")
  func overflow() {
    let reported = Log<Full>()
    UnhandledErrors.setHandler { if let error = $0.error as? Full { reported.add(error) } }
    defer { UnhandledErrors.setHandler(UnhandledErrors.printOncePerSite) }
    let check: (Filled) -> String? = { state in
      defer { reported.elements = [] }
      return state.problem(reported: reported.elements.count)
    }
    let send = Operation<Filled>("send one too many") { $0.send() }
    let abandon = Operation<Filled>("abandon") { $0.shelf.abandon() }
    let run = Operation<Filled>("run") { $0.shelf.run() }
    expectSound(
      Scenario(
        "ring: overflow and shutdown", setup: { Filled() }, threads: [[send], [abandon]], check: check),
      effort: 4, loads: .newest)
    expectSound(
      Scenario("ring: overflow and run", setup: { Filled() }, threads: [[send], [run]], check: check),
      loads: .newest)
  }
}
