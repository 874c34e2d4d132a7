// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import WeirTesting

extension Stress {
  /// ThreadSanitizer sees the shim: a hand-off through release and acquire is silent, one through relaxed
  /// accesses is reported. In ordinary builds only the first runs.
  @Suite struct HandOffStress {
    @Test("A release store and an acquire load publish plain memory")
    func correct() {
      for _ in 0..<200 {
        let box = Box()
        withThreads(2) { index in
          if index == 0 {
            box.payload.pointee = 42
            weir_store_release_u64(box.flag, 1)
          } else {
            while weir_load_acquire_u64(box.flag) == 0 { weir_pause() }
            #expect(box.payload.pointee == 42)
          }
        }
      }
    }

    @Test(
      "Relaxed accesses do not publish plain memory, and ThreadSanitizer reports the race",
      .enabled(if: weir_is_thread_sanitized()))
    func racy() async {
      await #expect(processExitsWith: .failure) {
        for _ in 0..<200 {
          let box = Box()
          withThreads(2) { index in
            if index == 0 {
              box.payload.pointee = 42
              weir_store_relaxed_u64(box.flag, 1)
            } else {
              while weir_load_relaxed_u64(box.flag) == 0 { weir_pause() }
              precondition(box.payload.pointee >= 0)
            }
          }
        }
      }
    }
  }
}

private final class Box: @unchecked Sendable {  // what is under test
  let payload = UnsafeMutablePointer<Int>.allocate(capacity: 1)
  let flag = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
  init() {
    payload.initialize(to: 0)
    flag.initialize(to: 0)
  }
  deinit {
    payload.deallocate()
    flag.deallocate()
  }
}
