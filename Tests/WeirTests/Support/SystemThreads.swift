// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Glibc

/// How many threads of this process have a name that begins with `prefix`.
func threadCount(named prefix: String) -> Int {
  guard let directory = opendir("/proc/self/task") else { return 0 }
  defer { closedir(directory) }
  var count = 0
  while let entry = readdir(directory) {
    let task = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    guard let file = fopen("/proc/self/task/\(task)/comm", "r") else { continue }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 32)
    guard fgets(&line, 32, file) != nil else { continue }
    if String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).hasPrefix(
      prefix)
    {
      count += 1
    }
  }
  return count
}

/// Lets other threads run until `condition` holds: it must become true, however long that takes.
func waitUntil(_ condition: () -> Bool) { while !condition() { weir_yield() } }
