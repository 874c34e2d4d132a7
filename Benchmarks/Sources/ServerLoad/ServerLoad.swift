// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

@main
struct ServerLoad {
  static func main() {
    let options = Arguments.parsed(usage: LoadOptions.usage, LoadOptions.init)
    OpenFiles.allowMany()
    do {
      print(try figures(options).json)
      flushOutput()
    } catch let error as LoadError {
      fail(error.message, status: 69)
    } catch {
      fail("\(error)", status: 69)
    }
  }

  private static func figures(_ options: LoadOptions) throws -> Figures {
    switch options.target {
    case .server(let port, let process):
      try SocketLoad.run(options, port: port, try process.map { try ServerProcess($0) })
    case .inProcess(let kind, let loops): try BrokerLoad.run(options, kind, loops: loops)
    }
  }
}
