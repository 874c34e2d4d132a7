// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import EventServer

/// The command line of the server.
struct ServerOptions {
  let port: Int
  let broker: BrokerKind
  let loops: Int
  var limits = ServerLimits()

  static let usage = """
    usage: WeirServer [--port N] [--broker weir|mutex|opencombine|async] [--loops N] [--waiting N]
    Takes lines from TCP connections of this machine, and sends what is published to those who have subscribed:
      SUB topic             answered by 'SUBSCRIBED topic'; from then on 'EVENT topic payload' comes
      UNSUB topic           answered by 'UNSUBSCRIBED topic'
      PUB topic payload     sends the payload to all who are subscribed to the topic
      PING text             answered by 'PONG text'
    What is wrong is answered by 'ERROR' and the reason. A reader that is behind by more than --waiting events loses the oldest,
    and reads 'LOST' and how many. Topics are words; they are kept while somebody is subscribed.
      --port N       where to listen on 127.0.0.1, 7070 unless given; 0 for one that is free
      --broker NAME  what hands events on: Weir's subjects (weir), a subject and queues over a mutex (mutex), OpenCombine's subjects
                     (opencombine), or asynchronous streams and tasks (async)
      --loops N      threads for connections, 2 unless given
      --waiting N    events that wait for one connection at most, 4096 unless given
    Ctrl-C ends all subscriptions, closes the connections, and exits with 0. Try it: nc 127.0.0.1 7070
    """

  init(_ arguments: [String]) throws(Arguments.Problem) {
    let found = try Arguments(arguments, valued: ["--port", "--broker", "--loops", "--waiting"])
    port = try found.number("--port", in: 0...65_535, orElse: 7_070)
    broker = try found.choice("--broker", orElse: .weir)
    loops = try found.number("--loops", in: 1...256, orElse: 2)
    limits.waitingEvents = try found.number("--waiting", in: 1...1_000_000, orElse: limits.waitingEvents)
  }
}
