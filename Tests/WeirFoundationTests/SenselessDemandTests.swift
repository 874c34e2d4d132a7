// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Weir
import WeirFoundation
import WeirTesting

#if compiler(>=6.3)  // Closures of exit tests capture values from 6.3 on.
/// Sizes and steps that make no sense, by the message that rejects them: what, and why.
struct SenselessDemandTests {
  static let senseless: [String: @Sendable () -> Void] = [
    "chunks(upTo: 0): a piece must have room for a byte": {
      _ = Signal.chunks(ofFile: "/dev/null", upTo: 0)
    },
    "lines(upTo: 0): a line must have room for a byte": {
      _ = Signal<[UInt8], Never>([[1]]).lines(upTo: 0)
    },
    "schedule(atWallTime:step: 0.0 seconds): the step must be positive": {
      VirtualScheduler().schedule(atWallTime: .distantFuture, step: .zero) {}
    },
  ]

  @Test(
    "a size or a step that is not positive traps with a message that names it",
    arguments: senseless.keys.sorted())
  func notPositive(words: String) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [words] in
      SenselessDemandTests.senseless[words]?()
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("weir: \(words)"), "it said: \(message)")
  }
}
#endif
