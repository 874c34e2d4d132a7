// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc
import Weir

// Chains as the optimiser compiles them in user code: if they are built where they are subscribed to, they
// become loops and single functions, and their objects become local variables. Test suites run without
// optimisation and never test that. Build this with optimisation, and run it under valgrind as well.

/// An event that a subscriber got.
enum Note: Equatable {
  case value(Int)
  case failed(Broken)
  case completed
}

/// The error of chains that fail.
struct Broken: Error, Equatable { var code = 0 }

/// The events of one run.
final class Log: @unchecked Sendable {  // used by one thread
  var notes: [Note] = []
}

/// A chain, and the events that it must send.
struct ChainCase: Sendable {
  let name: String
  let expected: [Note]
  let run: @Sendable (Log) -> Void

  init(_ name: String, _ expected: [Note], _ run: @escaping @Sendable (Log) -> Void) {
    self.name = name
    self.expected = expected
    self.run = run
  }
}

extension SignalConvertible where Value == Int, Failure == Broken {
  @inline(__always)
  func note(in log: Log) {
    subscribe(
      next: { log.notes.append(.value($0)) }, failed: { log.notes.append(.failed($0)) },
      completed: { log.notes.append(.completed) })
  }
}

/// The values, and the completion.
func all(_ values: Int...) -> [Note] { values.map { .value($0) } + [.completed] }

@main
struct ChainCheck {
  /// Several, since memory that is used after it was freed may have the right content by chance.
  static let repetitions = 20

  @inline(never)
  static func note(_ signal: Signal<Int, Never>) { signal.subscribe { print($0) } }

  /// Whether misuse stops this program with the message that names it, which `precondition` would not print.
  static func stopsWithMessage() -> Bool {
    let command = "SWIFT_BACKTRACE=enable=no '\(CommandLine.arguments[0])' --misuse 2>&1"
    guard let output = popen(command, "r") else { return false }
    var text = ""
    while let character = UInt8(exactly: getc(output)) {
      text.unicodeScalars.append(Unicode.Scalar(character))
    }
    return pclose(output) != 0 && text.contains("weir: take(first: -1): the count must not be negative")
  }

  static func main() {
    let (arguments, usage) = (CommandLine.arguments.dropFirst(), "usage: ChainCheck (without arguments)")
    if arguments.contains("--help") || arguments.contains("-h") { return print(usage) }
    // What `stopsWithMessage` runs.
    if arguments.first == "--misuse" { return note(Signal<Int, Never>([1]).take(first: -arguments.count)) }
    if !arguments.isEmpty {
      let line = "ChainCheck: \(usage)\n"
      write(STDERR_FILENO, line, line.utf8.count)
      exit(64)
    }
    let cases = ChainCase.cold + ChainCase.hot + ChainCase.combined + ChainCase.stored + ChainCase.lists
    var wrong = 0
    for chain in cases {
      for _ in 0..<repetitions {
        let log = Log()
        chain.run(log)
        if log.notes == chain.expected { continue }
        print("\(chain.name): sent \(log.notes), expected \(chain.expected)")
        wrong += 1
        break
      }
    }
    if !stopsWithMessage() {
      print("take(first: -1) does not stop an optimised program with its message")
      wrong += 1
    }
    print("\(cases.count) chains, \(wrong) of them wrong")
    if wrong > 0 { exit(1) }
  }
}
