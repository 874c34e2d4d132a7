// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

#if compiler(>=6.3)  // Closures of exit tests capture values from 6.3 on.
@Suite struct BacklogMessageTests {
  @Test(
    "the message of a full buffer says what usually fills it, and where to name the run",
    arguments: [
      ("observe(on:)", "or find out what keeps the receiver busy; to learn which", "before it"),
      ("flatMap", "that does not end, such as a request without a timeout; to learn which", "before it"),
      ("zip", "or find out why the other signal sends less; to learn which", "behind it"),
      ("delay", "or slow the source down; to learn which", "behind it"),
    ])
  func message(of name: String, saying remedy: String, namedAt place: String) async {
    let unnamed = await printed(of: name, named: nil)
    #expect(unnamed.contains("weir: \(name): 1 values are buffered"))
    #expect(unnamed.contains("\(remedy) \(name) it is, put `named(_:)` \(place)"))
    // Who has done so is not told again.
    let isBefore = place == "before it"
    let named = await printed(of: name, named: isBefore ? "before" : "behind")
    #expect(named.contains("weir: \(name) of \"\(isBefore ? "before" : "behind")\": 1 values are buffered"))
    #expect(!named.contains("named(_:)"))
  }

  /// What the process prints when the buffer of an operator is full, whose run may have a name on one side.
  private func printed(of name: String, named place: String?) async -> String {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [name = name as String, place = place as String?] in
      let (source, other) = (Subject<Int, Never>(), Subject<Int, Never>())
      let before = place == "before" ? source.named("before") : source.signal
      let one = Backlog<Never>.bounded(1, onOverflow: .trap)
      let signal: Signal<Int, Never> =
        switch name {
        case "observe(on:)": before.observe(on: QueuedScheduler(), waiting: one)
        case "flatMap": before.flatMap(.concat(waiting: one)) { _ in .never() }
        case "zip": before.zip(with: other, waiting: one).map { $0 + $1 }
        default: before.delay(.seconds(1), on: VirtualScheduler(), waiting: one)
        }
      (place == "behind" ? signal.named("behind") : signal).subscribe()
      for value in 0..<3 { source.send(value) }
    }
    return String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }
}
#endif
