// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir

/// Lists are functors and monads, and their operators give the same as the same operations with arrays.
struct LazyListLaws {
  @Test("functor identity and composition")
  func functor() {
    expectListLaw { world in
      let list = world.list()
      return (list.map { $0 }, list)
    }
    expectListLaw { world in
      let (list, first, second) = (world.list(), world.transform(), world.transform())
      return (list.map(first).map(second), list.map { second(first($0)) })
    }
  }

  @Test("monad identities and associativity")
  func monad() {
    expectListLaw { world in
      let (value, function) = (world.value(), world.kleisli())
      return (LazyList.just(value).flatMap { function($0) }, function(value))
    }
    expectListLaw { world in
      let list = world.list()
      return (list.flatMap { LazyList.just($0) }, list)
    }
    expectListLaw { world in
      let (list, first, second) = (world.list(), world.kleisli(), world.kleisli())
      return (
        list.flatMap { first($0) }.flatMap { second($0) },
        list.flatMap { value in first(value).flatMap { second($0) } }
      )
    }
  }

  @Test("N5: evaluated() has the elements of the lazy list, in whatever way that was made")
  func evaluated() {
    expectListLaw { world in
      let list = world.list()
      return (list.evaluated(), list)
    }
    expectListLaw { world in
      let array = world.array()
      return (world.list(of: array), array)
    }
  }

  @Test("concat is associative, with the empty list as its identity")
  func monoid() {
    expectListLaw { world in
      let (a, b, c) = (world.list(), world.list(), world.list())
      return (a.concat(b).concat(c), a.concat(b.concat(c)))
    }
    expectListLaw { world in
      let list = world.list()
      return (LazyList().concat(list.concat(LazyList())), list)
    }
  }

  @Test("map, compactMap, filter, ignore, flatMap, flatten and joined give the same elements as with arrays")
  func transforming() {
    expectListLaw { world in
      let (array, transform) = (world.array(), world.transform())
      return (world.list(of: array).map(transform), array.map(transform))
    }
    expectListLaw { world in
      let (array, predicate) = (world.array(), world.predicate())
      return (
        world.list(of: array).compactMap { predicate($0) ? "\($0)" : nil },
        array.compactMap { predicate($0) ? "\($0)" : nil }
      )
    }
    expectListLaw { world in
      let (array, predicate) = (world.array(), world.predicate())
      return (world.list(of: array).filter(predicate), array.filter(predicate))
    }
    expectListLaw { world in
      let (array, value) = (world.array(), world.value())
      return (world.list(of: array).ignore(value), array.filter { $0 != value })
    }
    expectListLaw { world in
      let (array, function) = (world.array(), world.kleisli())
      return (world.list(of: array).flatMap(function), array.flatMap { Array(function($0)) })
    }
    expectListLaw { world in
      let (array, function) = (world.array(), world.kleisli())
      return (world.list(of: array).map(function).flatten(), array.flatMap { Array(function($0)) })
    }
    expectListLaw { world in
      let (array, function) = (world.array(), world.kleisli())
      return (
        world.list(of: array).map { Array(function($0)) }.joined(), array.flatMap { Array(function($0)) }
      )
    }
  }

  @Test("take and skip give the same elements as prefix and drop with arrays")
  func parts() {
    expectListLaw { world in
      let (array, count) = (world.array(), world.count())
      return (world.list(of: array).take(first: count), array.prefix(count))
    }
    expectListLaw { world in
      let (array, predicate) = (world.array(), world.predicate())
      return (world.list(of: array).take(while: predicate), array.prefix(while: predicate))
    }
    expectListLaw { world in
      let (array, predicate) = (world.array(), world.predicate())
      let kept = array.prefix { !predicate($0) }
      return (
        world.list(of: array).take(until: predicate, boundary: .included), array.prefix(kept.count + 1)
      )
    }
    expectListLaw { world in
      let (array, count) = (world.array(), world.count())
      return (world.list(of: array).skip(first: count), array.dropFirst(count))
    }
    expectListLaw { world in
      let (array, predicate) = (world.array(), world.predicate())
      return (world.list(of: array).skip(while: predicate), array.drop(while: predicate))
    }
    expectListLaw { world in
      let (array, predicate) = (world.array(), world.predicate())
      return (world.list(of: array).skip(until: predicate), array.drop { !predicate($0) })
    }
    expectListLaw { world in
      let (list, count) = (world.list(), world.count())
      return (list.take(first: count).concat(list.skip(first: count)), list)
    }
  }

  @Test(
    "startWith, zip, scan, combinePrevious, distinctUntilChanged and reduceRight give the same as with arrays"
  )
  func folding() {
    expectListLaw { world in
      let (array, value) = (world.array(), world.value())
      return (world.list(of: array).startWith(value, 1), [value, 1] + array)
    }
    expectListLaw(comparing: ==) { world in
      let (first, second) = (world.array(), world.array())
      return (world.list(of: first).zip(with: world.list(of: second)), zip(first, second))
    }
    expectListLaw { world in
      let (array, value) = (world.array(), world.value())
      let sums = array.indices.map { array[...$0].reduce(value, &-) }
      return (world.list(of: array).scan(value) { $0 &- $1 }, sums)
    }
    expectListLaw(comparing: ==) { world in
      let (array, value) = (world.array(), world.value())
      let pairs = zip([value] + array, array).map { (previous: $0, current: $1) }
      return (world.list(of: array).combinePrevious(value), pairs)
    }
    expectListLaw { world in
      let array = world.array()
      let kept = array.indices.filter { $0 == 0 || array[$0] != array[$0 - 1] }.map { array[$0] }
      return (world.list(of: array).distinctUntilChanged(), kept)
    }
    expectListLaw { world in
      let array = world.array()
      let kept = array.indices.filter { $0 == 0 || array[$0] % 2 != array[$0 - 1] % 2 }.map { array[$0] }
      return (world.list(of: array).distinctUntilKeyChanged { $0 % 2 }, kept)
    }
    expectListLaw { world in
      let (array, value) = (world.array(), world.value())
      let folded = array.reversed().reduce(value) { $1 &- $0 }
      return ([world.list(of: array).reduceRight(value) { $0 &- $1() }], [folded])
    }
  }

  @Test("a false law of lists is detected, and reported with the seed")
  func falseLaw() {
    let report = listCounterexample(seed: 1, comparing: ==) { world in
      let (list, predicate) = (world.list(), world.predicate())
      return (list.take(first: 1).filter(predicate), list.filter(predicate).take(first: 1))
    }
    #expect(report?.contains("WEIR_LAW_SEED=1\n") == true)
  }
}
