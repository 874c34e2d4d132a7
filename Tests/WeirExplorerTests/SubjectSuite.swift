// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirExplorer

@testable import Weir

/// A source whose turn may belong to a thread.
private protocol Ownable { var bias: Bias { get } }
extension Subject: Ownable { fileprivate var bias: Bias { core.turn.bias } }
extension ReplaySubject: Ownable { fileprivate var bias: Bias { core.turn.bias } }
extension CurrentValue: Ownable { fileprivate var bias: Bias { core.turn.bias } }

/// A hot source with two subscribers: one from the beginning, and one that is added while values are sent.
private final class Hot<Hub: ObserverProtocol<Int, Never> & SignalConvertible<Int, Never> & Ownable>:
  @unchecked Sendable
{
  // Unchecked: one thread runs at a time.
  let hub: Hub
  let early = Listener()
  let late = Listener()
  private(set) var earlySubscription: Subscription?
  private(set) var lateSubscription: Subscription?

  init(_ hub: Hub, patience: UInt64, sent: [Int] = []) {
    self.hub = hub
    hub.bias.run.storeRelaxed(Bias.patience - patience)
    for number in sent { hub.send(number) }
    earlySubscription = early.subscribe(to: hub.signal)
  }

  func subscribe() { lateSubscription = late.subscribe(to: hub.signal) }

  /// The new subscription can be disposed before it has been made.
  let invitation = Subscription()
  func subscribeInvited() {
    hub.signal.attach(
      Sink(
        next: { [late] in late.take($0) }, terminate: { [late] _ in late.complete() },
        subscription: invitation))
  }

  var problem: String? { early.problem ?? late.problem }
}

/// Explores a scenario with a turn that stays an ordinary one, and with one that belongs to the first thread
/// that sends.
private func expectSoundOwnedOrNot<State>(
  sourceLocation: SourceLocation = #_sourceLocation, _ scenario: (UInt64, String) -> Scenario<State>
) {
  expectSound(scenario(Bias.patience, ""), sourceLocation: sourceLocation)
  expectSound(scenario(1, ", owned"), sourceLocation: sourceLocation)
}

extension Exploring {
  @Suite struct SubjectSuite {
    private func send<Hub>(_ number: Int) -> Operation<Hot<Hub>> {
      Operation("send \(number)") { $0.hub.send(number) }
    }
    private func complete<Hub>() -> Operation<Hot<Hub>> { Operation("complete") { $0.hub.complete() } }
    private func subscribe<Hub>() -> Operation<Hot<Hub>> { Operation("subscribe") { $0.subscribe() } }

    @Test("A13 J2: concurrent sends reach all subscribers in one order while some come and leave")
    func subject() {
      let leave = Operation<Hot<Subject<Int, Never>>>("leave") { $0.earlySubscription?.dispose() }
      expectSoundOwnedOrNot { patience, whose in
        Scenario(
          "subject: send and leave" + whose, setup: { Hot(Subject<Int, Never>(), patience: patience) },
          threads: [[send(1), send(2)], [leave, send(3)]],
          check: { hot in
            let got = hot.early.numbers
            if let problem = hot.problem { return problem }
            return [[], [1], [1, 2]].contains(got) ? nil : "the one who leaves got \(got)"
          })
      }
      let gapless: (Hot<Subject<Int, Never>>) -> String? = { hot in
        let (early, late) = (hot.early.numbers, hot.late.numbers)
        if let problem = hot.problem { return problem }
        return early.suffix(late.count).elementsEqual(late)
          ? nil : "\(early), and the one who came got \(late)"
      }
      expectSoundOwnedOrNot { patience, whose in
        Scenario(
          "subject: three meet" + whose, setup: { Hot(Subject<Int, Never>(), patience: patience) },
          threads: [[send(1)], [send(2)], [subscribe()]], check: gapless)
      }
      expectSoundOwnedOrNot { patience, whose in
        Scenario(
          "subject: two send, one comes" + whose, setup: { Hot(Subject<Int, Never>(), patience: patience) },
          threads: [[send(1), send(2)], [send(3), complete()], [subscribe()]],
          check: { hot in
            if hot.early.completions != 1 || hot.late.completions != 1 {
              return "somebody was not told the end"
            }
            return gapless(hot)
          })
      }
    }

    @Test(
      "DD-2: a thread's sends after its disposal do not reach the subscription, also when others dispose or subscribe"
    )
    func twoDispose() {
      let leave = Operation<Hot<Subject<Int, Never>>>("leave") { $0.earlySubscription?.dispose() }
      expectSoundOwnedOrNot { patience, whose in
        Scenario(
          "subject: two dispose, and send" + whose, setup: { Hot(Subject<Int, Never>(), patience: patience) },
          threads: [[leave, send(1)], [leave, send(2)]],
          check: { hot in hot.problem ?? (hot.early.numbers.isEmpty ? nil : "got \(hot.early.numbers)") })
      }
      let come = Operation<Hot<Subject<Int, Never>>>("come") { $0.subscribeInvited() }
      let cancel = Operation<Hot<Subject<Int, Never>>>("cancel") { $0.invitation.dispose() }
      for (last, what) in [([cancel, send(2)], "and send"), ([complete(), cancel], "and one completes")] {
        expectSoundOwnedOrNot { patience, whose in
          Scenario(
            "subject: one comes, two dispose, \(what)" + whose,
            setup: { Hot(Subject<Int, Never>(), patience: patience) },
            threads: [[come], [cancel, send(1)], last],
            check: { hot in hot.problem ?? (hot.late.numbers.isEmpty ? nil : "got \(hot.late.numbers)") })
        }
      }
    }

    @Test(
      "J9 DD-19: a new subscriber receives the history and later values without gap or duplicate, in order")
    func replay() {
      let gapless: (Hot<ReplaySubject<Int, Never>>) -> String? = { hot in
        let (early, late) = (hot.early.numbers, hot.late.numbers)
        if let problem = hot.problem { return problem }
        return early == late ? nil : "\(early) were sent, and the one who came got \(late)"
      }
      expectSoundOwnedOrNot { patience, whose in
        Scenario(
          "replay: send and subscribe" + whose,
          setup: { Hot(ReplaySubject<Int, Never>(capacity: .unbounded), patience: patience, sent: [1]) },
          threads: [[send(2), send(3)], [subscribe()]], check: gapless)
      }
      expectSoundOwnedOrNot { patience, whose in
        Scenario(
          "replay: two send, one completes, one comes" + whose,
          setup: { Hot(ReplaySubject<Int, Never>(capacity: .unbounded), patience: patience, sent: [1]) },
          threads: [[send(2), send(3)], [send(4), complete()], [subscribe()]],
          check: { hot in
            if hot.early.completions != 1 || hot.late.completions != 1 {
              return "somebody was not told the end"
            }
            return gapless(hot)
          })
      }
      expectSoundOwnedOrNot { patience, whose in
        Scenario(
          "replay: bounded" + whose,
          setup: { Hot(ReplaySubject<Int, Never>(capacity: .last(2)), patience: patience, sent: [1, 2, 3]) },
          threads: [[send(4), send(5)], [subscribe()]],
          check: { hot in
            let late = hot.late.numbers
            if let problem = hot.problem { return problem }
            guard let first = late.first, first < 5 else { return "the one who came got \(late)" }
            return late == Array(first...5) ? nil : "the one who came got \(late)"
          })
      }
    }

    /// A property, and an observer that is added while it is set.
    private final class Watched: @unchecked Sendable {  // one thread runs at a time
      let property = MutableProperty(0)
      let (early, late) = (Listener(), Listener())
      /// The numbers whose setters have returned.
      var hasSet: Set<Int> = []
      private var subscriptions: [Subscription] = []

      func begin() -> Self {
        subscriptions.append(early.subscribe(to: property.signal))
        return self
      }

      /// Answers a 1 with a 3, which is set within the delivery.
      func beginAnswering() -> Self {
        let answer = { @Sendable [weak property] (number: Int) in if number == 1 { property?.value = 3 } }
        subscriptions.append(property.signal.subscribe(next: answer))
        return begin()
      }

      /// When 1 has been set, nobody is delivering, and no notice is left for anybody, 3 has been delivered.
      var problemOfStalled: String? {
        let turn = property.core.broadcast.turn
        let isBusy = turn.turn.token.load() != 0 || turn.isWaiting
        if !hasSet.contains(1) || isBusy || property.value != 3 { return nil }
        return early.numbers.last == 1 ? "got \(early.numbers), and 3 was set" : nil
      }

      func subscribe() { subscriptions.append(late.subscribe(to: property.signal)) }

      /// Each receives the value that is there, later ones in order, and the last one.
      var problem: String? {
        for listener in [early, late] where !listener.numbers.isEmpty {
          if let problem = listener.problem { return problem }
          let got = listener.numbers
          if got != got.sorted() || Set(got).count != got.count { return "got \(got)" }
          if got.last != property.value { return "got \(got), and the value is \(property.value)" }
        }
        return late.numbers.isEmpty ? "the one who came got nothing" : nil
      }
    }

    @Test(
      "an observer added while a property is set receives the newest value last, also beside another observer"
    )
    func property() {
      let set = { (number: Int) in Operation<Watched>("set \(number)") { $0.property.value = number } }
      let come = Operation<Watched>("come") { $0.subscribe() }
      expectSound(
        Scenario(
          "property: set, and the first observer comes", setup: { Watched() },
          threads: [[set(1), set(2)], [come]], check: { $0.problem }))
      expectSound(
        Scenario(
          "property: set, and the second observer comes", setup: { Watched().begin() },
          threads: [[set(1), set(2)], [come]], check: { $0.problem }))
    }

    @Test(
      "AC2: a thread that stalls before it announces its change of a property delays no other thread's change"
    )
    func stalledAsker() {
      let set = { (number: Int) in
        Operation<Watched>("set \(number)") {
          $0.property.value = number
          $0.hasSet.insert(number)
        }
      }
      expectSound(
        Scenario(
          "property: set in a delivery, and one stalls", setup: { Watched().beginAnswering() },
          threads: [[set(1)], [set(2)]], invariant: { $0.problemOfStalled },
          check: { $0.early.numbers.last == $0.property.value ? nil : "got \($0.early.numbers)" }))
    }

    /// A current value, and two subscribers that are added while something is sent to it.
    private final class Hall: @unchecked Sendable {  // one thread runs at a time
      let current = CurrentValue<Int, Never>(0)
      let (first, second) = (Listener(), Listener())
      /// Whether the second one has subscribed, and then sent a 2.
      var hasSent = false
      private let invitation = Subscription()
      private var subscription: Subscription?

      func comeFirst() {
        current.signal.attach(
          Sink(
            next: { [first] in first.take($0) }, terminate: { [first] _ in first.complete() },
            subscription: invitation))
      }
      func comeSecond() { subscription = second.subscribe(to: current.signal) }
      func sendFirstAway() { invitation.dispose() }

      /// When nobody delivers and nothing is queued, the second one has received what it has sent, however
      /// far other threads have come.
      var problemOfStalled: String? {
        let turn = current.core.turn
        let isBusy = turn.turn.token.load() != 0 || turn.isWaiting
        if !hasSent || isBusy || second.numbers.contains(2) { return nil }
        return "got \(second.numbers), and has sent a 2"
      }

      func problem(ofAll listeners: Listener...) -> String? {
        for listener in listeners {
          if let problem = listener.problem { return problem }
          let got = listener.numbers
          if Set(got).count != got.count || got.last != current.value {
            return "got \(got), and the value is \(current.value)"
          }
        }
        return nil
      }
    }

    @Test("AC2 DD-19: each subscriber added during a delivery becomes live, also if others leave or stall")
    func newcomers() {
      let send = { (number: Int) in Operation<Hall>("send \(number)") { $0.current.send(number) } }
      let first = Operation<Hall>("first comes") { $0.comeFirst() }
      let second = Operation<Hall>("second comes") { $0.comeSecond() }
      let away = Operation<Hall>("first is sent away") { $0.sendFirstAway() }
      let note = Operation<Hall>("note") { $0.hasSent = true }
      expectSound(
        Scenario(
          "current value: two come, and one stalls", setup: { Hall() },
          threads: [[send(1)], [first], [second, send(2), note]], invariant: { $0.problemOfStalled },
          check: { $0.problem(ofAll: $0.first, $0.second) }))
      expectSound(
        Scenario(
          "current value: two come, and one leaves", setup: { Hall() },
          threads: [[send(1), send(2)], [first], [away, second]],
          check: { $0.first.problem ?? $0.problem(ofAll: $0.second) }))
    }

    /// A property that is deallocated while it is used through objects that do not retain it.
    private final class Departing: @unchecked Sendable {  // one thread runs at a time
      /// It does not fit into a word, and retains something.
      struct Counted: Sendable {
        let number: Int
        let token: Ledger.Token
      }

      private let values = Ledger()
      private var property: MutableProperty<Counted>?
      private let signal: Signal<Int, Never>
      private let target: BindingTarget<Counted>
      private let (early, late) = (Listener(), Listener())
      private var subscriptions: [Subscription] = []
      private var last: Int?

      init() {
        let property = MutableProperty(Counted(number: 0, token: values.make()))
        self.property = property
        signal = property.signal.map(\.number)
        target = property.bindingTarget
        subscriptions.append(early.subscribe(to: signal))
      }

      func set(_ number: Int) { _ = target.set(Counted(number: number, token: values.make())) }
      func come() { subscriptions.append(late.subscribe(to: signal)) }

      func drop() {
        last = property?.value.number
        property = nil
      }

      /// Drops the property inside the delivery of a 1.
      func beginDropping() -> Self {
        subscriptions.append(signal.subscribe { [unowned self] in if $0 == 1, property != nil { drop() } })
        return self
      }

      func finish() -> String? {
        if property != nil { drop() }
        if let problem = early.problem ?? late.problem { return problem }
        let lateEnds = late.numbers.isEmpty ? 0...1 : 1...1
        if early.completions != 1 || !lateEnds.contains(late.completions) {
          return "somebody was not told the end"
        }
        if let last, !early.numbers.contains(last) { return "got \(early.numbers), and \(last) was set" }
        return values.alive == 0 ? nil : "a value is left"
      }
    }

    @Test(
      "P4: a property that is deallocated delivers what was set before, then completes and releases its value"
    )
    func departingProperty() {
      let set = { (number: Int) in Operation<Departing>("set \(number)") { $0.set(number) } }
      let drop = Operation<Departing>("drop") { $0.drop() }
      let come = Operation<Departing>("come") { $0.come() }
      expectSound(
        Scenario(
          "property: goes in a delivery, and one stalls", setup: { Departing().beginDropping() },
          threads: [[set(1)], [set(2)]], check: { $0.finish() }), loads: .newest)
      expectSound(
        Scenario(
          "property: goes, one sets it, one comes", setup: { Departing() },
          threads: [[drop], [set(1)], [come]], check: { $0.finish() }), loads: .newest)
    }

    @Test("J7: a CurrentValue holds the value delivered last, and a new subscriber receives it first")
    func current() {
      let read = Operation<Hot<CurrentValue<Int, Never>>>("read") { $0.late.take($0.hub.value) }
      expectSoundOwnedOrNot { patience, whose in
        Scenario(
          "current value: two send, one comes" + whose,
          setup: { Hot(CurrentValue<Int, Never>(0), patience: patience) },
          threads: [[send(1), send(2)], [send(3)], [subscribe()]],
          check: { hot in
            let (early, late) = (hot.early.numbers, hot.late.numbers)
            if let problem = hot.problem { return problem }
            if hot.hub.value != early.last {
              return "\(early) were delivered, and \(hot.hub.value) is stored"
            }
            if late.isEmpty { return "the one who came got nothing" }
            return early.suffix(late.count).elementsEqual(late)
              ? nil : "\(early), and the one who came got \(late)"
          })
      }
      expectSoundOwnedOrNot { patience, whose in
        Scenario(
          "current value: send and read" + whose,
          setup: { Hot(CurrentValue<Int, Never>(0), patience: patience) },
          threads: [[send(1), send(2)], [read, read]],
          check: { hot in
            let read = hot.late.numbers
            return read == read.sorted() && read.allSatisfy { 0...2 ~= $0 } ? nil : "read \(read)"
          })
      }
    }
  }
}
