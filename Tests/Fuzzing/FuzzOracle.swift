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
  let found = [Program.Shape.anything, .timed, .state, .objects].lazy.compactMap { shape in
    Oracle().disagreement(on: Program(decoding: bytes, shape))
  }.first
  guard let disagreement = found else { return 0 }
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
