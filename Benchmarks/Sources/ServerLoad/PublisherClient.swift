// Part of Weir. SPDX-License-Identifier: Apache-2.0
import NIOCore

/// A connection that publishes to all topics in turn. Used on the loop of the load.
final class PublisherClient {
  private let index: Int
  private let channel: any Channel
  private let payload: Int
  /// The numbers of the next events, by topic.
  private var numbers: [Int]
  private var topic: Int
  private var outgoing = ByteBuffer()

  init(_ index: Int, _ channel: any Channel, _ options: LoadOptions) {
    self.index = index
    self.channel = channel
    payload = options.payload
    numbers = Array(repeating: 0, count: options.topics)
    // Each publisher begins with another topic.
    topic = index * options.topics / options.publishers
  }

  /// Publishes an event, and returns its topic.
  func publish(due: Int) -> Int {
    let topic = topic
    outgoing.writeString("PUB \(LoadOptions.topic(topic)) ")
    Payload(publisher: index, number: numbers[topic], due: due).write(into: &outgoing, bytes: payload)
    outgoing.writeInteger(UInt8(ascii: "\n"))
    numbers[topic] += 1
    self.topic = (topic + 1) % numbers.count
    return topic
  }

  func flush() {
    if outgoing.readableBytes == 0 { return }
    channel.writeAndFlush(outgoing, promise: nil)
    outgoing = ByteBuffer()
  }
}
