// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Memory that is protected by the code under test only.
final class Unguarded: @unchecked Sendable {  // that is the question
  private(set) var touches: Int
  init(_ touches: Int = 0) { self.touches = touches }
  func touch() { touches += 1 }
}
