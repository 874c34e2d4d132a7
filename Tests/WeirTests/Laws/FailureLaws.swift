// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir

/// catch and fail are a monad of their own, over the failure; events as values go there and back.
struct FailureLaws {
  private typealias Numbers = Signal<Int, Oops>

  @Test("monad left identity of catch: a failure that is caught is the handler")
  func leftIdentity() {
    expectLaw { world in
      let (code, function) = (world.value(), world.kleisli())
      return (Numbers.fail(Oops(code: code)).catch { function($0.code) }, function(code))
    }
  }

  @Test("monad right identity of catch: failing again changes nothing")
  func rightIdentity() {
    expectLaw { world in
      let signal = world.signal()
      return (signal.catch { .fail($0) }, signal)
    }
  }

  @Test("monad associativity of catch: catching what a handler fails with is catching inside the handler")
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

  @Test("retrying no time changes nothing")
  func retryNever() {
    expectLaw { world in
      let signal = world.signal()
      return (signal.retry(upTo: 0), signal)
    }
  }

  @Test("retrying a cold signal once is catching it with itself")
  func retryOnce() {
    expectLaw { world in
      let signal = world.coldSignal()
      return (signal.retry(upTo: 1), signal.catch { _ in signal })
    }
  }

  @Test("events that are made values and events again are the same")
  func roundTrip() {
    expectLaw { world in
      let signal = world.signal()
      return (signal.materialize().dematerialize(), signal)
    }
  }

  @Test("a signal materialised has a completion where it has an end, and a value more")
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
