// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

@testable import logstats

@Suite struct SampleTests {
  private static let root = #filePath.components(separatedBy: "/Tests/LogstatsTests/")[0]

  /// Needs python3, in which the generator is written.
  @Test func theGeneratorMakesTheCommittedSample() throws {
    let generator = Process()
    generator.executableURL = URL(fileURLWithPath: "\(Self.root)/perf/generate-access-log")
    let pipe = Pipe()
    generator.standardOutput = pipe
    try generator.run()
    let generated = try #require(try pipe.fileHandleForReading.readToEnd())
    generator.waitUntilExit()
    let path = "\(Self.root)/Sources/logstats/Samples/access.log"
    let committed = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(generated == committed)
  }

  @Test func theSampleShowsEveryReport() throws {
    let pipeline = Pipeline(window: 10)
    let sample = Argument(try samplePath())
    #expect(try Session(pipeline, [sample], .once).run(closingWindowsAfter: .seconds(3600)) == 0)
    // Fifty of 50,000 lines are empty.
    #expect(pipeline.statuses.state.reduce(0, +) + pipeline.malformed.state == 49_950)
    #expect((1..<1000).contains(pipeline.malformed.state))
    #expect((10...18).contains(pipeline.alerts.state.count))
    #expect(pipeline.statuses.state[2...].allSatisfy { $0 > 0 })
    #expect(pipeline.clients.state.counters.count > 1000)
    #expect(pipeline.routes.state.counters.count > 1000)
    #expect((pipeline.durations.state.quantile(0.99) ?? 0) > 100)
  }
}
