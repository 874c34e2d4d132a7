/// The command line, checked.
struct Options: Equatable, Sendable {
  var paths: [String] = []
  var (follow, json, color) = (false, false, true)
  var (window, top) = (10, 10)

  static let help = """
    usage: logstats [FILE|-]... [--follow] [--window 10s] [--top 10] [--json] [--no-color] [--help]
    Reports on access logs: common or combined format, also with the request time as last field, and JSON
    lines. - is standard input; without FILE the bundled sample is read.
      --follow        read on as FILE grows, through rotation and truncation
      --window 10s    log time over which rates are taken, in seconds (s), minutes (m) or hours (h)
      --top 10        how many routes, clients and alerts to list, 1 to 1000
      --json          one JSON object at the end; with --follow also one for each window
      --no-color      no emphasis on a terminal
    exit status: 0 done, 2 unreadable input, 64 wrong usage, 74 unwritable output, 130 interrupted

    """

  init(_ arguments: [String]) throws(ExitError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--follow": follow = true
      case "--json": json = true
      case "--no-color": color = false
      case "--window": window = try Self.count(argument, rest.popFirst(), ["s": 1, "m": 60, "h": 3600], 86_400)
      case "--top": top = try Self.count(argument, rest.popFirst(), ["": 1], 1000)
      case _ where argument.hasPrefix("-") && argument != "-": throw .misuse("unknown option \(argument)")
      default: paths.append(argument)
      }
    }
    if follow && paths.isEmpty { throw .misuse("--follow wants a FILE") }
  }

  /// A number with one of the units, whose value is at most `limit`.
  private static func count(
    _ option: String, _ text: String?, _ units: KeyValuePairs<String, Int>, _ limit: Int
  ) throws(ExitError) -> Int {
    let text = text ?? ""
    for (unit, size) in units where text.hasSuffix(unit) {
      if let count = Int(text.dropLast(unit.count)), 1...limit / size ~= count { return count * size }
    }
    let limits = units.map { "1\($0) to \(limit / $1)\($0)" }.joined(separator: ", ")
    throw .misuse("\(option) wants \(limits), not \"\(text)\"")
  }
}
