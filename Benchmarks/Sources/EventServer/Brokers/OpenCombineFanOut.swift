// Part of Weir. SPDX-License-Identifier: Apache-2.0
import NIOCore
import OpenCombine

/// A passthrough subject for each topic, and for each connection another one with a buffer, which is received
/// on the loop.
///
/// The buffer drops without telling, so nobody is told what was lost. Nothing in it is `Sendable`, though all
/// of it has locks.
struct OpenCombineFanOut: FanOut {
  let waiting: Int

  func makeTopic() -> OpenCombineTopic { OpenCombineTopic() }

  func makeMailbox(_ outlet: any Outlet) -> OpenCombineMailbox {
    OpenCombineMailbox(outlet, waiting: waiting)
  }

  func link(_ topic: OpenCombineTopic, to mailbox: OpenCombineMailbox) -> OpenCombineLink {
    OpenCombineLink(subscription: topic.events.sink { mailbox.events.send($0) })
  }

  func send(_ event: Event, to topic: OpenCombineTopic) { topic.events.send(event) }
}

final class OpenCombineTopic: @unchecked Sendable {  // the subject has a lock
  let events = PassthroughSubject<Event, Never>()
}

struct OpenCombineLink: Link {
  let subscription: AnyCancellable
  func end() { subscription.cancel() }
}

final class OpenCombineMailbox: Mailbox, @unchecked Sendable {  // the subject has a lock
  let events = PassthroughSubject<Event, Never>()
  private let writer: OutletSubscriber

  init(_ outlet: any Outlet, waiting: Int) {
    writer = OutletSubscriber(outlet)
    events
      .buffer(size: waiting, prefetch: .byRequest, whenFull: .dropOldest)
      .receive(on: LoopContext(loop: outlet.loop))
      .subscribe(writer)
  }

  func close() { writer.cancel() }
}

/// Asks for events while the reader keeps up, some at a time. Used on the loop, but for the first request.
private final class OutletSubscriber: Subscriber, @unchecked Sendable {
  private static let events = 64

  private let outlet: any Outlet
  private var subscription: (any OpenCombine.Subscription)?
  /// How many events were written that have not been asked for again.
  private var owed = 0

  init(_ outlet: any Outlet) { self.outlet = outlet }

  func receive(subscription: any OpenCombine.Subscription) {
    self.subscription = subscription
    subscription.request(.max(Self.events))
  }

  func receive(_ event: Event) -> Subscribers.Demand {
    outlet.write(event)
    if owed == 0, outlet.isWritable { return .max(1) }
    owed += 1
    if owed == 1 { outlet.whenWritable { self.askForMore() } }
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) { subscription = nil }

  func cancel() {
    subscription?.cancel()
    subscription = nil
  }

  private func askForMore() {
    let count = owed
    owed = 0
    if count > 0 { subscription?.request(.max(count)) }
  }
}

/// An event loop, as OpenCombine wants a scheduler to be. Nothing here asks for its timers, so it has none:
/// all happens soon.
private struct LoopContext: OpenCombine.Scheduler {
  typealias SchedulerTimeType = ImmediateScheduler.SchedulerTimeType
  typealias SchedulerOptions = Never

  let loop: any EventLoop
  var now: SchedulerTimeType { ImmediateScheduler.shared.now }
  var minimumTolerance: SchedulerTimeType.Stride { .zero }

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    // What it holds has locks.
    nonisolated(unsafe) let action = action
    loop.execute { action() }
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) {
    schedule(options: options, action)
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(options: options, action)
    return AnyCancellable {}
  }
}
