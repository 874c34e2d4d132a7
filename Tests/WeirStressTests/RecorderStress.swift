// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

extension Stress {
  /// A recorder that is read, and waited for, while another thread sends.
  @Suite struct RecorderStress {
    init() { perturb() }

    @Test("a recorder may be read while another thread sends")
    func readMeanwhile() {
      let count = 500
      for _ in 0..<roundCount(200) {
        let subject = Subject<String, Never>()
        let recorder = Recorder(subject)
        withThreads(2) { index in
          guard index == 0 else {
            while recorder.values.count < count || recorder.completion == nil {}
            return
          }
          for number in 0..<count { subject.send("a string with memory of its own: \(number)") }
          subject.complete()
        }
        #expect(recorder.events.count == count + 1)
      }
    }

    @Test("a task that waits for the events of another thread misses none, and not the end")
    func waitForEvents() async {
      for round in 0..<roundCount(2_000) {
        let recorder = Recorder(Signal<Int, Never>(0..<10).observe(on: .pool))
        await recorder.waitForEvents(round % 10)
        #expect(recorder.events.count >= round % 10)
        await recorder.waitForEnd()
        #expect(recorder.values.count == 10 && recorder.completion == .completed)
      }
    }
  }
}
