// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import EventServer
import Glibc
import NIOCore

@main
struct WeirServer {
  static func main() {
    let options = Arguments.parsed(usage: ServerOptions.usage, ServerOptions.init)
    // Blocked before there are threads, which inherit that: the signals stay pending until sigwait below.
    var signals = sigset_t()
    for signal in [SIGINT, SIGTERM] { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    signal(SIGPIPE, SIG_IGN)
    OpenFiles.allowMany()

    let server = start(options)
    print("listening on 127.0.0.1:\(server.address.port ?? options.port), broker \(options.broker.rawValue)")
    flushOutput()  // A program that has started the server waits for this line.
    var number: Int32 = 0
    sigwait(&signals, &number)
    // An error does not matter here: the reader of the line above may have gone.
    write(STDOUT_FILENO, "stopping\n", 9)
    server.stop { error in
      if let error { fail("could not shut down cleanly: \(error)", status: 70) }
      exit(0)
    }
    while true { pause() }
  }

  private static func start(_ options: ServerOptions) -> Server {
    do {
      return try Server.start(port: options.port, options.broker, loops: options.loops, options.limits).wait()
    } catch let error as IOError {
      let reason = String(cString: strerror(error.errnoCode))
      fail("cannot listen on 127.0.0.1:\(options.port): \(reason); choose another --port, or 0", status: 69)
    } catch {
      fail("cannot listen on 127.0.0.1:\(options.port): \(error)", status: 69)
    }
  }
}
