// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir

/// What users and optimisers may rely on when they rewrite a chain.
struct AlgebraLaws {
  private typealias Numbers = Signal<Int, Oops>

  @Test("filtering twice is filtering with both predicates")
  func filterFusion() {
    expectLaw { world in
      let (signal, first, second) = (world.signal(), world.predicate(), world.predicate())
      return (signal.filter(first).filter(second), signal.filter { first($0) && second($0) })
    }
  }

  @Test("filtering after mapping is mapping after filtering with the composed predicate")
  func filterAfterMap() {
    expectLaw { world in
      let (signal, transform, predicate) = (world.signal(), world.transform(), world.predicate())
      return (
        signal.map(transform).filter(predicate), signal.filter { predicate(transform($0)) }.map(transform)
      )
    }
  }

  @Test("compactMap is filter and map")
  func compactMap() {
    expectLaw { world in
      let (signal, transform, predicate) = (world.signal(), world.transform(), world.predicate())
      return (
        signal.compactMap { predicate($0) ? transform($0) : nil }, signal.filter(predicate).map(transform)
      )
    }
  }

  @Test("taking twice is taking the smaller count")
  func takeTake() {
    expectLaw { world in
      let (signal, first, second) = (world.signal(), world.count(), world.count())
      return (signal.take(first: first).take(first: second), signal.take(first: min(first, second)))
    }
  }

  @Test("skipping twice is skipping the sum")
  func skipSkip() {
    expectLaw { world in
      let (signal, first, second) = (world.signal(), world.count(), world.count())
      return (signal.skip(first: first).skip(first: second), signal.skip(first: first + second))
    }
  }

  @Test("taking after skipping is skipping after taking the sum")
  func skipTake() {
    expectLaw { world in
      // With 0 to take, the left side completes without waiting for what it skips.
      let (signal, skipped, taken) = (world.signal(), world.count(), world.count(from: 1))
      return (
        signal.skip(first: skipped).take(first: taken),
        signal.take(first: skipped + taken).skip(first: skipped)
      )
    }
  }

  @Test("take(first:) concatenated with skip(first:) of a cold signal is the signal itself")
  func takeConcatSkip() {
    expectLaw { world in
      let (signal, count) = (world.coldSignal(), world.count())
      return (signal.take(first: count).concat(signal.skip(first: count)), signal)
    }
  }

  @Test("take(while:) concatenated with skip(while:) of a cold signal that completes is the signal itself")
  func takeWhileConcatSkipWhile() {
    expectLaw { world in
      let (signal, predicate) = (world.completingSignal(), world.predicate())
      return (signal.take(while: predicate).concat(signal.skip(while: predicate)), signal)
    }
  }

  @Test("concat is associative")
  func concatAssociativity() {
    expectLaw { world in
      let (first, second, third) = (world.signal(), world.signal(), world.signal())
      return (first.concat(second).concat(third), first.concat(second.concat(third)))
    }
  }

  @Test("concat after empty changes nothing")
  func concatLeftIdentity() {
    expectLaw { world in
      let signal = world.signal()
      return (Numbers.empty().concat(signal), signal)
    }
  }

  @Test("concat with empty changes nothing")
  func concatRightIdentity() {
    expectLaw { world in
      let signal = world.signal()
      return (signal.concat(Numbers.empty()), signal)
    }
  }

  @Test("startWith is concat after just")
  func startWith() {
    expectLaw { world in
      let (signal, value) = (world.signal(), world.value())
      return (signal.startWith(value), Numbers.just(value).concat(signal))
    }
  }

  @Test("then is concat after ignoreValues")
  func then() {
    expectLaw { world in
      let (first, second) = (world.signal(), world.signal())
      return (first.then { second }, first.ignoreValues().concat(second))
    }
  }

  @Test("map distributes over concat")
  func mapOverConcat() {
    expectLaw { world in
      let (first, second, transform) = (world.signal(), world.signal(), world.transform())
      return (first.concat(second).map(transform), first.map(transform).concat(second.map(transform)))
    }
  }

  @Test("merge is associative")
  func mergeAssociativity() {
    expectLaw { world in
      let (first, second, third) = (world.signal(), world.signal(), world.signal())
      return (first.merge(with: second).merge(with: third), first.merge(with: second.merge(with: third)))
    }
  }

  @Test(
    "merge and concat of signals that complete send the same values, in whatever order the signals are given")
  func mergeMultiset() {
    expectLaw(.withinSteps) { world in
      let (first, second, third) = (
        world.completingSignal(), world.completingSignal(), world.completingSignal()
      )
      return (Numbers.merge([first, second, third]), Numbers.concat([third, second, first]))
    }
  }

  @Test("merge with empty changes nothing")
  func mergeIdentity() {
    expectLaw { world in
      let signal = world.signal()
      return (signal.merge(with: Numbers.empty()), signal)
    }
  }

  @Test("flatMap(.concat) of a sequence is concat of the signals that its elements become")
  func concatMap() {
    expectLaw { world in
      let (values, function) = ((0..<world.count()).map { _ in world.value() }, world.kleisli())
      return (Numbers(values).flatMap(.concat) { function($0) }, Numbers.concat(values.map(function)))
    }
  }

  @Test("the last value of scan is the value of reduce")
  func scanReduce() {
    expectLaw { world in
      let (signal, start, factor) = (world.signal(), world.value(), world.value())
      let combine: @Sendable (Int, Int) -> Int = { $0 &* factor &+ $1 }
      return (
        signal.scan(start, combine).take(last: 1).defaultIfEmpty(start), signal.reduce(start, combine)
      )
    }
  }

  @Test("reduce into an array is collect")
  func reduceCollect() {
    expectLaw { world in
      let signal = world.signal()
      return (signal.reduce([]) { $0 + [$1] }, signal.collect())
    }
  }

  @Test("distinctUntilChanged twice is distinctUntilChanged once")
  func distinctTwice() {
    expectLaw { world in
      let signal = world.signal()
      return (signal.distinctUntilChanged().distinctUntilChanged(), signal.distinctUntilChanged())
    }
  }

  @Test("all(where:) is the negation of any(where:) of the negated predicate")
  func allAny() {
    expectLaw { world in
      let (signal, predicate) = (world.signal(), world.predicate())
      return (
        signal.all(where: predicate).map { $0 ? 1 : 0 },
        signal.any(where: { !predicate($0) }).not().map { $0 ? 1 : 0 }
      )
    }
  }
}
