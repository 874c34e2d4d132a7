// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir

extension Stress.Orders {
  /// A command whose executions start more of them: the first and the third that a thread announces start one
  /// inside the announcement, which postpones it; and postponed ones start one inside their work. Nothing in
  /// here is under a lock, which would order threads.
  private final class Commanded: @unchecked Sendable {  // `command` is written once, before there are threads
    private enum Kind { case direct, postponed }

    /// How many executions a thread has announced.
    private final class Announcements: @unchecked Sendable {  // each thread has one of its own
      var count = 0
    }

    private let (leaders, followers) = (Announcements(), Announcements())
    private let leader = weir_thread()
    private var announced: Announcements { weir_thread() == leader ? leaders : followers }
    private var command: Command<Kind, Unguarded, Never>?

    init() {
      command = Command(concurrency: .unlimited) { [unowned self] kind in
        Signal.attaching { [unowned self] sink in
          if kind == .postponed { command?.execute(.direct) }
          sink.terminate(.completed)
        }
      }
      let all = Unguarded()
      command?.executions.subscribe { [unowned self] _ in
        all.touch()
        announced.count += 1
        if [1, 3].contains(announced.count) { command?.execute(.postponed) }
      }
    }

    func execute() {
      announced.count = 0
      command?.execute(.direct)
    }
  }

  @Test("a command announces its executions serially and starts postponed ones one after the other")
  func command() {
    expectOrdered(setup: { Commanded() }, [{ it in it.execute() }])
  }
}
