// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CTestSupport
import Foundation
import Testing
import Weir

/// `perf/inspect` reads the memory of a running process, as the compiler and the runtime have laid it out.
/// These tests need python3, and addr2line of binutils. Each looks at a process of its own, whose heap is
/// small.
@Suite struct InspectTests {
  struct Order: Sendable {}

  @Test("perf/inspect counts the objects of each class, with its type arguments")
  func objects() async {
    await #expect(processExitsWith: .success) {
      let subjects = (0..<321).map { _ in Subject<Order, Never>() }
      let kept = Subject<Int, Never>()
      for _ in 0..<123 { kept.observe(on: .pool).subscribe { _ in } }
      struct Row: Decodable {
        var `class`: String
        var objects: Int
      }
      let rows: [Row] = try InspectTests.inspect("objects")
      let count = { name in rows.first { $0.class == name }?.objects }
      #expect(count("Weir.Subject<Order, Never>") == 321)
      #expect(count("Weir.Hop<Int, Never>") == 123)
      withExtendedLifetime((subjects, kept)) {}
    }
  }

  @Test("perf/inspect names the functions in which tasks wait")
  func tasks() async {
    await #expect(processExitsWith: .success) {
      let orders = Subject<Order, Never>()
      let waiting = (0..<3).map { _ in Task.detached { await InspectTests.waitsForAnOrder(orders) } }
      struct Row: Decodable {
        var tasks: Int
        var frames: [String]
      }
      // A task that has subscribed may not wait yet: so the script is asked again, a few times.
      var found = 0
      for _ in 0..<20 where found < waiting.count {
        let rows: [Row] = try InspectTests.inspect("tasks")
        let here = rows.filter { row in row.frames.contains { $0.contains("waitsForAnOrder") } }
        found = here.map(\.tasks).reduce(0, +)
      }
      #expect(found == waiting.count)
      orders.complete()
      for task in waiting { await task.value }
    }
  }

  static func waitsForAnOrder(_ orders: Subject<Order, Never>) async {
    _ = await orders.firstValue()
  }

  /// What the script prints about this process.
  static func inspect<Row: Decodable>(_ what: String) throws -> [Row] {
    test_allow_inspection()
    let script = Process()
    let root = #filePath.components(separatedBy: "/Tests/WeirTests")[0]
    script.executableURL = URL(fileURLWithPath: "\(root)/perf/inspect")
    script.arguments = [what, "\(ProcessInfo.processInfo.processIdentifier)", "--json"]
    let pipe = Pipe()
    script.standardOutput = pipe
    try script.run()
    let printed = try #require(try pipe.fileHandleForReading.readToEnd())
    script.waitUntilExit()
    return try JSONDecoder().decode([Row].self, from: printed)
  }
}
