// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Takes events and gives them to the connections that have asked for their topic.
package protocol Broker: Sendable {
  /// A connection comes. On its loop.
  func join(_ outlet: any Outlet) -> any Member
  /// Hands an event to all who are subscribed to its topic. From any thread.
  func publish(_ event: Event, to topic: String)
  /// How many topics are kept: those that somebody is subscribed to.
  var topicCount: Int { get }
  /// Returns when it uses the loops no more, after all connections have left.
  func ended() async
}

/// A connection, as the broker sees it. All of it is for the thread of its loop.
package protocol Member: AnyObject {
  /// False if it is subscribed already.
  func subscribe(to topic: String) -> Bool
  /// False if it is not subscribed.
  func unsubscribe(from topic: String) -> Bool
  /// How many topics it is subscribed to.
  var subscriptionCount: Int { get }
  /// Ends all that it is subscribed to; what waits is dropped.
  func leave()
}

/// How events get from a topic to the connections that are subscribed to it, and there to another thread.
/// This is all that differs between the brokers.
///
/// At most so many events wait for a connection, in the order in which they came; then the oldest are
/// dropped.
package protocol FanOut: Sendable {
  /// The source of one topic.
  associatedtype Topic: AnyObject & Sendable
  /// What collects the events of one connection, and writes them to its outlet on its loop.
  associatedtype Mailbox: EventServer.Mailbox
  /// A connection's subscription to one topic.
  associatedtype Link: EventServer.Link
  func makeTopic() -> Topic
  /// On the loop of the outlet.
  func makeMailbox(_ outlet: any Outlet) -> Mailbox
  /// On the loop of the mailbox.
  func link(_ topic: Topic, to mailbox: Mailbox) -> Link
  /// From any thread, also from several.
  func send(_ event: Event, to topic: Topic)
  /// Returns when all that mailboxes do on their loops is over, after they were closed. Nothing goes on after
  /// that unless it says so.
  func ended() async
}

extension FanOut {
  package func ended() async {}
}

/// What collects the events of one connection.
package protocol Mailbox: AnyObject, Sendable {
  /// Drops what waits, and writes nothing any more. On the loop.
  func close()
}

/// A connection's subscription to one topic.
package protocol Link {
  /// On the loop.
  func end()
}
