import Glibc

/// A log to read: a file, or standard input for the path `-`.
struct Input {
  let path: String
  var name: String
  var isFollowed = false

  /// What the options name, or else the bundled sample: in the checkout above this file or above the program.
  static func all(_ options: Options, source: String = #filePath) throws(ExitError) -> [Input] {
    guard options.paths.isEmpty else {
      let name = { $0 == "-" ? "standard input" : $0 }
      return options.paths.map { Input(path: $0, name: name($0), isFollowed: options.follow) }
    }
    let sample = "Sources/logstats/Samples/access.log"
    let program = realpath("/proc/self/exe", nil)
    defer { free(program) }
    for start in [source, program.map { String(cString: $0) } ?? ""] {
      var folder = start[...]
      while let slash = folder.lastIndex(of: "/") {
        folder = folder[..<slash]
        if access("\(folder)/\(sample)", R_OK) == 0 {
          return [Input(path: "\(folder)/\(sample)", name: "\(sample) (the bundled sample)")]
        }
      }
    }
    throw ExitError(message: "\(sample): not found; name a FILE")
  }
}
