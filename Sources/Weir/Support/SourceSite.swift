// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A place in a user's code.
@usableFromInline
struct SourceSite: Sendable {
  let fileID: StaticString
  let line: UInt

  @usableFromInline
  init(fileID: StaticString, line: UInt) { (self.fileID, self.line) = (fileID, line) }
}
