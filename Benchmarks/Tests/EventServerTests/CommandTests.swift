// Part of Weir. SPDX-License-Identifier: Apache-2.0
import NIOCore
import Testing

@testable import EventServer

@Suite("Commands in lines")
struct CommandTests {
  @Test("Commands are parsed into their parts; a payload keeps its spaces, and may be empty")
  func commands() throws {
    #expect(try command("SUB news") == .subscribe(topic: "news"))
    #expect(try command("UNSUB news") == .unsubscribe(topic: "news"))
    #expect(try command("PUB news a  b ") == .publish(topic: "news", payload: bytes("a  b ")))
    #expect(try command("PUB news") == .publish(topic: "news", payload: bytes("")))
    #expect(try command("PING are you there") == .ping(bytes("are you there")))
    #expect(try command("PING") == .ping(bytes("")))
    #expect(try command("SUB größe") == .subscribe(topic: "größe"))
  }

  @Test(
    "An error names what is wrong, and what would be right",
    arguments: [
      ("", "'' is no command; there are SUB topic, UNSUB topic, PUB topic payload, PING text"),
      ("sub news", "'sub' is no command; there are SUB topic, UNSUB topic, PUB topic payload, PING text"),
      ("SUB", "SUB needs a topic after one space"),
      ("SUB ", "SUB needs a topic after one space"),
      ("SUB  news", "SUB needs a topic after one space"),
      ("PUB", "PUB needs a topic after one space"),
      ("UNSUB", "UNSUB needs a topic after one space"),
      ("SUB news today", "SUB takes one topic, without spaces; 'news' is followed by more"),
    ])
  func problems(_ line: String, _ message: String) {
    #expect(throws: Command.Problem(message: message)) { try command(line) }
  }

  @Test("A topic has at most 128 bytes, and is UTF-8")
  func topics() throws {
    let longest = String(repeating: "t", count: 128)
    #expect(try command("SUB \(longest)") == .subscribe(topic: longest))
    #expect(
      throws: Command.Problem(
        message: "SUB: a topic may have 128 bytes, this one has 129; choose a shorter one")
    ) {
      try command("SUB \(longest)t")
    }
    #expect(throws: Command.Problem(message: "SUB: the topic is not UTF-8")) {
      try Command(ByteBuffer(bytes: Array("SUB ".utf8) + [0xFF]))
    }
  }

  @Test("A quotation in an error has no control characters, and is short")
  func quoting() throws {
    let problem = #expect(throws: Command.Problem.self) {
      try command("\u{1B}[2J\u{7}" + String(repeating: "x", count: 100))
    }
    let message = try #require(problem?.message)
    #expect(message.hasPrefix("'?[2J?xxxxx"))
    #expect(message.count < 130)
    #expect(!message.unicodeScalars.contains { $0.value < 32 })
  }

  private func command(_ line: String) throws(Command.Problem) -> Command {
    try Command(ByteBuffer(string: line))
  }
  private func bytes(_ text: String) -> ByteBufferView { ByteBuffer(string: text).readableBytesView }
}
