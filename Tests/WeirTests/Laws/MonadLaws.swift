// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir

/// map is a functor, flatMap and bind with just are monads.
struct MonadLaws {
  private typealias Numbers = Signal<Int, Oops>

  @Test("functor identity: mapping with the identity changes nothing")
  func mapIdentity() {
    expectLaw { world in
      let signal = world.signal()
      return (signal.map { $0 }, signal)
    }
  }

  @Test("functor composition: mapping twice is mapping with both functions")
  func mapComposition() {
    expectLaw { world in
      let (signal, first, second) = (world.signal(), world.transform(), world.transform())
      return (signal.map(first).map(second), signal.map { second(first($0)) })
    }
  }

  @Test("monad left identity: flatMap of just is the function")
  func flatMapLeftIdentity() {
    expectLaw { world in
      let (value, function) = (world.value(), world.kleisli())
      return (Numbers.just(value).flatMap { function($0) }, function(value))
    }
  }

  @Test("monad right identity: flatMap with just changes nothing")
  func flatMapRightIdentity() {
    expectLaw { world in
      let signal = world.signal()
      return (signal.flatMap { .just($0) }, signal)
    }
  }

  @Test("monad associativity: flatMap after flatMap is flatMap inside flatMap")
  func flatMapAssociativity() {
    expectLaw { world in
      let (signal, first, second) = (world.signal(), world.kleisli(), world.kleisli())
      return (
        signal.flatMap { first($0) }.flatMap { second($0) },
        signal.flatMap { value in first(value).flatMap { second($0) } }
      )
    }
  }

  @Test("monad left identity of bind")
  func bindLeftIdentity() {
    expectLaw { world in
      let (value, function) = (world.value(), world.kleisli())
      return (Numbers.just(value).bind { { .next(function($0)) } }, function(value))
    }
  }

  @Test("monad right identity of bind")
  func bindRightIdentity() {
    expectLaw { world in
      let signal = world.signal()
      return (signal.bind { { .next(.just($0)) } }, signal)
    }
  }

  @Test("monad associativity of bind")
  func bindAssociativity() {
    expectLaw { world in
      let (signal, first, second) = (world.signal(), world.kleisli(), world.kleisli())
      return (
        signal.bind { { .next(first($0)) } }.bind { { .next(second($0)) } },
        signal.bind { { value in .next(first(value).bind { { .next(second($0)) } }) } }
      )
    }
  }

  @Test("bind that returns `.last` is take(first: 1) and flatMap")
  func bindLast() {
    expectLaw { world in
      let (signal, function) = (world.coldSignal(), world.kleisli())
      return (signal.bind { { .last(function($0)) } }, signal.take(first: 1).flatMap { function($0) })
    }
  }

  @Test("map is flatMap with just")
  func mapByFlatMap() {
    expectLaw { world in
      let (signal, transform) = (world.signal(), world.transform())
      return (signal.map(transform), signal.flatMap { .just(transform($0)) })
    }
  }

  @Test("flatten is flatMap with the identity")
  func flatten() {
    expectLaw { world in
      let (signal, function) = (world.signal(), world.kleisli())
      return (signal.map(function).flatten(), signal.flatMap { function($0) })
    }
  }
}
