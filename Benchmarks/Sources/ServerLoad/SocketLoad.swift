// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import CBenchSupport
import NIOCore
import NIOPosix

/// Connections to a server, all on one loop: the measurements are those of a client with one thread. Used on
/// that loop.
final class SocketLoad: @unchecked Sendable {
  var tally = Tally()
  var subscribed = 0
  private(set) var isMeasuring = false

  private let options: LoadOptions
  private let process: ServerProcess?
  private let loop: any EventLoop
  private let outcome: EventLoopPromise<Figures>
  private var publishers: [PublisherClient] = []
  private var published = 0
  /// How many events all subscribers together should receive.
  private var expected = 0
  private var phase = Phase.connecting
  private var start = 0
  private var atBegin = Reading()

  private enum Phase { case connecting, publishing, draining, over }

  private struct Reading {
    var deliveries = 0
    var published = 0
    var processor = 0.0
    var time = 0
  }

  init(_ options: LoadOptions, _ process: ServerProcess?, on loop: any EventLoop) {
    self.options = options
    self.process = process
    self.loop = loop
    outcome = loop.makePromise()
  }

  /// Called on another thread.
  static func run(_ options: LoadOptions, port: Int, _ process: ServerProcess?) throws -> Figures {
    let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
    let load = SocketLoad(options, process, on: loop)
    try load.connect(to: port)
    loop.execute { load.begin() }
    return try load.outcome.futureResult.wait()
  }

  /// Something that makes the measurement void.
  func lose(_ reason: String) { if phase != .over { outcome.fail(LoadError(message: reason)) } }

  // MARK: - Connecting

  private func connect(to port: Int) throws {
    // No more at a time than the server lets wait to be accepted.
    for first in stride(from: 0, to: options.subscribers, by: 64) {
      let some = first..<min(options.subscribers, first + 64)
      let connected = some.map { number in
        ClientBootstrap(group: loop)
          .channelInitializer { [self] channel in
            channel.eventLoop.makeCompletedFuture {
              try channel.pipeline.syncOperations.addHandler(
                SubscriberClient(self, topic: number % options.topics, publishers: options.publishers))
            }
          }
          .connect(host: "127.0.0.1", port: port)
      }
      _ = try EventLoopFuture.whenAllSucceed(connected, on: loop).wait()
    }
    let channels = try (0..<options.publishers).map { _ in
      try ClientBootstrap(group: loop).connect(host: "127.0.0.1", port: port).wait()
    }
    try loop.submit { [self] in
      publishers = channels.enumerated().map { PublisherClient($0.offset, $0.element, options) }
    }.wait()
    let patience = ContinuousClock.now + .seconds(20)
    while try loop.submit({ self.subscribed }).wait() < options.subscribers {
      if ContinuousClock.now > patience { throw LoadError(message: "the server does not answer SUB") }
      pause(milliseconds: 2)
    }
  }

  // MARK: - Publishing

  private func begin() {
    phase = .publishing
    start = now
    let measured = TimeAmount.milliseconds(Int64(options.milliseconds))
    let warmUp = TimeAmount.milliseconds(Int64(options.milliseconds / 4))
    loop.scheduleTask(in: warmUp) { self.beginMeasuring() }
    loop.scheduleTask(in: warmUp + measured) { self.endMeasuring() }
    if let rate = options.rate { publishWhatIsDue(rate) } else { pump() }
  }

  /// Without a rate: publishes as long as the window allows it.
  func pump() {
    guard phase == .publishing, options.rate == nil else { return }
    let limit = options.window * options.subscribers
    let time = now
    while expected - tally.deliveries - tally.toldLost < limit { publish(due: time) }
    for publisher in publishers { publisher.flush() }
  }

  /// With a rate: each event carries the time when it was due, so that it counts as late whatever the reason
  /// is.
  private func publishWhatIsDue(_ rate: Int) {
    guard phase == .publishing else { return }
    var due = start + published * 1_000_000_000 / rate
    while due <= now {
      publish(due: due)
      due = start + published * 1_000_000_000 / rate
    }
    for publisher in publishers { publisher.flush() }
    loop.scheduleTask(in: .nanoseconds(Int64(max(0, due - now)))) { self.publishWhatIsDue(rate) }
  }

  private func publish(due: Int) {
    let topic = publishers[published % publishers.count].publish(due: due)
    published += 1
    expected += options.subscribers(of: topic)
  }

  // MARK: - Measuring

  private func beginMeasuring() {
    isMeasuring = true
    atBegin = reading()
  }

  private func endMeasuring() {
    isMeasuring = false
    let atEnd = reading()
    phase = .draining
    drain(since: now, last: -1) { [self] in
      phase = .over
      outcome.succeed(
        Figures(
          milliseconds: (atEnd.time - atBegin.time) / 1_000_000,
          published: atEnd.published - atBegin.published,
          deliveries: atEnd.deliveries - atBegin.deliveries,
          received: tally.deliveries, missing: expected - tally.deliveries, toldLost: tally.toldLost,
          disordered: tally.disordered,
          strange: tally.strange,
          processor: process == nil ? nil : atEnd.processor - atBegin.processor,
          peakKilobytes: process?.peakKilobytes, latency: options.rate == nil ? nil : tally.latency))
    }
  }

  /// After this many nanoseconds without an event, nothing more is expected. It need not be short: the load
  /// waits so long only if events are missing that were not reported.
  static let patience = 60_000_000_000

  /// Waits until everything has arrived or was reported as lost, or nothing more is expected.
  private func drain(since: Int, last: Int, _ done: @escaping () -> Void) {
    let count = tally.deliveries + tally.toldLost
    if count >= expected || (count == last && now - since > Self.patience) { return done() }
    nonisolated(unsafe) let done = done
    let since = count == last ? since : now
    loop.scheduleTask(in: .milliseconds(5)) { self.drain(since: since, last: count, done) }
  }

  private func reading() -> Reading {
    Reading(
      deliveries: tally.deliveries, published: published, processor: process?.processorSeconds ?? 0, time: now
    )
  }

  private var now: Int { Int(bench_monotonic_ns()) }
}
