// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// on(subscribed:disposed:), log and named.
struct ObservingTests {
  @Test(
    "on(disposed:) is called before the source's clean-up and before the subscriber's terminal event"
  )
  func order() {
    let log = Box<[String]>([])
    let held = Held<Oops>(nil)
    let source = Signal<Int, Oops>.create { observer in
      log.value.append("run")
      held.value = observer
      return ActionDisposable { log.value.append("cleaned") }
    }
    source
      .on(subscribed: { log.value.append("subscribed 1") }, disposed: { log.value.append("disposed 1") })
      .finally { log.value.append("finally") }
      .on(subscribed: { log.value.append("subscribed 2") }, disposed: { log.value.append("disposed 2") })
      .subscribe(next: { log.value.append("next \($0)") }, failed: { _ in log.value.append("failed") })
    #expect(log.value == ["subscribed 2", "subscribed 1", "run"])
    log.value = []
    held.value?.send(1)
    held.value?.fail(Oops())
    #expect(log.value == ["next 1", "finally", "disposed 2", "disposed 1", "cleaned", "failed"])
  }

  enum End: CaseIterable { case completion, failure, disposal, disposalTwice, early, dropped, unheld }

  @Test(
    "on(disposed:) is called exactly once for each on(subscribed:), however the run ends",
    arguments: End.allCases)
  func once(end: End) {
    let (subscribed, disposed) = (Counter(), Counter())
    let subject = Box<Subject<Int, Oops>?>(Subject())
    var subscription: Subscription? = (end == .unheld ? .never() : subject.value?.signal ?? .never())
      .on(subscribed: { subscribed.add() }, disposed: { disposed.add() })
      .take(first: end == .early ? 1 : 9).subscribe(failed: { _ in })
    #expect((subscribed.value, disposed.value) == (1, 0))
    subject.value?.send(1)
    switch end {
    case .completion: subject.value?.complete()
    case .failure: subject.value?.fail(Oops())
    case .disposal: subscription?.dispose()
    case .disposalTwice:
      subscription?.dispose()
      subscription?.dispose()
    case .early: break
    case .dropped: subject.value = nil
    case .unheld: subscription = nil
    }
    #expect((subscribed.value, disposed.value) == (1, 1), "\(end)")
    subject.value?.send(2)
    subscription?.dispose()
    #expect((subscribed.value, disposed.value) == (1, 1))
  }

  @Test("on(subscribed:disposed:) reports each run of a synchronous signal")
  func synchronous() {
    let log = Box<[String]>([])
    let signal = Signal<Int, Never>(1...2).on(
      subscribed: { log.value.append("subscribed") }, disposed: { log.value.append("disposed") })
    signal.subscribe(next: { log.value.append("\($0)") }, completed: { log.value.append("completed") })
    #expect(log.value == ["subscribed", "1", "2", "disposed", "completed"])
    log.value = []
    signal.take(first: 1).repeat(times: 2).subscribe(completed: { log.value.append("completed") })
    #expect(log.value == ["subscribed", "disposed", "subscribed", "disposed", "completed"])
  }

  @Test("log writes a line for subscription, each event and disposal, before the event is forwarded")
  func logging() {
    let lines = Box<[String]>([])
    let sink = LogSink { lines.value.append($0) }
    Signal<Int, Oops>([3]).concat(Signal<Int, Oops>.fail(Oops(code: 1))).log("orders", to: sink)
      .subscribe(
        next: { lines.value.append("got \($0)") }, failed: { _ in lines.value.append("got failure") })
    #expect(
      lines.value == [
        "orders: subscribed", "orders: next 3", "got 3", "orders: failed Oops(code: 1)", "orders: disposed",
        "got failure",
      ])
    lines.value = []
    Signal<Int, Never>.empty().log(to: sink).subscribe()
    #expect(lines.value == ["signal: subscribed", "signal: completed", "signal: disposed"])
    lines.value = []
    Recorder(Subject<Int, Never>().log("hot", to: sink)).dispose()
    #expect(lines.value == ["hot: subscribed", "hot: disposed"])
  }

  @Test("log without a name takes the name that named gives the run downstream; of several, the last applies")
  func names() {
    let lines = Box<[String]>([])
    let sink = LogSink { line in if line.hasSuffix("subscribed") { lines.value.append(line) } }
    let source = Signal<Int, Never>.empty().log(to: sink)
    source.map { $0 }.named("orders").subscribe()
    source.named("inner").named("outer").subscribe()
    source.merge(with: Signal<Int, Never>.empty()).named("merged").subscribe()
    source.log("own", to: sink).named("orders").subscribe()
    #expect(
      lines.value == [
        "orders: subscribed", "outer: subscribed", "signal: subscribed", "own: subscribed",
        "orders: subscribed",
      ])
  }

  @Test("log prints to standard output by default")
  func printing() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      Signal<Int, Never>.just(4).log("orders").subscribe()
    }
    let text = result.map { String(decoding: $0.standardOutputContent, as: UTF8.self) } ?? ""
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("orders: ") }
    #expect(
      lines == ["orders: subscribed", "orders: next 4", "orders: completed", "orders: disposed"])
  }
}
