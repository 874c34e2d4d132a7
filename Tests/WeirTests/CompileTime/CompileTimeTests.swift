// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// How long the compiler takes for code as users write it.
@Suite(.serialized) struct CompileTimeTests {
  @Test("the type checker needs less than a second for each chain of ten operators")
  func typicalChains() throws {
    let times = try quickest(of: [tests.appending(path: "CompileTime/TypicalChains.swift")])
    // A run that measures nothing must not pass.
    #expect(times.count == 13 + 1, "the chains measured: \(times.map(\.name))")
    try expectQuick(times)
  }

  @Test("the type checker needs less than a second for each recipe of the documentation")
  func recipes() throws {
    let files = ["Recipes", "Recipes+Flow", "Recipes+State", "Recipes+Upstream"].map {
      tests.appending(path: "Recipes/\($0).swift")
    }
    let times = try quickest(of: files)
    let names = times.map(\.name)
    #expect(Set(["enterInTurn", "totals", "ended"]).isSubset(of: names), "the recipes measured: \(names)")
    try expectQuick(times)
  }

  private let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

  /// The shortest times of up to three measurements: other work on the machine makes one of them long.
  private func quickest(of files: [URL]) throws -> [TypeChecker.Chain] {
    let files = files + [tests.appending(path: "CompileTime/Yardstick.swift")]
    var chains = try TypeChecker.times(of: files)
    for _ in 0..<2 where try !slow(chains).isEmpty {
      let again = Dictionary(
        try TypeChecker.times(of: files).map { ($0.name, $0.milliseconds) }, uniquingKeysWith: max)
      for index in chains.indices {
        chains[index].milliseconds = min(
          chains[index].milliseconds, again[chains[index].name] ?? chains[index].milliseconds)
      }
    }
    return chains
  }

  /// Those that take a second or more where the yardstick takes 100 ms, as on the slower of our machines: on
  /// one that is slower still, they may take longer in proportion.
  private func slow(_ chains: [TypeChecker.Chain]) throws -> [TypeChecker.Chain] {
    let yardstick = try #require(chains.first { $0.name == "yardstick" }).milliseconds
    return chains.filter { $0.milliseconds >= 1_000 * max(1, yardstick / 100) }
  }

  private func expectQuick(_ chains: [TypeChecker.Chain]) throws {
    let slow = try slow(chains)
    #expect(slow.isEmpty, "these take too long to type-check: \(slow); all: \(chains)")
  }

  @Test("an unlabelled closure that two overloads accept makes a chain ten times slower to type-check")
  func slowChain() throws {
    let file = FileManager.default.temporaryDirectory
      .appending(path: "weir-slow-chain-\(ProcessInfo.processInfo.processIdentifier).swift")
    try slowSource.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let times = try TypeChecker.times(of: [file])
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

/// Runs the compiler's type checker on files that import Weir, as it was built for the running tests.
enum TypeChecker {
  struct Chain {
    let name: String
    var milliseconds: Double
  }

  /// A line of a source.
  private struct Place {
    let path: Substring
    let line: Int
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The longest time of an expression in each function of the files that has a measured one, in their order.
  static func times(of files: [URL]) throws -> [Chain] {
    let functions = try files.flatMap(functions)
    var chains = functions.map { Chain(name: $0.name, milliseconds: 0) }
    let output = try typeCheck(files)
    for line in output.split(separator: "\n") {
      if line.contains("error:"), !line.contains("in reasonable time") {
        throw Failure(description: "the type checker rejects \(files.map(\.lastPathComponent)):\n\(output)")
      }
      guard let (milliseconds, place) = measurement(line),
        let index = functions.lastIndex(where: { $0.begin.path == place.path && $0.begin.line <= place.line })
      else { continue }
      chains[index].milliseconds = max(chains[index].milliseconds, milliseconds)
    }
    return chains.filter { $0.milliseconds > 0 }
  }

  private static func functions(of file: URL) throws -> [(name: String, begin: Place)] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated().compactMap { index, line in
        guard let match = line.firstMatch(of: /^ *(?:\w+ )*func (\w+)/) else { return nil }
        return (String(match.1), Place(path: file.path()[...], line: index + 1))
      }
  }

  /// A line such as `12.34ms	/path/TypicalChains.swift:20:5`.
  private static func measurement(_ line: Substring) -> (milliseconds: Double, place: Place)? {
    guard let match = line.firstMatch(of: /^([0-9.]+)ms\t(.*):([0-9]+):[0-9]+$/),
      let milliseconds = Double(match.1), let number = Int(match.3)
    else { return nil }
    return (milliseconds, Place(path: match.2, line: number))
  }

  /// What the compiler says about files, with the times of their expressions.
  static func typeCheck(_ files: [URL]) throws -> String {
    let products = try products()
    let process = Process()
    process.executableURL = try compiler()
    process.arguments = [
      "-frontend", "-typecheck", "-swift-version", "6", "-module-name", "Chains",
      "-I", products.appending(path: "Modules").path(),
      "-Xcc", "-fmodule-map-file=" + products.appending(path: "CWeirAtomics.build/module.modulemap").path(),
      "-Xcc", "-fmodule-map-file=" + products.appending(path: "CWeirSystem.build/module.modulemap").path(),
      // Times are printed only where a limit is set as well.
      "-debug-time-expression-type-checking", "-warn-long-expression-type-checking=1000",
    ]
    process.arguments? += files.map { $0.path() }
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
