// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing

@testable import logstats

@Suite struct RequestParserTests {
  private static let noon = 1_772_452_800  // 2026-03-02 12:00:00 UTC

  @Test func combined() throws {
    let request = try parse(
      #"10.0.0.1 - bob [02/Mar/2026:12:00:00 +0000] "GET /a?b=c HTTP/1.1" 404 153 "-" "curl/8" "#)
    #expect(request.time == Self.noon)
    #expect(request.client == "10.0.0.1")
    #expect(request.route == "/a")
    #expect(request.status == 404)
    #expect(request.bytes == 153)
    #expect(request.milliseconds == nil)
  }

  @Test func common() throws {
    let request = try parse(#"::1 - - [02/Mar/2026:13:00:00 +0100] "POST /x HTTP/1.0" 201 -"#)
    #expect(request.time == Self.noon)
    #expect(request.client == "::1")
    #expect(request.route == "/x")
    #expect(request.bytes == 0)
  }

  @Test(arguments: [("0.250", 250.0), ("1234", 1.234), ("-", nil), ("\"1.5\"", nil), ("\"a b\" 0.5", 500)])
  func requestTime(field: String, milliseconds: Double?) throws {
    let request = try parse(#"a - - [02/Mar/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "x" \#(field)"#)
    #expect(request.milliseconds == milliseconds)
  }

  @Test func quotesWithinQuotes() throws {
    let request = try parse(
      #"a - - [02/Mar/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "say \"hi\" \\" 0.001"#)
    #expect(request.milliseconds == 1)
  }

  @Test(arguments: [
    (#"GET /a/b?c HTTP/1.1"#, "/a/b"), ("/plain?x", "/plain"), ("-", "-"), ("", "-"),
    (#"\x16\x03"#, #"\x16\x03"#), ("t3 12.2.1", "t3 12.2.1"), ("abc?def", "abc?def"), ("a b?c d", "a b?c d"),
    ("CONNECT h:443 HTTP/1.1", "h:443"), ("OPTIONS * HTTP/1.0", "*"),
    ("GET http://h/p HTTP/1.1", "http://h/p"), ("GET /x", "/x"), (#"GET \/x HTTP/1.1"#, #"\/x"#),
  ])
  func route(request: String, route: String) throws {
    let parsed = try parse(#"a - - [02/Mar/2026:12:00:00 +0000] "\#(request)" 200 1"#)
    #expect(parsed.route == route)
  }

  @Test(arguments: [
    "2026-03-02T12:00:00Z", "2026-03-02T12:00:00.123Z", "2026-03-02T13:00:00+01:00",
    "2026-03-02T11:00:00-0100", "2026-03-02T17:00:00+05", "2026-03-02T01:00:00-11",
    "02/Mar/2026:12:00:00 +0000", "2026-03-02T17:30:00.5+05:30", "1772452800",
    "1772452800.25", "1772452800123",
  ])
  func timeSpellings(text: String) throws {
    let request = try parse(#"{"time": "\#(text)", "status": 200}"#)
    #expect(request.time == Self.noon)
  }

  @Test(arguments: [
    ("29/Feb/2024:23:59:59 +0000", 1_709_251_199), ("01/Mar/2024:00:00:00 +0000", 1_709_251_200),
    ("01/Jan/1970:00:00:00 +0000", 0), ("31/Dec/1999:23:30:00 -0030", 946_684_800),
  ])
  func calendar(text: String, seconds: Int) throws {
    #expect(try parse(#"a - - [\#(text)] "GET / HTTP/1.1" 200 1"#).time == seconds)
  }

  @Test func json() throws {
    let request = try parse(
      #"{"time_iso8601":"2026-03-02T12:00:00+00:00","remote_addr":"10.0.0.9","request":"GET /j?x=1 HTTP/2.0","#
        + #""status":"503","body_bytes_sent":"1024","request_time":"0.125","tags":["status","x"]}"#)
    #expect(request.time == Self.noon)
    #expect(request.client == "10.0.0.9")
    #expect(request.route == "/j")
    #expect(request.status == 503)
    #expect(request.bytes == 1024)
    #expect(request.milliseconds == 125)
  }

  @Test func nestedJSON() throws {
    let request = try parse(
      #"{ "ts" : 1772452800.5, "request" : { "remote_ip":"::1", "uri":"/n", "headers":{"A":["b"]} }, "#
        + #""duration" : 2, "size" : 7, "status" : 200 }"#)
    #expect(request.client == "::1")
    #expect(request.route == "/n")
    #expect(request.milliseconds == 2000)
    #expect(request.bytes == 7)
  }

  @Test(arguments: [
    ("/my file.txt", "/my file.txt"), ("/my file.txt?a b", "/my file.txt"), ("GET /a HTTP/1.1", "/a"),
    (#"\/a\/b"#, "/a/b"), (#"GET \/a HTTP\/1.1"#, "/a"), (#"\/a\u003fb"#, "/a"), (#"\/a\"b"#, #"/a"b"#),
    (#"/\u00e4 \uD83D\uDE00\t"#, "/ä 😀\t"), (#"/\\u0041"#, #"/\u0041"#), (#"/\uD83D\u12\q"#, "/\u{FFFD}u12q"),
  ])
  func routeInJSON(text: String, route: String) throws {
    #expect(try parse(#"{"time":1,"status":200,"uri":"\#(text)"}"#).route == route)
  }

  @Test func escapesInJSONAreUndoneWhereverTheyStand() throws {
    let request = try parse(#"{"time_local":"02\/Mar\/2026:12:00:00 +0000","status":200,"client":"\u0061b"}"#)
    #expect(request.time == Self.noon)
    #expect(request.client == "ab")
  }

  @Test func whatIsNullInJSONIsNotThere() throws {
    let request = try parse(
      #"{"time":1772452800,"status":200,"bytes":null,"client":null,"duration":null,"uri":null,"ts":null}"#)
    #expect(request.time == Self.noon)
    #expect(request.bytes == 0)
    #expect(request.client == "-" && request.route == "-")
    #expect(request.milliseconds == nil)
    #expect(try parse(#"{"time":1,"status":200,"client":"null"}"#).client == "null")
    #expect(throws: Malformed.badStatus) { try parse(#"{"time":1,"status":null}"#) }
  }

  @Test(arguments: [("", "\r"), ("  ", "\t "), ("\u{FEFF}", ""), ("\u{FEFF} ", " \r")])
  func whatSurroundsALineIsNoPartOfIt(front: String, back: String) throws {
    let common = #"a - - [02/Mar/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 12"#
    let json = #"{"time":1772452800,"client":"a","status":200,"bytes":12}"#
    for line in [common, json] {
      let request = try parse(front + line + back)
      #expect(request.client == "a" && request.bytes == 12)
    }
  }

  @Test(arguments: ["", " ", "\r", " \t \r", "\u{FEFF}"])
  func aBlankLineIsNothing(line: String) throws {
    var parser = RequestParser()
    let bytes = Array(line.utf8)
    #expect(try parser.parse(bytes.span) == nil)
  }

  @Test(arguments: [("2028-02-29T00:00:00Z", 1_835_395_200), ("2000-02-29T00:00:00+14", 951_732_000)])
  func lastDaysOfFebruary(text: String, seconds: Int) throws {
    #expect(try parse(#"{"time":"\#(text)","status":200}"#).time == seconds)
  }

  @Test(arguments: [
    ("nginx: [warn] full", Malformed.tooFewFields), ("\u{0}\u{1}\u{2}x", .tooFewFields),
    (#"a - - [02/Mar/2026:12:00:00 +0000] "GET / HT"#, .cutOff), ("a - - [02/Mar", .cutOff),
    (#"a - - [02/Mrz/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 1"#, .badTime),
    (#"a - - [02/Mar/26:12:00:00 +0000] "GET / HTTP/1.1" 200 1"#, .badTime),
    (#"a - - [02/Mar/2026:25:00:00 +0000] "GET / HTTP/1.1" 200 1"#, .badTime),
    (#"a - - [02/Mar/2026:12:00:00 +999999999999999999] "GET / HTTP/1.1" 200 1"#, .badTime),
    (#"a - - [02/Mar/2026:12:00:00 *0000] "GET / HTTP/1.1" 200 1"#, .badTime),
    (#"a - - [02/Mar/2026:12:00:00 +1500] "GET / HTTP/1.1" 200 1"#, .badTime),
    (#"a - - [02/Mar/2026:12:00:00 +0060] "GET / HTTP/1.1" 200 1"#, .badTime),
    (#"a - - [29/Feb/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 1"#, .badTime),
    (#"{"time":"2100-02-29T12:00:00Z","status":200}"#, .badTime),
    (#"{"time":"2026-04-31T12:00:00Z","status":200}"#, .badTime),
    (#"{"time":"2026-03-02T12:00:00.5","status":200}"#, .badTime),
    (#"{"time":"2026-03-02T12:00:00.","status":200}"#, .badTime),
    (#"{"time":"2026-03-02T12:00:00ZZ","status":200}"#, .badTime),
    (#"a - - [02/Mar/2026:12:00:00 +0000] "GET / HTTP/1.1" x 1"#, .badStatus),
    (#"a - - [02/Mar/2026:12:00:00 +0000] "GET / HTTP/1.1" 600 1"#, .badStatus),
    (#"a - - [02/Mar/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 1x"#, .badBytes),
    (#"a - - [02/Mar/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 99999999999999999999"#, .badBytes),
    (#"{"time":1,"status":200"#, .cutOff), (#"{"time}"#, .cutOff), (#"{"status":200}"#, .badTime),
    (#"{"time":1}"#, .badStatus), (#"{"time":1,"status":200,"size":-1}"#, .badBytes), ("}", .tooFewFields),
  ])
  func malformed(line: String, reason: Malformed) {
    #expect(throws: reason) { try parse(line) }
  }

  @Test func tooLong() throws {
    let head = #"a - - [02/Mar/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 1 "#
    let fill = String(repeating: "x", count: RequestParser.longestLine - head.utf8.count)
    #expect(try parse(head + fill).status == 200)
    #expect(throws: Malformed.tooLong) { try parse(head + fill + "x") }
  }

  /// Whatever bytes come, the parser returns; it must not trap.
  @Test func garbageNeverTraps() {
    let valid = Array(#"a - - [02/Mar/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "x" 0.1"#.utf8)
    let json = Array(#"{"time":"2026-03-02T12:00:00.5+01:00","status":200,"uri":"/\"a","size":3}"#.utf8)
    var state: UInt64 = 1
    func random(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1
      return Int(state >> 33) % limit
    }
    var parser = RequestParser()
    for round in 0..<20_000 {
      var bytes = round.isMultiple(of: 2) ? valid : json
      for _ in 0...random(4) { bytes[random(bytes.count)] = UInt8(random(256)) }
      bytes.removeLast(random(bytes.count))
      _ = try? parser.parse(bytes.span)
    }
  }
}
