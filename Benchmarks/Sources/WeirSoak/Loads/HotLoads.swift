// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc
import Weir
import WeirTesting

/// All threads send to one subject, subscribe to it and leave it: by disposal, by ending a chain early, and
/// from inside a delivery.
struct HotSources: Load {
  private let subject = Subject<Int, Never>()

  func turn(_ number: Int, _ tally: Tally) {
    let seen = Counter()
    let slot = SerialDisposable()
    let own = subject.filter { $0 == number }.subscribe { [token = tally.resources.make()] _ in
      _ = token
      seen.add()
    }
    slot.swap(
      subject.map { [token = tally.resources.make()] value in
        _ = token
        return value
      }.subscribe { _ in slot.dispose() })
    subject.take(first: 3).subscribe { [token = tally.resources.make()] _ in _ = token }
    for _ in 0..<50 { subject.send(number) }
    while seen.value < 50 { sched_yield() }
    own.dispose()
    slot.dispose()
    tally.events.add(50)
  }
}

/// Late subscribers to histories that other threads keep writing: histories with a bound on number, and on
/// age.
struct Histories: Load {
  private let last = ReplaySubject<Int, Never>(capacity: 64)
  private let young = ReplaySubject<Int, Never>(capacity: .within(.milliseconds(2), last: 1_000))

  func turn(_ number: Int, _ tally: Tally) {
    for subject in [last, young] {
      let seen = Counter()
      let own = subject.filter { $0 == number }.subscribe { [token = tally.resources.make()] _ in
        _ = token
        seen.add()
      }
      subject.take(first: number % 70 + 1).subscribe { [token = tally.resources.make()] _ in _ = token }
        .dispose()
      for _ in 0..<30 { subject.send(number) }
      while seen.value < 30 { sched_yield() }
      own.dispose()
      tally.events.add(30)
    }
  }
}

/// Current values, properties and channels, which all threads set, and observe for a while.
struct States: Load {
  private let current = CurrentValue<Int, Never>(0)
  private let property = MutableProperty(0)

  func turn(_ number: Int, _ tally: Tally) {
    let token = tally.resources.make()
    let subscriptions = [
      current.signal.subscribe { _ in _ = token }, property.signal.subscribe { _ in _ = token },
    ]
    for _ in 0..<20 {
      current.send(number)
      property.value = number
    }
    for subscription in subscriptions { subscription.dispose() }
    let channel = TwoWayChannel<Int, Never>()
    channel.leading.signal.subscribe { [token] _ in _ = token }
    channel.following.send(number)
    channel.following.complete()
    tally.events.add(41)
  }
}

/// Subscriptions that nothing ends, and a subject that retains them: an intended leak, to see that it is
/// found.
struct Forgotten: Load {
  private let subject = Subject<Int, Never>()

  func turn(_ number: Int, _ tally: Tally) {
    for _ in 0..<10 { subject.subscribe { [token = tally.resources.make()] _ in _ = token } }
  }
}
