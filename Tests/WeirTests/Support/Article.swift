// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Foundation

/// The blocks of Swift code of an article in Weir.docc.
func codeBlocks(of article: String) throws -> [String] {
  let package = URL(filePath: #filePath).appending(path: "../../../..").standardized
  let path = package.appending(path: "Sources/Weir/Weir.docc/\(article).md")
  return try String(contentsOf: path, encoding: .utf8).components(separatedBy: "```").enumerated()
    .filter { $0.offset % 2 == 1 }
    .map { String($0.element.dropFirst("swift\n".count)) }
}
