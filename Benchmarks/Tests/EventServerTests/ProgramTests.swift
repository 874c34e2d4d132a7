// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore
import Testing

@Suite("The program WeirServer")
struct ProgramTests {
  @Test("The server prints where it listens, and exits with 0 on a signal", arguments: [SIGINT, SIGTERM])
  func stopping(_ signal: Int32) async throws {
    let (process, output, _) = try started(["--port", "0", "--loops", "1"])
    let first = try #require(String(data: output.fileHandleForReading.availableData, encoding: .utf8))
    let port = try #require(first.firstMatch(of: /^listening on 127.0.0.1:([0-9]+), broker weir\n/)?.1)
    let address = try SocketAddress(ipAddress: "127.0.0.1", port: #require(Int(port)))
    let client = try await TestClient.connected(to: address)
    try await client.send("SUB a\nPUB a 1\n")
    #expect(await client.lines(2) == ["SUBSCRIBED a", "EVENT a 1"])
    kill(process.processIdentifier, signal)
    #expect(await client.line() == nil)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
  }

  @Test(
    "Bad usage exits with 64 and names what is wrong",
    arguments: [
      (["--port", "x"], "'--port' needs a whole number from 0 to 65535, not 'x'"),
      (["--broker", "rx"], "'--broker' needs one of 'weir', 'mutex', 'opencombine', 'async', not 'rx'"),
      (["--loops"], "'--loops' needs a value after it"),
      (["7070"], "unknown argument '7070'; see WeirServer --help"),
    ])
  func badUsage(_ arguments: [String], _ message: String) throws {
    let (process, _, errors) = try started(arguments)
    process.waitUntilExit()
    #expect(process.terminationStatus == 64)
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(text == "WeirServer: \(message)\n")
  }

  @Test("A port in use exits with 69 and says what to do")
  func takenPort() throws {
    let (first, output, _) = try started(["--port", "0"])
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let port = try #require(line.firstMatch(of: /127.0.0.1:([0-9]+)/)?.1)
    let (second, _, errors) = try started(["--port", String(port)])
    second.waitUntilExit()
    #expect(second.terminationStatus == 69)
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(
      text
        == "WeirServer: cannot listen on 127.0.0.1:\(port): Address already in use; choose another --port, or 0\n"
    )
    first.terminate()
    first.waitUntilExit()
    #expect(first.terminationStatus == 0)
  }

  /// It is built beside the tests.
  private func started(_ arguments: [String]) throws -> (Process, output: Pipe, errors: Pipe) {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: tests).deletingLastPathComponent().appending(
      path: "WeirServer")
    process.arguments = arguments
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    return (process, output, errors)
  }
}
