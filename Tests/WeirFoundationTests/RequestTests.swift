// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Glibc
import Testing
import Weir
import WeirFoundation
import WeirTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests to a server of the test's own.
struct RequestTests {
  private let session = URLSession(configuration: .ephemeral)

  private func request(_ path: String, _ port: UInt16) throws -> URLRequest {
    URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)/\(path)")))
  }

  @Test("X17: each subscription makes a request and receives its data and response, then the completion")
  func answered() async throws {
    let server = LoopbackServer(answering: "hello")
    let signal = session.response(to: try request("", server.port))
    for _ in 0..<2 {
      let answers = try await signal.allValues()
      #expect(answers.map { String(decoding: $0.data, as: UTF8.self) } == ["hello"])
      #expect((answers.first?.response as? HTTPURLResponse)?.statusCode == 200)
    }
    #expect(server.requests.value == 2)
    server.stop()
  }

  @Test("X17: a request that is refused fails and can be retried")
  func refused() async throws {
    let server = LoopbackServer(answering: "")
    server.stop()
    let tries = Counter()
    let signal = session.response(to: try request("", server.port)).initially { tries.add() }.retry(upTo: 2)
    await #expect(throws: URLError.self) { try await signal.allValues() }
    #expect(tries.value == 3)
    withExtendedLifetime(server) {}
  }

  @Test("X17: disposing cancels the request: the connection is closed and the subscriber is released")
  func cancelled() throws {
    let server = LoopbackServer(answering: nil)
    let resources = Resources()
    let subscription = session.response(to: try request("", server.port)).subscribe(
      next: { [token = resources.make()] _ in withExtendedLifetime(token) {} }, failed: { _ in })
    server.came.wait()
    subscription.dispose()
    server.left.wait()
    while resources.alive > 0 { sched_yield() }
    server.stop()
  }

  @Test("the error of a cancelled request is not reported as unhandled")
  func cancelledQuietly() async {
    await #expect(processExitsWith: .success) {
      UnhandledErrors.setHandler { _ in fatalError("reported") }
      let tests = RequestTests()
      let (silent, answering) = (LoopbackServer(answering: nil), LoopbackServer(answering: "hello"))
      let subscription = try tests.session.response(to: tests.request("", silent.port)).subscribe()
      silent.came.wait()
      subscription.dispose()
      // The session delivers one after the other, and the error of the first request is there before the
      // second one is made.
      _ = try await tests.session.response(to: tests.request("", answering.port)).allValues()
    }
  }
}

/// Answers each request alike, or not at all, one connection after the other.
///
/// Nobody else gets its port, nor the number of its socket, before it is deallocated: its thread may still be
/// about to wait for a connection when it is stopped, and would serve that of another test.
private final class LoopbackServer: Sendable {
  let port: UInt16
  let requests = Counter()
  let came = DispatchSemaphore(value: 0)
  /// The other side has closed the connection.
  let left = DispatchSemaphore(value: 0)
  private let listening: Int32

  init(answering text: String?) {
    let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        precondition(bind(listening, $0, size) == 0 && listen(listening, 8) == 0)
        precondition(getsockname(listening, $0, &size) == 0)
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    self.listening = listening
    let answer = text.map {
      "HTTP/1.1 200 OK\r\nContent-Length: \($0.utf8.count)\r\nConnection: close\r\n\r\n\($0)"
    }
    Thread { [self] in
      while case let connection = accept(listening, nil, nil), connection >= 0 {
        serve(connection, answer)
      }
    }.start()
  }

  private func serve(_ connection: Int32, _ answer: String?) {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let end = Array("\r\n\r\n".utf8)
    while received.suffix(4) != end[...] {
      let count = read(connection, &buffer, buffer.count)
      if count <= 0 { break }
      received += buffer.prefix(count)
    }
    requests.add()
    came.signal()
    if let answer { _ = Array(answer.utf8).withUnsafeBytes { write(connection, $0.baseAddress, $0.count) } }
    while read(connection, &buffer, buffer.count) > 0 {}
    left.signal()
    close(connection)
  }

  /// From now on connections are refused.
  func stop() { shutdown(listening, Int32(SHUT_RDWR)) }

  deinit { close(listening) }
}
