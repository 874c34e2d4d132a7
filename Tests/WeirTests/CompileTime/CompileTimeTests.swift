// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// How long the compiler takes for code as users write it.
@Suite(.serialized) struct CompileTimeTests {
  private let limit = 1_000.0

  @Test("the type checker needs less than a second for each chain of ten operators")
  func typicalChains() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "TypicalChains.swift")
    let times = try TypeChecker.times(of: file)
    // A run that measures nothing must not pass.
    #expect(times.count == 13, "the chains measured: \(times.map(\.name))")
    for chain in times {
      #expect(chain.milliseconds < limit, "\(chain.name) takes \(chain.milliseconds) ms to type-check")
    }
  }

  @Test("an unlabelled closure that two overloads accept makes a chain ten times slower to type-check")
  func slowChain() throws {
    let file = FileManager.default.temporaryDirectory
      .appending(path: "weir-slow-chain-\(ProcessInfo.processInfo.processIdentifier).swift")
    try slowSource.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let times = try TypeChecker.times(of: file)
    try #require(times.map(\.name) == ["oneMeaning", "twoMeanings"])
    #expect(times[1].milliseconds > 10 * times[0].milliseconds)
  }

  /// Why the form of `subscribe` that takes an observer is called `forward(to:)`.
  private let slowSource = """
    import Weir
    extension SignalConvertible {
      func finish(next: @Sendable (Value) -> Void) {}
      func finish<Receiver: ObserverProtocol>(_ observer: Receiver)
      where Receiver.Value == Value, Receiver.Failure == Failure {}
    }
    func oneMeaning(_ numbers: Subject<Int, Never>) {
      numbers.filter { $0 & 6 != 2 }.map { $0 * 2 + 1 }.map { $0 - 7 }.map { $0 / 2 }
        .filter { $0 & 1 == 0 }.finish(next: { print($0) })
    }
    func twoMeanings(_ numbers: Subject<Int, Never>) {
      numbers.filter { $0 & 6 != 2 }.map { $0 * 2 + 1 }.map { $0 - 7 }.map { $0 / 2 }
        .filter { $0 & 1 == 0 }.finish { print($0) }
    }
    """
}

/// Runs the compiler's type checker on a file that imports Weir, as it was built for the running tests.
enum TypeChecker {
  struct Chain {
    let name: String
    var milliseconds: Double
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The longest time of an expression in each function of the file that has a measured one, in the order of
  /// the file.
  static func times(of file: URL) throws -> [Chain] {
    let functions = try functionLines(of: file)
    var chains = functions.map { Chain(name: $0.name, milliseconds: 0) }
    let output = try typeCheck(file)
    for line in output.split(separator: "\n") {
      if line.contains("error:"), !line.contains("in reasonable time") {
        throw Failure(description: "the type checker rejects \(file.lastPathComponent):\n\(output)")
      }
      guard let (milliseconds, lineNumber) = measurement(line),
        let index = functions.lastIndex(where: { $0.line <= lineNumber })
      else { continue }
      chains[index].milliseconds = max(chains[index].milliseconds, milliseconds)
    }
    return chains.filter { $0.milliseconds > 0 }
  }

  private static func functionLines(of file: URL) throws -> [(name: String, line: Int)] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated().compactMap { index, line in
        guard let match = line.firstMatch(of: /^ *(?:static )?func (\w+)/) else { return nil }
        return (String(match.1), index + 1)
      }
  }

  /// A line such as `12.34ms	/path/TypicalChains.swift:20:5`.
  private static func measurement(_ line: Substring) -> (milliseconds: Double, line: Int)? {
    guard let match = line.firstMatch(of: /^([0-9.]+)ms\t.*:([0-9]+):[0-9]+$/),
      let milliseconds = Double(match.1), let number = Int(match.2)
    else { return nil }
    return (milliseconds, number)
  }

  /// What the compiler says about a file, with the times of its expressions.
  static func typeCheck(_ file: URL) throws -> String {
    let products = try products()
    let process = Process()
    process.executableURL = try compiler()
    process.arguments = [
      "-frontend", "-typecheck", "-swift-version", "6", "-module-name", "Chains",
      "-I", products.appending(path: "Modules").path(),
      "-Xcc", "-fmodule-map-file=" + products.appending(path: "CWeirAtomics.build/module.modulemap").path(),
      // Times are printed only where a limit is set as well.
      "-debug-time-expression-type-checking", "-warn-long-expression-type-checking=1000",
      file.path(),
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    if process.terminationReason == .uncaughtSignal {
      throw Failure(
        description: "the type checker was ended by signal \(process.terminationStatus):\n\(text)")
    }
    return text
  }

  /// Where the build put the modules: beside the running tests or above them.
  private static func products() throws -> URL {
    let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    var directory = URL(filePath: executable).deletingLastPathComponent()
    while directory.path() != "/" {
      let module = directory.appending(path: "Modules/Weir.swiftmodule")
      if FileManager.default.fileExists(atPath: module.path()) { return directory }
      directory.deleteLastPathComponent()
    }
    throw Failure(description: "there is no Modules/Weir.swiftmodule beside or above \(executable)")
  }

  /// The compiler that SWIFT_EXEC names, or the first one on the search path.
  private static func compiler() throws -> URL {
    let environment = ProcessInfo.processInfo.environment
    let directories = (environment["PATH"] ?? "").split(separator: ":")
    let candidates = [environment["SWIFT_EXEC"]].compactMap(\.self) + directories.map { "\($0)/swiftc" }
    guard let path = candidates.first(where: FileManager.default.isExecutableFile(atPath:)) else {
      throw Failure(
        description: "no swiftc: neither SWIFT_EXEC nor PATH (\(directories.joined(separator: ":"))) has one")
    }
    return URL(filePath: path)
  }
}
