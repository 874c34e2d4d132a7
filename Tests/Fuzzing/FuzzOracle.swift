// Part of Weir. SPDX-License-Identifier: Apache-2.0

// What libFuzzer calls with each string of bytes. perf/fuzz compiles it, as no product may have libFuzzer's
// `main`.
import Glibc
import Weir
import WeirOracle

/// Runs the programs that the bytes mean, one of each shape that has everything, and stops the process where
/// Weir and the model differ.
@_cdecl("LLVMFuzzerTestOneInput")
public func runProgram(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeBufferPointer(start: bytes, count: count)
  // Not `lazy…first`, which would run a program with a difference once more, and trap if it then has none.
  for shape in [Program.Shape.anything, .timed, .state, .objects] {
    if let found = Oracle().disagreement(on: Program(decoding: bytes, shape)) { report(found, of: bytes) }
  }
  return 0
}

private func report(_ disagreement: Disagreement, of bytes: UnsafeBufferPointer<UInt8>) -> Never {
  print(disagreement)
  let digits = hexadecimal(Array(bytes))
  print("repeat with WEIR_ORACLE_REPLAY=\(digits)")
  fflush(nil)
  abort()
}

/// Unhandled errors are part of random programs.
@_cdecl("LLVMFuzzerInitialize")
public func prepare(_ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutableRawPointer) -> CInt {
  UnhandledErrors.setHandler { _ in }
  return 0
}
