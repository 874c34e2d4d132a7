// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir

/// catch and fail are a monad of their own, over the failure; dematerialize is the inverse of materialize.
struct FailureLaws {
  private typealias Numbers = Signal<Int, Oops>

  @Test("monad left identity of catch: catching just a failure is the handler")
  func leftIdentity() {
    expectLaw { world in
      let (code, function) = (world.value(), world.kleisli())
      return (Numbers.fail(Oops(code: code)).catch { function($0.code) }, function(code))
    }
  }

  @Test("monad right identity of catch: catch with fail changes nothing")
  func rightIdentity() {
    expectLaw { world in
      let signal = world.signal()
      return (signal.catch { .fail($0) }, signal)
    }
  }

  @Test("monad associativity of catch: catch after catch is catch inside the handler")
  func associativity() {
    expectLaw { world in
      let (signal, first, second) = (world.signal(), world.kleisli(), world.kleisli())
      return (
        signal.catch { first($0.code) }.catch { second($0.code) },
        signal.catch { error in first(error.code).catch { second($0.code) } }
      )
    }
  }

  @Test("mapError twice is mapError with both functions")
  func mapErrorComposition() {
    expectLaw { world in
      let (signal, first, second) = (world.signal(), world.transform(), world.transform())
      return (
        signal.mapError { Oops(code: first($0.code)) }.mapError { Oops(code: second($0.code)) },
        signal.mapError { Oops(code: second(first($0.code))) }
      )
    }
  }

  @Test("retry(upTo: 0) changes nothing")
  func retryNever() {
    expectLaw { world in
      let signal = world.signal()
      return (signal.retry(upTo: 0), signal)
    }
  }

  @Test("retry(upTo: 1) of a cold signal is catch with the signal itself")
  func retryOnce() {
    expectLaw { world in
      let signal = world.coldSignal()
      return (signal.retry(upTo: 1), signal.catch { _ in signal })
    }
  }

  @Test("dematerialize after materialize changes nothing")
  func roundTrip() {
    expectLaw { world in
      let signal = world.signal()
      return (signal.materialize().dematerialize(), signal)
    }
  }

  @Test("materialize sends one value more, for the terminal event, and then completes")
  func materializeCount() {
    expectLaw { world in
      let signal = world.signal()
      return (
        signal.materialize().setFailureType(to: Oops.self).map { _ in 1 },
        signal.map { _ in 1 }.concat(Numbers.just(1)).catch { _ in Numbers.just(1) }
      )
    }
  }
}
