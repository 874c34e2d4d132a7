// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Foundation
import Testing
import WeirOracle

extension Program.Shape {
  /// Programs with state have more steps: so there are half as many.
  fileprivate var share: Int { self == .state || self == .objects ? 2 : 1 }
}

@Suite struct OracleTests {
  private func trials(_ shape: Program.Shape) -> Trials {
    Trials(shape) { program in Oracle().disagreement(on: program).map { "\($0)" } }
  }

  private static func setting(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

  @Test(
    "Weir and the model agree on random programs: on each event, and on what is released",
    arguments: [Program.Shape.anything, .chain, .timed, .state, .objects])
  func randomPrograms(shape: Program.Shape) throws {
    if let digits = Self.setting("WEIR_ORACLE_REPLAY") {
      let given = try #require(
        bytes(fromHexadecimal: digits),
        "WEIR_ORACLE_REPLAY=\(digits): give the hexadecimal digits of a report")
      print(Program(decoding: given, shape))
      if let report = trials(shape).report(on: given) { Issue.record("\(report)") }
      return
    }
    // The same programs each time, unless others are requested: so a failure is due to the change under test.
    let seed = Self.setting("WEIR_ORACLE_SEED").flatMap { UInt64($0) } ?? 1
    let scale = Self.setting("WEIR_ORACLE_SCALE").flatMap { Int($0) } ?? 1
    // The sanitizers' builds are many times slower.
    let count = (weir_atomics_are_hooked() ? 500 : 3_000) / shape.share
    if let report = trials(shape).run(count * scale, seed: seed) { Issue.record("\(report)") }
  }

  @Test(
    "few random programs are compared less strictly, or not at all",
    arguments: [Program.Shape.anything, .timed, .state, .objects])
  func precision(shape: Program.Shape) {
    var counts: [Precision: Int] = [:]
    let trials = Trials(shape) { program in
      counts[Oracle().precision(on: program), default: 0] += 1
      return nil
    }
    _ = trials.run(3_000 / shape.share, seed: 1)
    // With state there are circles in which a value goes round for ever, and work of commands lets go.
    let (byStep, nothing) = shape.hasState ? (100, 90) : (90, 15)
    #expect(counts[.byStep, default: 0] < byStep, "\(counts)")
    #expect(counts[.vague, default: 0] + counts[.none, default: 0] < nothing, "\(counts)")
  }

  @Test("Weir and the model agree on the programs of the fuzzer's corpus")
  func corpus() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Corpus/oracle")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    #expect(files.count > 50)
    for file in files {
      for shape in [Program.Shape.anything, .timed, .state, .objects] {
        if let report = trials(shape).report(on: Array(try Data(contentsOf: file))) {
          Issue.record("\(file.lastPathComponent): \(report)")
        }
      }
    }
  }

  @Test("any bytes decode to a program, none as well; wrong hexadecimal digits decode to nil")
  func decoding() {
    #expect(Program(decoding: []).steps.count == 1)
    for shape in [Program.Shape.anything, .eachSourceOnce, .chain, .timed, .state, .objects] {
      for byte in UInt8.min...UInt8.max {
        for count in [1, 2, 3, 50, 1_000] {
          let steady = Program(decoding: repeatElement(byte, count: count), shape)
          let rising = Program(decoding: (0..<count).map { byte &+ UInt8(truncatingIfNeeded: $0) }, shape)
          #expect(!steady.steps.isEmpty && !rising.steps.isEmpty, "\(count) times \(byte), or from there on")
        }
      }
    }
    #expect(bytes(fromHexadecimal: "00ff2a") == [0, 255, 42])
    #expect(bytes(fromHexadecimal: "0g") == nil)
    #expect(bytes(fromHexadecimal: "123") == nil)
  }
}
