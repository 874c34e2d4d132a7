// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirExplorer
import WeirTesting

/// A shared signal, and how many runs its source has.
private final class SharedSource: @unchecked Sendable {  // one thread runs at a time
  let input = Subject<Int, Never>()
  let stop = Subject<Int, Never>()
  private let runs = Counter()
  private let shared: Signal<Int, Never>
  let stays = Listener()
  let leaves = Listener()
  private(set) var subscription: Subscription?

  init(_ lifetime: ShareLifetime) {
    shared = input.take(until: stop).on(
      subscribed: { [runs] in runs.add() }, disposed: { [runs] in runs.add(-1) }
    )
    .share(replay: 1, lifetime: lifetime)
  }

  func come() { subscription = stays.subscribe(to: shared) }
  func comeAndGo() { leaves.subscribe(to: shared).dispose() }

  /// Connected once, for the subscriber that stays; or the source has ended, and that has received a
  /// completion.
  func problem(canStop: Bool) -> String? {
    if let problem = stays.problem ?? leaves.problem { return problem }
    input.send(7)
    if stays.completions == 1 {
      if !canStop { return "it was told an end that there was not" }
    } else if subscription?.isDisposed != false {
      return "it was left without an end"
    } else if runs.value != 1 || stays.numbers != [7] {
      return "it is subscribed, with \(runs.value) runs, and got \(stays.numbers)"
    }
    subscription?.dispose()
    return runs.value == 0 ? nil : "\(runs.value) runs are left with nobody there"
  }
}

extension Exploring {
  @Suite struct SharingSuite {
    private let come = Operation<SharedSource>("come") { $0.come() }
    private let comeAndGo = Operation<SharedSource>("come and go") { $0.comeAndGo() }
    private let stop = Operation<SharedSource>("stop") { $0.stop.send(0) }

    @Test("DD-12: while subscribers come and go, a shared source has one run, for the one that stays")
    func generations() {
      expectSound(
        Scenario(
          "share: come and go", setup: { SharedSource(.whileConnected) }, threads: [[come], [comeAndGo]],
          check: { $0.problem(canStop: false) }))
      expectSound(
        Scenario(
          "share: come, go and come", setup: { SharedSource(.whileConnected) },
          threads: [[come], [comeAndGo], [comeAndGo, comeAndGo]], check: { $0.problem(canStop: false) }))
      expectSound(
        Scenario(
          "share: the history stays", setup: { SharedSource(.forever) },
          threads: [[come], [comeAndGo, comeAndGo]], check: { $0.problem(canStop: false) }))
    }

    @Test(
      "DD-12: when a shared source ends while subscribers come and go, the one that stays is completed or connected"
    )
    func ends() {
      expectSound(
        Scenario(
          "share: come, go and stop", setup: { SharedSource(.whileConnected) },
          threads: [[come], [comeAndGo], [stop]], check: { $0.problem(canStop: true) }))
    }

    /// A connection, and what became of its only run.
    private final class Connected: @unchecked Sendable {  // one thread runs at a time
      let input = Subject<Int, Never>()
      let listener = Listener()
      let connection: MulticastConnection<Int, Never>
      let runs = Log<Int>()

      init() {
        connection = input.on(subscribed: { [runs] in runs.add(1) }).publish()
        _ = listener.subscribe(to: connection.signal)
      }
    }

    /// A connection with a subscriber that came through autoconnect.
    private final class Autoconnected: @unchecked Sendable {  // one thread runs at a time
      let input = Subject<Int, Never>()
      let hub = Subject<Int, Never>()
      let listener = Listener()
      let connection: MulticastConnection<Int, Never>
      let subscription: Subscription

      init() {
        connection = input.multicast(hub)
        subscription = listener.subscribe(to: connection.autoconnect())
      }
    }

    private let end = Operation<Autoconnected>("end") { $0.input.complete() }
    private let endHub = Operation<Autoconnected>("end the hub") { $0.hub.complete() }
    private let dispose = Operation<Autoconnected>("dispose") { $0.connection.connect().dispose() }

    @Test(
      "L2: when the source ends while the connection is disposed, an autoconnect subscription is disposed")
    func endAndDispose() {
      expectSound(
        Scenario(
          "multicast: end and dispose", setup: { Autoconnected() }, threads: [[end], [dispose]],
          check: { $0.subscription.isDisposed ? nil : "waits for ever" }), loads: .newest)
      expectSound(
        Scenario(
          "multicast: end twice and dispose", setup: { Autoconnected() },
          threads: [[end], [endHub], [dispose]],
          check: { $0.subscription.isDisposed ? nil : "waits for ever" }), loads: .newest)
    }

    @Test(
      "L2: when source and multicast subject end concurrently, an autoconnect subscriber receives one completion"
    )
    func endTwice() {
      expectSound(
        Scenario(
          "multicast: end twice", setup: { Autoconnected() }, threads: [[end], [endHub]],
          check: { state in
            let completions = state.listener.completions
            return completions == 1 ? nil : "heard of \(completions) ends"
          }), loads: .newest)
    }

    /// A connection, and its first subscriber through autoconnect.
    private final class Autoconnecting: @unchecked Sendable {  // one thread runs at a time
      private let input = Subject<Int, Never>()
      private let listener = Listener()
      let connection: MulticastConnection<Int, Never>
      private(set) var subscription: Subscription?

      init() { connection = input.publish() }

      func come() { subscription = listener.subscribe(to: connection.autoconnect()) }
    }

    @Test("L5: a first autoconnect subscription made while the connection is disposed is disposed, too")
    func comeAndDispose() {
      let come = Operation<Autoconnecting>("come") { $0.come() }
      let dispose = Operation<Autoconnecting>("dispose") { $0.connection.connect().dispose() }
      expectSound(
        Scenario(
          "multicast: come and dispose", setup: { Autoconnecting() }, threads: [[come], [dispose]],
          check: { $0.subscription?.isDisposed == true ? nil : "waits for ever" }), loads: .newest)
    }

    /// A source that is a sink and nothing else, and a subscriber from the beginning.
    private final class Fed: @unchecked Sendable {  // one thread runs at a time
      let hub = ReplaySubject<Int, Never>(capacity: 1)
      private let listener = Listener()
      private let late = Listener()
      private let sinks = Log<Sink<Int, Never>>()
      private let shared: Signal<Int, Never>
      private let subscription: Subscription

      init(_ share: (Signal<Int, Never>, ReplaySubject<Int, Never>) -> Signal<Int, Never>) {
        shared = share(Signal.attaching { [sinks] in sinks.add($0) }, hub)
        subscription = listener.subscribe(to: shared)
      }

      func sendAndLetGo() {
        sinks.elements[0].next(1)
        _ = sinks.elements.removeFirst()
      }
      func comeAndGo() { late.subscribe(to: shared).dispose() }
      func end() { sinks.elements[0].terminate(.completed) }
      func stop() { sinks.elements[0].subscription.dispose() }

      var isOver: Bool { subscription.isDisposed }
      var problem: String? {
        if let problem = listener.problem ?? late.problem { return problem }
        if !listener.numbers.contains(1) { return "missed a value: got \(listener.numbers)" }
        return subscription.isDisposed ? nil : "waits for ever"
      }
    }

    @Test(
      "A11: when a source sends and releases its sink while the hub is used, its subscriber gets the value and ends"
    )
    func letGo() {
      let letGo = Operation<Fed>("send and let go") { $0.sendAndLetGo() }
      let comeAndGo = Operation<Fed>("come and go") { $0.comeAndGo() }
      let send = Operation<Fed>("send by somebody else") { $0.hub.send(7) }
      expectSound(
        Scenario(
          "autoconnect: let go and send", setup: { Fed { $0.multicast($1).autoconnect() } },
          threads: [[letGo], [send, send]], check: { $0.problem }), loads: .newest)
      expectSound(
        Scenario(
          "share: let go, history", setup: { Fed { source, _ in source.share(replay: 1) } },
          threads: [[letGo], [comeAndGo]], check: { $0.problem }), loads: .newest)
      expectSound(
        Scenario(
          "share: let go, lasting history",
          setup: { Fed { source, _ in source.share(replay: 1, lifetime: .forever) } },
          threads: [[letGo], [comeAndGo, comeAndGo]], check: { $0.problem }), loads: .newest)
    }

    @Test("DD-12: when a source completes and another thread ends its run, the subscriber's run ends, too")
    func endAndStop() {
      let end = Operation<Fed>("end") { $0.end() }
      let stop = Operation<Fed>("stop") { $0.stop() }
      for lifetime in [ShareLifetime.whileConnected, .forever] {
        expectSound(
          Scenario(
            "share: end and stop, \(lifetime)",
            setup: { Fed { source, _ in source.share(lifetime: lifetime) } },
            threads: [[end], [stop]], check: { $0.isOver ? nil : "waits for ever" }), loads: .newest)
      }
    }

    @Test("L1 L3: concurrent connect calls subscribe to the source once")
    func connect() {
      let connect = Operation<Connected>("connect") { $0.connection.connect() }
      let send = Operation<Connected>("send") { $0.input.send(1) }
      expectSound(
        Scenario(
          "multicast: connect", setup: { Connected() }, threads: [[connect, send], [connect], [connect]],
          check: { state in
            if state.runs.elements.count != 1 { return "subscribed \(state.runs.elements.count) times" }
            state.input.send(2)
            return [[1, 2], [2]].contains(state.listener.numbers) ? nil : "got \(state.listener.numbers)"
          }))
    }
  }
}
