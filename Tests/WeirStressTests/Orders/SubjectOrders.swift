// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Weir

/// A subscriber with unprotected state.
final class UnguardedListener: Sendable {
  private let events = Unguarded()

  /// - Parameter echo: called inside the first event. What is sent in there is queued, which allocates the
  ///   memory for that: allocating it later would order threads.
  func listen(
    to signal: some SignalConvertible<Unguarded, Never>, echo: @escaping @Sendable () -> Void = {}
  ) -> Subscription {
    let last = LastTouch(events)
    return signal.subscribe(
      next: { [events] value in
        if value.touches >= 0 { events.touch() }
        if events.touches == 1 { echo() }
        withExtendedLifetime(last) {}
      },
      completed: { [events] in events.touch() })
  }
}

/// Something that many read at the same time.
private final class Letter: Sendable {
  let number: Int
  init(_ number: Int = 0) { self.number = number }
}

extension Stress.Orders {
  /// A hot source with a subscriber.
  private final class Hot: Sendable {
    let source = Subject<Unguarded, Never>()
    let subscription: Subscription

    /// - Parameter patience: after how many sends the turn belongs to the thread that makes this, which is
    ///   the one that is interrupted.
    init(patience: UInt64) {
      source.core.turn.bias.run.storeRelaxed(Bias.patience - patience)
      subscription = UnguardedListener().listen(to: source) { [unowned source] in
        for _ in 0..<3 { source.send(Unguarded()) }
      }
      source.send(Unguarded())
    }
  }

  @Test(
    "a subscriber sees each value whole and the writes of earlier events, and is released after the last one",
    arguments: [Bias.patience, 1])
  func subject(patience: UInt64) {
    expectOrdered(
      setup: { Hot(patience: patience) },
      [
        { it in it.source.send(Unguarded()) },
        { it in for _ in 0..<3 { it.source.send(Unguarded()) } },
        { it in it.subscription.dispose() },
        { it in UnguardedListener().listen(to: it.source).dispose() },
        { it in it.source.complete() },
      ])
  }

  private final class History: Sendable {
    let source: ReplaySubject<Letter, Never>
    let subscription: Subscription

    init(_ capacity: ReplayCapacity) {
      source = ReplaySubject(capacity: capacity)
      let sum = Unguarded()
      subscription = source.subscribe { [unowned source] letter in
        sum.touch()
        // What is sent in here is queued, which allocates the memory for that.
        if letter.number == 0 { for number in 1..<4 { source.send(Letter(number)) } }
      }
      for number in 0..<5 { source.send(Letter(number)) }
    }

    func comeAndGo() {
      let sum = Unguarded()
      source.subscribe { if $0.number >= 0 { sum.touch() } }.dispose()
    }
  }

  @Test(
    "a replayed value is seen whole and is not yet released",
    arguments: [2, 9, .unbounded, .within(.nanoseconds(1), last: 3)] as [ReplayCapacity])
  func replaySubject(capacity: ReplayCapacity) {
    expectOrdered(
      setup: { History(capacity) },
      [
        { it in it.source.send(Letter()) },
        { it in for number in 0..<12 { it.source.send(Letter(number)) } },
        { it in it.comeAndGo() },
        { it in it.subscription.dispose() },
        { it in it.source.complete() },
      ])
  }

  @Test("the value of a CurrentValue is read whole while it is replaced")
  func currentValue() {
    expectOrdered(
      setup: { CurrentValue<Letter, Never>(Letter()) },
      [
        { it in _ = it.value.number },
        { it in it.send(Letter(1)) },
        { it in for number in 0..<12 { it.send(Letter(number)) } },
        { it in it.modify { $0 = Letter($0.number + 1) } },
      ])
  }

  private final class Observed: Sendable {
    let property = MutableProperty(Letter())
    let subscription: Subscription

    init() {
      let sum = Unguarded()
      subscription = property.signal.subscribe { [unowned property] letter in
        sum.touch()
        if letter.number == -2 { for number in 1..<4 { property.value = Letter(number) } }
      }
      property.value = Letter(-2)
    }

    func comeAndGo() {
      let sum = Unguarded()
      property.signal.subscribe { if $0.number >= 0 { sum.touch() } }.dispose()
    }
  }

  @Test("observers of a property receive values whole and serially")
  func property() {
    expectOrdered(
      setup: { Observed() },
      [
        { it in it.property.value = Letter(1) },
        { it in it.property.modify { $0 = Letter($0.number + 1) } },
        { it in _ = it.property.value.number },
        { it in it.comeAndGo() },
        { it in it.subscription.dispose() },
      ])
  }

  private final class Bound: Sendable {
    let (left, right) = (MutableProperty(Letter()), MutableProperty(Letter()))
    let binding: Subscription
    init() { binding = left <-> right }
    deinit { binding.dispose() }
  }

  @Test("a two-way binding uses its state on one thread at a time, and its properties end up equal")
  func binding() {
    expectOrdered(
      setup: { Bound() },
      [
        { it in it.left.value = Letter(1) },
        { it in it.right.value = Letter(2) },
        { it in it.binding.dispose() },
      ],
      check: { it in
        let values = (it.left.value.number, it.right.value.number)
        return it.binding.isDisposed || values.0 == values.1 ? nil : "\(values)"
      })
  }
}
