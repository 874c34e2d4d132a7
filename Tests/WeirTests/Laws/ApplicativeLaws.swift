// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir

private typealias Numbers = Signal<Int, Oops>
private typealias Function = Arrow<Int, Int>

/// A function as a value of a signal.
struct Arrow<Input, Output>: Sendable {
  let call: @Sendable (Input) -> Output
}

/// Applies every function received to every value that arrives after it. Built from flatMap, so that its laws
/// follow from those of the monad. With zip it would not be lawful: `just` has one value, so that zipping
/// with it cuts the other signal to one.
private func apply<Input, Output>(
  _ functions: Signal<Arrow<Input, Output>, Oops>, _ values: Signal<Input, Oops>
) -> Signal<Output, Oops> {
  functions.flatMap { values.map($0.call) }
}

/// flatMap and just are an applicative functor; zip is natural, symmetric and associative.
struct ApplicativeLaws {
  @Test("applicative identity: applying the identity changes nothing")
  func identity() {
    expectLaw { world in
      let signal = world.signal()
      return (apply(.just(Function { $0 }), signal), signal)
    }
  }

  @Test("applicative homomorphism: applying just of a function to just of a value is just of the result")
  func homomorphism() {
    expectLaw { world in
      let (transform, value) = (world.transform(), world.value())
      return (
        apply(.just(Function(call: transform)), Numbers.just(value)), Numbers.just(transform(value))
      )
    }
  }

  @Test("applicative interchange: applying functions to just of a value is applying the call with it to them")
  func interchange() {
    expectLaw { world in
      let (functions, value) = (world.functions(), world.value())
      return (
        apply(functions, Numbers.just(value)),
        apply(.just(Arrow<Function, Int> { $0.call(value) }), functions)
      )
    }
  }

  @Test("applicative composition: applying composed functions is applying the functions in turn")
  func composition() {
    expectLaw { world in
      let (outer, inner, values) = (world.functions(), world.functions(), world.signal())
      let compose = Arrow<Function, Arrow<Function, Function>> { outer in
        Arrow { inner in Function { outer.call(inner.call($0)) } }
      }
      return (apply(apply(apply(.just(compose), outer), inner), values), apply(outer, apply(inner, values)))
    }
  }

  @Test("zip is natural: mapping both sides is mapping the pairs")
  func zipNaturality() {
    expectLaw { world in
      let (left, right) = (world.signal(), world.signal())
      let (first, second) = (world.transform(), world.transform())
      return (
        left.map(first).zip(with: right.map(second)).map { [$0, $1] },
        left.zip(with: right).map { [first($0), second($1)] }
      )
    }
  }

  @Test("zip of signals that do not fail is associative")
  func zipAssociativity() {
    expectLaw { world in
      // A zip that completes disposes its other side, whose failure then counts in one nesting only.
      let (first, second, third) = (world.unfailingSignal(), world.unfailingSignal(), world.unfailingSignal())
      return (
        first.zip(with: second).zip(with: third).map { [$0.0, $0.1, $1] },
        first.zip(with: second.zip(with: third)).map { [$0, $1.0, $1.1] }
      )
    }
  }

  @Test("combineLatest is natural: mapping both sides is mapping the pairs")
  func combineLatestNaturality() {
    expectLaw { world in
      let (left, right) = (world.signal(), world.signal())
      let (first, second) = (world.transform(), world.transform())
      return (
        left.map(first).combineLatest(with: right.map(second)).map { [$0, $1] },
        left.combineLatest(with: right).map { [first($0), second($1)] }
      )
    }
  }
}
