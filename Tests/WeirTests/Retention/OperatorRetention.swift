// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

extension Retention {
  /// Closures, state and blocks of every operator.
  @Suite struct Operators {
    enum Ending: CaseIterable {
      case disposal, disposalInside, completion, failure, sourceDropped

      /// A timeout retains its run when its source is gone: its timer is an upstream of its own.
      var operators: [OperatorCase] { self == .sourceDropped ? OperatorCase.following : OperatorCase.all }
    }

    @Test(
      "contract 7: every operator has released everything after each ending, though the disposable is retained"
    )
    func endings() async {
      await #expect(processExitsWith: .success) {
        for ending in Ending.allCases {
          for operation in ending.operators {
            expectNothingLeft("\(operation.testDescription): \(ending)") { resources, kept in
              Self.run(operation, until: ending, resources, kept)
            }
          }
        }
      }
    }

    private static func run(
      _ operation: OperatorCase, until ending: Ending, _ resources: Resources, _ kept: Box<[any Disposable]>
    ) -> Int {
      var subject: Subject<Int, Oops>? = Subject()
      let upstream = subject.map {
        $0.map { [token = resources.make()] value in
          _ = token
          return value
        }
      }
      let own = Box<Subscription?>(nil)
      own.value = upstream.map { upstream in
        operation.apply(upstream) { [token = resources.make()] _ in _ = token }.subscribe(
          next: { [token = resources.make()] value in
            _ = token
            if value == 4 { own.value?.dispose() }
          },
          failed: { [token = resources.make()] _ in _ = token },
          completed: { [token = resources.make()] in _ = token })
      }
      if let subscription = own.value { kept.value.append(subscription) }
      for value in 1...3 { subject?.send(value) }
      let alive = resources.alive
      switch ending {
      case .disposal: own.value?.dispose()
      case .disposalInside: subject?.send(4)
      case .completion: subject?.complete()
      case .failure: subject?.fail(Oops())
      case .sourceDropped: subject = nil
      }
      // The closures are released at the ending, whoever retains the chain or the subject; the chain itself
      // is released with the function.
      withExtendedLifetime((subject, own)) {
        #expect(ending == .sourceDropped || resources.alive <= 2)
      }
      return alive
    }
  }
}
