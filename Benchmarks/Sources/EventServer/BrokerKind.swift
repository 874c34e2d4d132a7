// Part of Weir. SPDX-License-Identifier: Apache-2.0
package import NIOCore

/// The kinds of brokers.
package enum BrokerKind: String, CaseIterable, Sendable {
  case weir, mutex
  case openCombine = "opencombine"
  case async

  /// - Parameters:
  ///   - loops: the loops of the connections' outlets.
  ///   - waiting: how many events may wait for a connection; beyond that the oldest are dropped.
  package func broker(on loops: [any EventLoop], waiting: Int) -> any Broker {
    switch self {
    case .weir: TopicBroker(WeirFanOut(on: loops, waiting: waiting))
    case .mutex: TopicBroker(MutexFanOut(loops: loops, waiting: waiting))
    case .openCombine: TopicBroker(OpenCombineFanOut(waiting: waiting))
    case .async: TopicBroker(AsyncFanOut(waiting: waiting))
    }
  }
}
