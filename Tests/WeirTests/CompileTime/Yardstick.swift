// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A chain of the standard library's. How long the type checker takes for it tells `CompileTimeTests` how
/// fast the machine is at that moment. It is never run.
enum Yardstick {
  static func yardstick(_ numbers: [Int]) -> [Int] {
    numbers
      .filter { $0 & 6 != 2 }
      .map { $0 * 3 }
      .map { $0 ^ 0xFF }
      .prefix(while: { $0 < 1 << 20 })
      .filter { $0 % 5 != 1 }
      .map { $0 - 1 }
      .map { $0 / 2 }
  }
}
