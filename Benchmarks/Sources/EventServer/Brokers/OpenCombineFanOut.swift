// Part of Weir. SPDX-License-Identifier: Apache-2.0
import NIOCore
import OpenCombine

/// A passthrough subject for each topic, and for each connection another one with a buffer, received on the
/// loop.
///
/// The buffer drops events without reporting that, so clients are not told. OpenCombine's types are not
/// `Sendable`, although all of them have locks.
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

/// Requests events while the client keeps up, some at a time. Used on the loop, except for the first request.
private final class OutletSubscriber: Subscriber, @unchecked Sendable {
  private static let events = 64

  private let outlet: any Outlet
  private var subscription: (any OpenCombine.Subscription)?
  /// The number of events written since the last request.
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

/// An event loop as a scheduler of OpenCombine. Timers are not needed here, so it has none: everything is
/// scheduled for as soon as possible.
private struct LoopContext: OpenCombine.Scheduler {
  typealias SchedulerTimeType = ImmediateScheduler.SchedulerTimeType
  typealias SchedulerOptions = Never

  let loop: any EventLoop
  var now: SchedulerTimeType { ImmediateScheduler.shared.now }
  var minimumTolerance: SchedulerTimeType.Stride { .zero }

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    // What the closure captures has locks.
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
