// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

extension Stress {
  /// Runs that are subscribed by one thread, disposed by two, and ended by their sources on a fourth.
  @Suite struct RegistrationStress {
    init() { perturb() }

    @Test("a run is subscribed to three sources while others dispose it and end them; nothing is retained")
    func registrations() {
      for round in 0..<roundCount(100) {
        let resources = Resources()
        do {
          let subject = Subject<Int, Never>()
          let replay = ReplaySubject<Int, Never>(capacity: .last(1))
          let single = UnserializedSubject<Int, Never>()
          let (runs, parent) = ((0..<12).map { _ in Subscription() }, Subscription())
          for (index, run) in runs.enumerated() where index % 2 == 0 { parent.adopt(run) }
          withThreads(4) { index in
            switch index {
            case 0:
              for run in runs {
                let token = resources.make()
                func sink() -> Sink<Int, Never> {
                  Sink(
                    next: { _ in withExtendedLifetime(token) {} },
                    terminate: { _ in withExtendedLifetime(token) { _ = run.end() } }, subscription: run)
                }
                subject.attach(sink())
                replay.attach(sink())
                single.attach(sink())
              }
            case 1:
              for run in runs {
                if round % 2 == 0 { weir_yield() }
                run.dispose()
              }
            case 2:
              for run in runs.reversed() { run.dispose() }
              if round % 3 == 0 { parent.dispose() }
              subject.send(2)
            default:
              subject.send(1)
              replay.send(1)
              single.send(1)
              if round % 2 == 0 { subject.complete() }
              if round % 4 == 0 { single.complete() } else { replay.complete() }
            }
          }
          for run in runs { run.dispose() }
        }
        #expect(resources.alive == 0)
      }
    }
  }
}
