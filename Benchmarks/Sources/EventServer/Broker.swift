// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Receives events and gives them to the connections that are subscribed to their topic.
package protocol Broker: Sendable {
  /// Adds a connection. Called on its loop.
  func join(_ outlet: any Outlet) -> any Member
  /// Sends an event to all connections that are subscribed to its topic. Called on any thread.
  func publish(_ event: Event, to topic: String)
  /// The number of topics with subscribers; others are not stored.
  var topicCount: Int { get }
  /// Returns when it no longer uses the loops, after all connections have left.
  func ended() async
}

/// A connection, as the broker sees it. Used only on its loop.
package protocol Member: AnyObject {
  /// Subscribes to a topic. Returns false if it is subscribed already.
  func subscribe(to topic: String) -> Bool
  /// Ends the subscription to a topic. Returns false if there is none.
  func unsubscribe(from topic: String) -> Bool
  /// The number of topics that it is subscribed to.
  var subscriptionCount: Int { get }
  /// Ends all subscriptions, and drops the events that wait.
  func leave()
}

/// How events get from a topic to the connections that are subscribed to it, which are on other threads. Only
/// this differs between the brokers.
///
/// The number of events that wait for a connection has a bound; beyond it the oldest are dropped. They wait
/// in the order in which they arrived.
package protocol FanOut: Sendable {
  /// The source of one topic.
  associatedtype Topic: AnyObject & Sendable
  /// Collects the events of one connection, and writes them to its outlet on its loop.
  associatedtype Mailbox: EventServer.Mailbox
  /// A connection's subscription to one topic.
  associatedtype Link: EventServer.Link
  func makeTopic() -> Topic
  /// Called on the loop of the outlet.
  func makeMailbox(_ outlet: any Outlet) -> Mailbox
  /// Called on the loop of the mailbox.
  func link(_ topic: Topic, to mailbox: Mailbox) -> Link
  /// Called on any thread, also on several at once.
  func send(_ event: Event, to topic: Topic)
  /// Returns when mailboxes, all of which were closed, have no more work on their loops. By default it
  /// returns at once.
  func ended() async
}

extension FanOut {
  package func ended() async {}
}

/// The events of one connection.
package protocol Mailbox: AnyObject, Sendable {
  /// Drops the events that wait, and writes nothing any more. Called on the loop.
  func close()
}

/// A connection's subscription to one topic.
package protocol Link {
  /// Called on the loop.
  func end()
}
