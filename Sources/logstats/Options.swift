// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The command line, checked.
struct Options: Sendable {
  var paths: [Argument] = []
  var follow = false
  var json = false
  var color = true
  /// In seconds.
  var window = 10
  var top = 10
  /// How much `--top` may ask for.
  static let longestList = 1000
  static let help = """
    usage: logstats [FILE|-]... [--follow] [--window 10s] [--top 10] [--json] [--no-color] [--help]
    Reports on access logs: in common or combined format, or as JSON lines with the names that nginx, Apache and Caddy
    use. The request time may be added as the last field: in seconds with a fraction, as nginx's $request_time, or in
    whole microseconds, as Apache's %D; in JSON it is request_time or duration, in seconds.
    - is standard input. Without FILE, the sample in the checkout is read. FILEs are read one after the other; where
    their times overlap, each has windows of its own.
      --follow        keep reading as FILE grows, also after it was rotated or truncated
      --window 10s    the log time over which rates are computed, in seconds (s), minutes (m) or hours (h)
      --top 10        how many routes, clients and alerts to list, 1 to 1000
      --json          print one JSON object at the end; with --follow also one for each window that is over
      --no-color      no emphasis on a terminal
      -h, --help      print this help
      --              all further arguments are FILEs, even if they begin with -
    A value may also follow an equals sign: --window=10s, --top=10.
    Memory use is constant: up to 10,000 routes and 10,000 clients are counted exactly. If there are more, only the
    frequent ones are tracked, and their counts are bounds: at most the number after ≤, at least that in at_least.
    Names are told apart by their first 512 bytes, as Unicode text. Of malformed lines, the first five are listed.
    exit status: 0 done, also if the reader of a pipe has gone, as with | head -1; 2 unreadable input, 64 wrong usage,
    65 no line is a request, 74 unwritable output; otherwise, 130 if interrupted, 143 if terminated

    """

  /// Whether help is asked for, whatever the other arguments are.
  static func askForHelp(_ arguments: [Argument]) -> Bool {
    arguments.map(\.text).prefix { $0 != "--" }.contains { $0 == "-h" || $0 == "--help" }
  }

  init(_ arguments: [Argument]) throws(ExitError) {
    let longest = Self.longestList
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let option = argument.text
      switch option {
      case "--": (paths, rest) = (paths + rest, [])
      case "--follow": follow = true
      case "--json": json = true
      case "--no-color": color = false
      case "--window": window = try Self.count(option, rest.popFirst(), 86_400, ["s": 1, "m": 60, "h": 3600])
      case "--top": top = try Self.count(option, rest.popFirst(), longest, ["": 1])
      case _ where option.hasPrefix("--window=") || option.hasPrefix("--top="):
        // As if they were two words.
        let words = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        rest = words.map { Argument(String($0)) } + rest
      case _ where option.hasPrefix("-") && option != "-": throw .misuse("unknown option \(option)")
      case "": throw .misuse("the name of a FILE is empty")
      default: paths.append(argument)
      }
    }
    if follow && paths.isEmpty { throw .misuse("--follow needs a FILE") }
    if paths.count(where: { $0.text == "-" }) > 1 {
      throw .misuse("- stands for standard input, and can be given only once")
    }
  }

  private static func count(
    _ option: String, _ value: Argument?, _ limit: Int, _ units: KeyValuePairs<String, Int>
  ) throws(ExitError) -> Int {
    let limits = units.map { "1\($0) to \(limit / $1)\($0)" }.joined(separator: ", ")
    guard let text = value?.text else { throw .misuse("\(option) wants a value: \(limits)") }
    // Int would take a sign.
    for (unit, size) in units where text.hasSuffix(unit) && !text.hasPrefix("+") {
      if let count = Int(text.dropLast(unit.count)), 1...limit / size ~= count { return count * size }
    }
    throw .misuse("\(option) wants \(limits), not \"\(text)\"")
  }
}
