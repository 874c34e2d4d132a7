// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc
import Weir

@main enum Logstats {
  static func main() {
    signal(SIGPIPE, SIG_IGN)
    do throws(ExitError) {
      let arguments = Argument.all
      if Options.askForHelp(arguments) { return output(Options.help) }
      exit(try run(Options(arguments)))
    } catch {
      exit(error.report())
    }
  }

  private static func run(_ options: Options) throws(ExitError) -> Int32 {
    let paths = options.paths.isEmpty ? [Argument(try samplePath())] : options.paths
    if options.paths.isEmpty, isPipeOrFile(STDIN_FILENO) {
      ExitError(message: "reads its sample, not standard input: for that, add -", status: 0).report()
    }
    let pipeline = Pipeline(window: options.window)
    let session = try Session(pipeline, paths, options.follow ? .follow : .once)
    let terminal = isatty(STDOUT_FILENO) == 1 && !options.json ? Terminal() : nil
    let emphasis = terminal != nil && options.color ? ("\u{1B}[1m", "\u{1B}[0m") : ("", "")
    let origin = options.paths.isEmpty ? "the sample " : ""
    let heading = [Figure.text("input", origin + session.names)]
    let summary = { @Sendable in pipeline.summary(top: options.top) }
    if !options.json { output(heading.table(emphasis)) }
    if let terminal {
      session.progress.filter(terminal.isDue).subscribe { terminal.draw(summary().table(emphasis), $0) }
      pipeline.errors.subscribe { _ in terminal.clear() }
    } else if options.follow {
      pipeline.windows.closed.subscribe { window in
        let object = Figure(name: "window", text: "", json: window.figures.json)
        let text = (window.isBurst ? "ALERT  " : "") + window.figures.line
        output(options.json ? (heading + [object] + summary()).json + "\n" : text)
      }
    }
    let status = session.run(closingWindowsAfter: .seconds(options.window))
    if session.bytesRead == 0 && status == 2 { return status }
    let text = (terminal?.erasure ?? "") + summary().table(emphasis)
    output(options.json ? (heading + summary()).json + "\n" : text)
    return status == 0 ? pipeline.noRequests?.report() ?? 0 : status
  }

  private static func isPipeOrFile(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && [S_IFIFO, S_IFREG].contains(status.st_mode & S_IFMT)
  }
}

/// Finds the sample: in the checkout above this source file, or above the program.
func samplePath() throws(ExitError) -> String {
  let program = realpath("/proc/self/exe", nil)
  defer { free(program) }
  for start in [#filePath, program.map { String(cString: $0) } ?? ""] {
    var folder = start[...]
    while let slash = folder.lastIndex(of: "/") {
      folder = folder[..<slash]
      let path = "\(folder)/Sources/logstats/Samples/access.log"
      if access(path, R_OK) == 0 { return path }
    }
  }
  throw ExitError(message: "Sources/logstats/Samples/access.log: not found; name a FILE")
}
