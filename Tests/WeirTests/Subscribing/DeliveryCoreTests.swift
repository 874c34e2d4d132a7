// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

extension DisposalList {
  /// The number of its nodes, while no other thread uses it.
  var nodes: Int {
    var (nodes, left) = (0, head.load())
    while left != 0 {
      nodes += 1
      left = DisposalNodePointer(bits: left).next
    }
    return nodes
  }
}

/// A delivery and the subscription that it delivers to, which disposes it and does not retain it.
struct DeliveryCoreTests {
  private func delivery(to subscription: Subscription, owning token: Resources.Resource) -> SerialDelivery<
    Int, Never
  > {
    SerialDelivery(
      to: Sink(
        next: { _ in _ = token }, terminate: { _ in _ = subscription.end() }, subscription: subscription))
  }

  @Test(
    "O3: disposing the subscription of a delivery ends the delivery and its upstreams, and releases its sink")
  func disposed() {
    let (resources, subscription) = (Resources(), Subscription())
    let delivery = delivery(to: subscription, owning: resources.make())
    subscription.dispose()
    #expect((delivery.hasEnded, delivery.upstreams.isDisposed, resources.alive) == (true, true, 0))
  }

  @Test(
    "a delivery that is deallocated without a terminal event ends its subscription, which did not retain it, and its upstreams"
  )
  func released() {
    let (resources, subscription) = (Resources(), Subscription())
    var delivery: SerialDelivery<Int, Never>? = delivery(to: subscription, owning: resources.make())
    let upstream = delivery?.nextUpstream()
    #expect(upstream?.isDisposed == false)
    delivery = nil
    #expect(subscription.isDisposed)
    #expect(upstream?.isDisposed == true)
    #expect(resources.alive == 0)
  }

  @Test("a delivery that is deallocated without a terminal event after its upstreams have ended ends its run")
  func releasedWithoutUpstreams() {
    let (resources, subscription) = (Resources(), Subscription())
    var delivery: SerialDelivery<Int, Never>? = delivery(to: subscription, owning: resources.make())
    delivery?.upstreams.dispose()
    #expect(!subscription.isDisposed)
    delivery = nil
    #expect(subscription.isDisposed)
    #expect(resources.alive == 0)
  }

  @Test("a delivery that is deallocated while its subscription is being disposed is skipped")
  func goneOnTheWay() {
    let (resources, subscription) = (Resources(), Subscription())
    let kept = Box<SerialDelivery<Int, Never>?>(nil)
    // What was added first is disposed first.
    subscription.add(ActionDisposable { kept.value = nil })
    kept.value = delivery(to: subscription, owning: resources.make())
    subscription.dispose()
    #expect((kept.value == nil, resources.alive) == (true, 0))
  }

  @Test("ended deliveries leave few nodes in the list of an active subscription, and are counted")
  func ended() {
    let subscription = Subscription()
    for _ in 0..<100 {
      SerialDelivery<Int, Never>(
        to: Sink(next: { _ in }, terminate: { _ in }, subscription: subscription)
      ).terminate(.completed)
    }
    let nodes = subscription.list.nodes
    #expect(nodes < 40)
    #expect(subscription.list.shells.load() == UInt64(nodes))
    #expect(!subscription.isDisposed)
  }

  @Test("upstreams that end before a delivery leave few nodes in its list")
  func endedUpstreams() {
    let delivery = SerialDelivery<Int, Never>(
      to: Sink(next: { _ in }, terminate: { _ in }, subscription: Subscription()))
    for _ in 0..<100 { delivery.nextUpstream()?.dispose() }
    #expect(delivery.upstreams.list.nodes < 40)
    #expect(!delivery.upstreams.isDisposed)
  }

  @Test("a delivery that is disposed disposes its upstreams first, and then releases its sink")
  func order() {
    let (resources, subscription, alive) = (Resources(), Subscription(), Box<[Int]>([]))
    let delivery = delivery(to: subscription, owning: resources.make())
    delivery.nextUpstream()?.add(ActionDisposable { alive.value.append(resources.alive) })
    subscription.dispose()
    #expect((alive.value, resources.alive) == ([1], 0))
  }

  @Test("what the clean-up of an upstream sends when a terminal event waits for its turn is not delivered")
  func sentByCleanUp() {
    let (events, kept) = (Box<[String]>([]), Box<SerialDelivery<Int, Never>?>(nil))
    let subscription = Subscription()
    let delivery = SerialDelivery<Int, Never>(
      to: Sink(
        next: { value in
          events.value.append("\(value)")
          if value == 1 { kept.value?.terminate(.completed) }
        },
        terminate: { _ in events.value.append("end") }, subscription: subscription))
    kept.value = delivery
    delivery.upstreams.add(ActionDisposable { delivery.send(2) })
    delivery.send(1)
    #expect(events.value == ["1", "end"])
    kept.value = nil
  }

  @Test("a delivery that is made for an ended subscription is disposed at once, and releases its sink")
  func late() {
    let (resources, subscription) = (Resources(), Subscription())
    subscription.dispose()
    let delivery = delivery(to: subscription, owning: resources.make())
    #expect((delivery.hasEnded, resources.alive) == (true, 0))
  }
}
