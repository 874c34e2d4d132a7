// Part of Weir. SPDX-License-Identifier: Apache-2.0
package import NIOCore

/// A command of a client: one line.
package enum Command: Equatable {
  case subscribe(topic: String)
  case unsubscribe(topic: String)
  case publish(topic: String, payload: ByteBufferView)
  case ping(ByteBufferView)

  /// The maximum length of a topic, in bytes.
  package static var longestTopic: Int { 128 }

  /// What is wrong with a line, as told to the client.
  package struct Problem: Error, Equatable {
    package let message: String
  }

  package init(_ line: ByteBuffer) throws(Problem) {
    let (verb, rest) = Self.firstWord(of: line.readableBytesView)
    switch String(decoding: verb, as: UTF8.self) {
    case "SUB": self = .subscribe(topic: try Self.onlyTopic(in: rest, after: "SUB"))
    case "UNSUB": self = .unsubscribe(topic: try Self.onlyTopic(in: rest, after: "UNSUB"))
    case "PUB":
      let (topic, payload) = Self.firstWord(of: rest)
      self = .publish(topic: try Self.topic(topic, after: "PUB"), payload: payload)
    case "PING": self = .ping(rest)
    case let other:
      throw Problem(
        message: """
          '\(Self.printable(other))' is no command; there are SUB topic, UNSUB topic, PUB topic payload, PING text
          """)
    }
  }

  private static func firstWord(
    of bytes: ByteBufferView
  ) -> (word: ByteBufferView, rest: ByteBufferView) {
    guard let space = bytes.firstIndex(of: UInt8(ascii: " ")) else { return (bytes, bytes.suffix(0)) }
    return (bytes[..<space], bytes[(space + 1)...])
  }

  private static func onlyTopic(in bytes: ByteBufferView, after verb: String) throws(Problem) -> String {
    let (word, rest) = firstWord(of: bytes)
    let topic = try topic(word, after: verb)
    if !rest.isEmpty {
      throw Problem(message: "\(verb) takes one topic, without spaces; '\(topic)' is followed by more")
    }
    return topic
  }

  private static func topic(_ bytes: ByteBufferView, after verb: String) throws(Problem) -> String {
    if bytes.isEmpty { throw Problem(message: "\(verb) needs a topic after one space") }
    if bytes.count > longestTopic {
      throw Problem(
        message: """
          \(verb): a topic may have \(longestTopic) bytes, this one has \(bytes.count); choose a shorter one
          """)
    }
    guard let topic = String(validating: bytes, as: UTF8.self) else {
      throw Problem(message: "\(verb): the topic is not UTF-8")
    }
    return topic
  }

  /// Replaces control characters and shortens the text, so that the answer is one readable line.
  private static func printable(_ text: String) -> String {
    let shown = text.unicodeScalars.prefix(32).map {
      $0.properties.generalCategory == .control ? "?" : String($0)
    }
    return shown.joined() + (text.unicodeScalars.count > 32 ? "…" : "")
  }
}
