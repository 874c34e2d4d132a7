// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc

/// The bytes of memory this process has resident. In a sanitizer's build, those that it has allocated: there
/// the sanitizer's notes about all memory that was ever touched are resident, too, seven times as much.
func residentBytes() -> Int {
  if let allocated = dlsym(nil, "__sanitizer_get_current_allocated_bytes") {
    return unsafeBitCast(allocated, to: (@convention(c) () -> Int).self)()
  }
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 128)
  guard fgets(&line, 128, file) != nil else { return 0 }
  let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * Int(getpagesize())
}

/// By how much resident memory grows while `body` runs for the last nine tenths of `count` times.
func residentGrowth(over count: Int, _ body: () -> Void) -> Int {
  for _ in 0..<count / 10 { body() }
  let before = residentBytes()
  for _ in count / 10..<count { body() }
  return residentBytes() - before
}
