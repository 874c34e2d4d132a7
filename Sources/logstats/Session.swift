// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc
import Weir

/// Reads the inputs, block by block, into the pipeline.
final class Session {
  let pipeline: Pipeline
  let progress = Subject<Progress, Never>()
  private(set) var bytesRead = 0
  private let mode: LineReader.Mode
  private var (parser, readers) = (RequestParser(), [LineReader]())
  init(_ pipeline: Pipeline, _ paths: [Argument], _ mode: LineReader.Mode) throws(ExitError) {
    (self.pipeline, self.mode) = (pipeline, mode)
    for path in paths { readers.append(try LineReader(path, mode)) }
  }
  var names: String { readers.map(\.name).joined(separator: ", ") }

  /// Reads the inputs one after the other; followed ones are then read in turn until Ctrl-C. Returns the exit
  /// status. Only for followed inputs does it matter how fast they are written.
  func run(closingWindowsAfter quietTime: Duration) -> Int32 {
    StopSignal.keepBack()
    let sizes = readers.compactMap(\.size)
    let total = sizes.count == readers.count ? sizes.reduce(0, +) : nil
    let start = ContinuousClock.now
    var (lastRead, status) = (start, Int32(0))
    while status < 128, let reader = readers.first {
      var pause = 0
      do throws(ExitError) {
        switch try reader.advance({ take($0, from: reader) }) {
        case .read(let count): (bytesRead, lastRead) = (bytesRead + count, .now)
        case .idle where mode == .follow:
          (readers, pause) = (readers.dropFirst() + [reader], 100_000_000 / readers.count)
        case .idle: break
        case .ended: readers.removeFirst()
        }
      } catch {
        pipeline.errors.send(error)
        status = error.report()
        readers.removeFirst()
      }
      if mode == .follow, .now - lastRead >= quietTime { pipeline.windows.close() }
      progress.send((bytesRead, total, (.now - start) / .seconds(1)))
      status = StopSignal.status(waiting: pause) ?? status
    }
    for reader in readers { reader.finish { take($0, from: reader) } }
    pipeline.windows.close()
    return status
  }

  private func take(_ line: Span<UInt8>, from reader: LineReader) {
    do {
      guard let request = try parser.parse(line) else { return }
      if !reader.hasBegun { pipeline.windows.inputBegins(at: request.time) }
      reader.hasBegun = true
      pipeline.requests.send(request)
    } catch {
      pipeline.rejects.send((reader.name, reader.lineNumber, error))
    }
  }
}
