// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CBenchSupport
import Glibc

/// Writes buffered output; ends the process with 74 if that fails, or if writing has failed before. A program
/// calls this before it ends with 0, since later errors would go unnoticed.
package func flushOutput() {
  let error = bench_flush_output()
  if error != 0 { fail("standard output: \(String(cString: strerror(error)))", status: 74) }
}
