import Glibc
import Weir

@main enum Logstats {
  static func main() {
    signal(SIGPIPE, SIG_IGN)
    do throws(ExitError) {
      let arguments = Array(CommandLine.arguments.dropFirst())
      if arguments.contains("--help") { return output(Options.help) }
      exit(try run(Options(arguments)))
    } catch {
      exit(error.report())
    }
  }

  private static func run(_ options: Options) throws(ExitError) -> Int32 {
    let inputs = try Input.all(options)
    let pipeline = Pipeline(window: options.window)
    let session = try Session(pipeline, inputs)
    let terminal = isatty(STDOUT_FILENO) == 1 && !options.json ? Terminal() : nil
    let isPlain = terminal == nil || !options.color || getenv("NO_COLOR") != nil
    let emphasis = isPlain ? ("", "") : ("\u{1B}[1m", "\u{1B}[0m")
    let heading = [Figure.text("input", inputs.map(\.name).joined(separator: ", "))]
    let summary = { @Sendable in pipeline.summary(top: options.top) }

    if !options.json { output(heading.table(emphasis)) }
    if let terminal {
      session.progress.filter(terminal.isDue).subscribe { terminal.draw(summary().table(emphasis), $0) }
    } else if options.follow {
      pipeline.windows.closed.map(\.figures).subscribe { window in
        let object = Figure(name: "window", text: "", json: window.json)
        output(options.json ? (heading + [object] + summary()).json + "\n" : window.line)
      }
    }
    let status = session.run(closingWindowsAfter: .seconds(options.window))
    if session.bytesRead == 0 && status == 2 { return status }
    let text = { (terminal?.erasure ?? "") + summary().table(emphasis) }
    output(options.json ? (heading + summary()).json + "\n" : text())
    return status
  }
}
