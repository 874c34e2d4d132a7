// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc

/// The steps of a run as text: number, thread, operation of the scenario, atomic operation, word (numbered in
/// the order of appearance), and the function that contains the atomic operation.
final class Trace {
  private(set) var lines: [String] = []
  private var names: [UnsafeRawPointer: String] = [:]
  private var functions: [UnsafeMutableRawPointer: String?] = [:]

  func add(_ step: Stage.Step) {
    let thread = String(UnicodeScalar(UInt8(ascii: "A") + UInt8(step.lane.index)))
    let fields = [
      Trace.padded("\(step.number)", to: 5), thread, Trace.padded(step.lane.label, to: 20),
      Trace.padded(String(cString: step.operation), to: 28), Trace.padded(name(of: step.address), to: 5),
      caller() ?? "",
    ]
    lines.append(fields.joined(separator: " "))
  }

  private func name(of address: UnsafeRawPointer?) -> String {
    guard let address else { return "" }
    if let name = names[address] { return name }
    let name = "w\(names.count + 1)"
    names[address] = name
    return name
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// The innermost function that belongs neither to the shim nor to the explorer, and does not just wrap one
  /// primitive.
  private func caller() -> String? {
    guard let backtrace = Trace.backtrace else { return nil }
    return withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: 24) { frames in
      guard let base = frames.baseAddress else { return nil }
      let count = backtrace(base, 24)
      for frame in frames.prefix(Int(count)) {
        guard let frame else { continue }
        if let name = function(at: frame) { return name }
      }
      return nil
    }
  }

  private static let skipped = [
    "WeirExplorer.", "AtomicWord.", "weir_", "backtrace", "observe", "<unknown>", "??",
  ]

  private func function(at frame: UnsafeMutableRawPointer) -> String? {
    if let name = functions[frame] { return name }
    let name = Trace.symbols(at: frame).map(Trace.readable).first { name in
      !Trace.skipped.contains(where: name.contains)
    }
    functions[frame] = .some(name.map(Trace.shortened))
    return functions[frame] ?? nil
  }

  /// The functions at an address, as far as the system or a sanitizer knows; inlined ones first.
  private static func symbols(at frame: UnsafeMutableRawPointer) -> [String] {
    if let symbolize {
      return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4_000) { buffer in
        guard var name = buffer.baseAddress else { return [] }
        // A return address may already belong to the next function.
        symbolize(frame - 1, "%f", name, buffer.count)
        var names: [String] = []
        while name.pointee != 0 {
          names.append(String(cString: name))
          name += strlen(name) + 1
        }
        return names
      }
    }
    // The name is the third of four pointers.
    var info: (UInt, UInt, UnsafePointer<CChar>?, UInt) = (0, 0, nil, 0)
    guard let dladdr, dladdr(frame, &info) != 0, let name = info.2 else { return [] }
    return [String(cString: name)]
  }

  // Functions that the Glibc module does not declare.
  private typealias Backtrace =
    @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, Int32) -> Int32
  private typealias Describe = @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> Int32
  private typealias Symbolize =
    @convention(c) (
      UnsafeRawPointer, UnsafePointer<CChar>, UnsafeMutablePointer<CChar>, Int
    ) -> Void
  private static let backtrace = dlsym(nil, "backtrace").map { unsafeBitCast($0, to: Backtrace.self) }
  private static let dladdr = dlsym(nil, "dladdr").map { unsafeBitCast($0, to: Describe.self) }
  private static let symbolize = dlsym(nil, "__sanitizer_symbolize_pc").map {
    unsafeBitCast($0, to: Symbolize.self)
  }

  private typealias Demangle =
    @convention(c) (
      UnsafePointer<CChar>, Int, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UInt32
    ) -> UnsafeMutablePointer<CChar>?

  private static let demangle = dlsym(nil, "swift_demangle").map { unsafeBitCast($0, to: Demangle.self) }

  private static func readable(_ symbol: String) -> String {
    guard let demangled = demangle?(symbol, symbol.utf8.count, nil, nil, 0) else { return symbol }
    defer { free(demangled) }
    return String(cString: demangled)
  }

  /// A name without module, types, arguments and result, which would make lines too long. For a closure, the
  /// name of the function that contains it.
  private static func shortened(_ name: String) -> String {
    var text = name[...]
    while text.hasPrefix("closure #"), let end = text.firstRange(of: ") in ") ?? text.firstRange(of: " in ") {
      text = text[end.upperBound...]
    }
    var depth = 0
    var short = ""
    for character in text {
      if character == "(", !short.isEmpty { break }
      if character == ">" { depth -= 1 }
      if character == "<" { depth += 1 }
      if depth == 0, character != ">" { short.append(character) }
    }
    if short.hasPrefix("Weir.") { short.removeFirst(5) }
    if let getter = short.firstRange(of: ".getter") { short.removeSubrange(getter.lowerBound...) }
    return short
  }
}
