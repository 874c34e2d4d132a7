// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import EventServer

/// The command line of the load.
struct LoadOptions {
  let target: Target
  let subscribers: Int
  let topics: Int
  let publishers: Int
  /// In events a second, all publishers together; nil for as fast as they are received.
  let rate: Int?
  /// Events on their way to each subscriber at most, where there is no rate.
  let window: Int
  let payload: Int
  let milliseconds: Int

  enum Target {
    /// Somebody else's process: it is asked for its processor time if its number is known.
    case server(port: Int, process: Int?)
    /// Brokers without sockets.
    case inProcess(BrokerKind, loops: Int)
  }

  static let usage = """
    usage: ServerLoad (--port N [--server-pid N] | --in-process weir|mutex|opencombine|async [--loops N])
                      [--subscribers N] [--topics N] [--publishers N] [--rate N | --window N] [--payload BYTES] [--milliseconds N]
    Measures an event server on 127.0.0.1, and prints a JSON object: deliveries, those that were lost, and with --rate how long each was
    on its way from when it was due. All connections are served by one thread. perf/server calls it.
      --port N          of the server
      --server-pid N    also tells the processor time and the memory of this process
      --in-process B    no server and no sockets: the broker alone, publishers on threads of their own
      --loops N         its threads, 2 unless given
      --subscribers N   connections that subscribe, each to one topic, 100 unless given
      --topics N        topics, 1 unless given
      --publishers N    connections that publish, each to all topics in turn, 1 unless given
      --rate N          events a second by all of them, sent when they are due whatever has been received
      --window N        without a rate: events that may be on their way to each subscriber, 64 unless given
      --payload BYTES   at least 48 and at most 4000, 64 unless given
      --milliseconds N  how long to measure, 2000 unless given, after a quarter of that as warm-up
    """

  init(_ arguments: [String]) throws(Arguments.Problem) {
    let found = try Arguments(
      arguments,
      valued: [
        "--port", "--server-pid", "--in-process", "--loops", "--subscribers", "--topics", "--publishers",
        "--rate",
        "--window", "--payload", "--milliseconds",
      ])
    switch (found["--port"], found["--in-process"]) {
    case (nil, nil): throw .bad("'--port' of a server or '--in-process' is needed; see ServerLoad --help")
    case (.some, .some): throw .bad("'--port' and '--in-process' exclude each other")
    case (.some, nil):
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

  static func topic(_ number: Int) -> String { "topic-\(number)" }

  /// How many subscribers a topic has.
  func subscribers(of topic: Int) -> Int {
    subscribers / topics + (topic < subscribers % topics ? 1 : 0)
  }
}
