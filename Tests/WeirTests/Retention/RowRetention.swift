// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Memory that is neither an object nor a block of the lock-free structures: only LeakSanitizer sees it.
extension Retention {
  @Suite struct Rows {
    @Test("rows too large for their run leave no block behind, complete or not")
    func blocks() async {
      await #expect(processExitsWith: .success) {
        for present in [3, 9] {
          let subjects = (0..<9).map { _ in Subject<Int, Never>() }
          let signals = subjects.map(\.signal)
          let runs = [Signal.combineLatest(signals).subscribe(), Signal.zip(signals).subscribe()]
          for subject in subjects[..<present] { subject.send(1) }
          for run in runs { run.dispose() }
        }
      }
    }
  }
}
