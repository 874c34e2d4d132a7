// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Weir
import WeirFoundation
import WeirTesting

struct NotificationTests {
  private let center = NotificationCenter()
  private let name = Notification.Name("weir.test")

  private final class Poster: Sendable {}

  private func numbers(from poster: Poster? = nil) -> Signal<Int, Never> {
    center.signal(for: name, object: poster) { $0.userInfo?["number"] as? Int }
  }

  private func post(_ number: Int, from poster: Poster? = nil) {
    center.post(name: name, object: poster, userInfo: ["number": number])
  }

  @Test(
    "X16: each subscription receives the picked value of each notification as it is posted, until it is disposed"
  )
  func posted() {
    let (first, second) = (Recorder(numbers()), Recorder(numbers()))
    post(1)
    center.post(name: name, object: nil)
    center.post(name: Notification.Name("another"), object: nil, userInfo: ["number": 7])
    first.dispose()
    post(2)
    #expect(first.values == [1])
    #expect(second.values == [1, 2])
    second.dispose()
  }

  #if compiler(>=6.3)  // Foundation of 6.2 delivers no notification that was asked for by a Swift object.
  @Test(
    "X16: only notifications of the object arrive; it is not retained, and later subscriptions are disposed at once"
  )
  func object() {
    var poster: Poster? = Poster()
    let (other, signal) = (Poster(), numbers(from: poster))
    let recorder = Recorder(signal)
    post(1, from: other)
    post(2, from: poster)
    weak let kept = poster
    poster = nil
    #expect(kept == nil)
    #expect(recorder.values == [2])
    #expect(signal.subscribe().isDisposed)
    recorder.dispose()
  }
  #endif

  @Test("X16: another object at the address of a deallocated one is not taken for it")
  func addressUsedAgain() {
    for _ in 0..<50 {
      var poster: Poster? = Poster()
      let recorder = Recorder(numbers(from: poster))
      poster = nil
      let others = (0..<50).map { _ in Poster() }
      for other in others { post(7, from: other) }
      #expect(recorder.values == [])
      recorder.dispose()
    }
  }

  @Test("X16: notifications that four threads post concurrently are delivered serially, without loss")
  func concurrent() {
    let sum = Unguarded()
    let subscription = numbers().subscribe { sum.value += $0 }
    withThreads(4) { [center, name] _ in
      for _ in 0..<1_000 { center.post(name: name, object: nil, userInfo: ["number": 1]) }
    }
    #expect(sum.value == 4_000)
    subscription.dispose()
  }

  /// A sum without any protection: the signal promises to call one at a time.
  private final class Unguarded: @unchecked Sendable { var value = 0 }

  @Test("X16: a subscription that is disposed while a notification is posted does not pick a value of it")
  func disposedInside() {
    // The center calls the two in an order of its own.
    let (both, picks) = (Subscription(), Counter())
    let signal = center.signal(for: name) { _ -> Int? in
      picks.add()
      both.dispose()
      return 1
    }
    for _ in 0..<2 { both.add(signal.subscribe()) }
    post(1)
    #expect(picks.value == 1)
  }

  @Test("X16: a subscription that is disposed leaves nothing in the notification center")
  func released() {
    let resources = Resources()
    do {
      let picked = center.signal(for: name) { [token = resources.make()] _ -> Int? in
        withExtendedLifetime(token) { 1 }
      }
      picked.subscribe { [token = resources.make()] _ in withExtendedLifetime(token) {} }.dispose()
      #expect(resources.alive == 1)
    }
    #expect(resources.alive == 0)
  }
}
