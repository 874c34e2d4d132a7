// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A broker that fans events out in one of several ways.
package final class TopicBroker<Way: FanOut>: Broker {
  private let way: Way
  private let topics = TopicTable<Way.Topic>()

  package init(_ way: Way) { self.way = way }

  package var topicCount: Int { topics.count }

  package func join(_ outlet: any Outlet) -> any Member {
    TopicMember(way, topics, way.makeMailbox(outlet))
  }

  package func publish(_ event: Event, to topic: String) {
    if let topic = topics[topic] { way.send(event, to: topic) }
  }

  package func ended() async { await way.ended() }
}

/// The subscriptions of a connection. Used on its loop.
private final class TopicMember<Way: FanOut>: Member {
  private let way: Way
  private let topics: TopicTable<Way.Topic>
  private let mailbox: Way.Mailbox
  private var links: [String: Way.Link] = [:]

  init(_ way: Way, _ topics: TopicTable<Way.Topic>, _ mailbox: Way.Mailbox) {
    self.way = way
    self.topics = topics
    self.mailbox = mailbox
  }

  var subscriptionCount: Int { links.count }

  func subscribe(to name: String) -> Bool {
    if links[name] != nil { return false }
    links[name] = way.link(topics.enter(name, make: way.makeTopic), to: mailbox)
    return true
  }

  func unsubscribe(from name: String) -> Bool {
    guard let link = links.removeValue(forKey: name) else { return false }
    link.end()
    topics.leave(name)
    return true
  }

  func leave() {
    for name in Array(links.keys) { _ = unsubscribe(from: name) }
    mailbox.close()
  }
}
