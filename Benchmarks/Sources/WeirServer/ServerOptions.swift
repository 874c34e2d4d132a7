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
    An event server: accepts TCP connections from this machine, and sends published events to the subscribers of their
    topic. A client sends commands, one per line:
      SUB topic             subscribes; the answer is 'SUBSCRIBED topic', and events arrive as 'EVENT topic payload'
      UNSUB topic           ends the subscription; the answer is 'UNSUBSCRIBED topic'
      PUB topic payload     sends the payload to all subscribers of the topic; there is no answer
      PING text             the answer is 'PONG text'
    A topic is one word. An invalid command is answered by 'ERROR' and the reason. If more than --waiting events wait for
    a client that reads too slowly, the oldest are dropped, and it receives 'LOST' and their number (not with --broker
    opencombine).
      --port N       the port on 127.0.0.1 (default 7070); 0 for any free port, which is printed
      --broker NAME  how events get to subscribers: with Weir's subjects (weir, the default), a subject and queues with
                     a mutex (mutex), OpenCombine's subjects (opencombine), or asynchronous streams and tasks (async)
      --loops N      the number of threads for connections (default 2)
      --waiting N    how many events may wait for one connection (default 4096)
    Ctrl-C ends all subscriptions, closes the connections, and exits with 0. To try it: nc 127.0.0.1 7070
    """

  init(_ arguments: [String]) throws(Arguments.Problem) {
    let found = try Arguments(arguments, valued: ["--port", "--broker", "--loops", "--waiting"])
    port = try found.number("--port", in: 0...65_535, orElse: 7_070)
    broker = try found.choice("--broker", orElse: .weir)
    loops = try found.number("--loops", in: 1...256, orElse: 2)
    limits.waitingEvents = try found.number("--waiting", in: 1...1_000_000, orElse: limits.waitingEvents)
  }
}
