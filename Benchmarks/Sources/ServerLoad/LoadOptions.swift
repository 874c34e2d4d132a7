// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import EventServer

/// The command line of the load.
struct LoadOptions {
  let target: Target
  let subscribers: Int
  let topics: Int
  let publishers: Int
  /// The events per second of all publishers together; nil for as fast as they are received.
  let rate: Int?
  /// How many events may be on their way to each subscriber, if there is no rate.
  let window: Int
  let payload: Int
  let milliseconds: Int

  enum Target {
    /// A server in another process, whose processor time is read if its id is known.
    case server(port: Int, process: Int?)
    /// A broker without sockets.
    case inProcess(BrokerKind, loops: Int)
  }

  static let usage = """
    usage: ServerLoad (--port N [--server-pid N] [--rate N] | --in-process weir|mutex|opencombine|async [--loops N])
                      [--subscribers N] [--topics N] [--publishers N] [--window N] [--payload BYTES]
                      [--milliseconds N]
    Measures an event server on 127.0.0.1, and prints a JSON object: the deliveries, those that were lost, and with
    --rate the latency from when an event was due until it arrived. One thread serves all connections of the load.
    perf/server calls this program.
      --port N          the port of the server
      --server-pid N    the process id of the server: also measure its processor time and memory
      --in-process NAME measure this broker alone, without server and sockets; publishers are threads
      --loops N         the number of threads of that broker (default 2)
      --subscribers N   connections that subscribe, each to one topic (default 100)
      --topics N        topics, at most as many as subscribers (default 1)
      --publishers N    connections that publish, each to all topics in turn (default 1)
      --rate N          events per second of all publishers, sent when they are due, whatever has been received
      --window N        without --rate: how many events may be on their way to each subscriber (default 64)
      --payload BYTES   the size of an event, 48 to 4000 (default 64)
      --milliseconds N  how long to measure (default 2000), after a warm-up of a quarter of that
    """

  init(_ arguments: [String]) throws(Arguments.Problem) {
    let found = try Arguments(
      arguments,
      valued: [
        "--port", "--server-pid", "--in-process", "--loops", "--subscribers", "--topics", "--publishers",
        "--rate", "--window", "--payload", "--milliseconds",
      ])
    for (one, other) in Self.exclusive { try found.exclude(one, other) }
    switch (found["--port"], found["--in-process"]) {
    case (nil, nil): throw .bad("'--port' of a server or '--in-process' is needed; see ServerLoad --help")
    case (.some, _):
      target = .server(
        port: try found.number("--port", in: 1...65_535, orElse: 1),
        process: try found.number("--server-pid", in: 1...4_194_304))
    case (nil, .some):
      target = .inProcess(
        try found.choice("--in-process", orElse: .weir),
        loops: try found.number("--loops", in: 1...64, orElse: 2))
    }
    subscribers = try found.number("--subscribers", in: 1...60_000, orElse: 100)
    topics = try found.number("--topics", in: 1...subscribers, orElse: 1)
    publishers = try found.number("--publishers", in: 1...1_000, orElse: 1)
    rate = try found.number("--rate", in: 1...10_000_000)
    window = try found.number("--window", in: 1...100_000, orElse: 64)
    payload = try found.number("--payload", in: 48...4_000, orElse: 64)
    milliseconds = try found.number("--milliseconds", in: 10...600_000, orElse: 2_000)
  }

  /// A broker alone gets events as fast as it delivers them.
  private static let exclusive = [
    ("--port", "--in-process"), ("--port", "--loops"), ("--in-process", "--server-pid"),
    ("--in-process", "--rate"), ("--rate", "--window"),
  ]

  static func topic(_ number: Int) -> String { "topic-\(number)" }

  /// The number of subscribers of a topic.
  func subscribers(of topic: Int) -> Int {
    subscribers / topics + (topic < subscribers % topics ? 1 : 0)
  }
}
