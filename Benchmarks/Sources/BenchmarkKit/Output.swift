// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CBenchSupport
import Glibc

/// Writes what was printed and is still to be written; ends the process with 74 unless all of it could be,
/// now and before. A program calls this before it ends with 0, as nobody looks at what comes of it later.
package func flushOutput() {
  let error = bench_flush_output()
  if error != 0 { fail("standard output: \(String(cString: strerror(error)))", status: 74) }
}
