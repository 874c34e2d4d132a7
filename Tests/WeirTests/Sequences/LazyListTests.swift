// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// The numbers from 0 on, and how many were made.
struct Watched {
  /// How many elements were evaluated.
  let heads = Counter()
  /// For how many places it was checked whether there is an element.
  let places = Counter()

  var numbers: LazyList<Int> {
    .generate(
      0,
      while: { [places] _ in
        places.add()
        return true
      }, next: { $0 + 1 },
      result: { [heads] number in
        heads.add()
        return number
      })
  }
}

/// What is evaluated, and when.
struct LazyListTests {
  @Test("N1: making a list, and deriving lists from it, evaluates nothing")
  func nothingAtFirst() {
    let watched = Watched()
    let numbers = watched.numbers
    _ = numbers.map { $0 + 1 }.filter { $0 > 3 }.flatMap { LazyList.just($0) }.compactMap { $0 }
    _ = numbers.take(first: 3).take(while: { $0 < 9 }).take(until: { $0 > 9 })
    _ = numbers.skip(first: 3).skip(while: { $0 < 9 }).skip(until: { $0 > 9 })
    _ = numbers.scan(0, +).distinctUntilChanged().combinePrevious(0).zip(with: numbers)
    _ = numbers.concat(numbers).startWith(1, 2).ignore(3)
    #expect(watched.places.value == 0)
    #expect(watched.heads.value == 0)
  }

  @Test("N1: isEmpty, head and tail are evaluated independently of each other, each of them once")
  func independent() {
    let (heads, tails) = (Counter(), Counter())
    let list = LazyList(
      head: { heads.add() + 10 },
      tail: {
        tails.add()
        return [20, 30]
      })
    #expect(!list.isEmpty)
    let tail = list.tail
    #expect(heads.value == 0 && tails.value == 0)
    #expect(tail.head == 20)
    #expect(heads.value == 0 && tails.value == 1)
    #expect(list.head == 10)
    #expect(list.head == 10)
    #expect(list.tail.tail.head == 30)
    #expect(heads.value == 1 && tails.value == 1)
  }

  @Test("N1: skipped elements are not evaluated: the third element of a mapped list takes one transformation")
  func passedOver() {
    let (watched, transforms) = (Watched(), Counter())
    let mapped = watched.numbers.map { number in
      transforms.add()
      return number * 2
    }
    #expect(mapped.tail.tail.head == 4)
    #expect(transforms.value == 1)
    #expect(watched.heads.value == 1)
    #expect(mapped.skip(first: 9).head == 18)
    #expect(transforms.value == 2)
  }

  @Test("N1: finding an element evaluates what the article on operators says")
  func finding() {
    expect("map", { $0.map { $0 }.isEmpty }, heads: 0, places: 1)
    expect("compactMap", { $0.compactMap { $0 > 1 ? $0 : nil }.isEmpty }, heads: 3, places: 3)
    expect("filter", { $0.filter { $0 > 1 }.isEmpty }, heads: 3, places: 3)
    expect("flatMap", { $0.flatMap { $0 > 1 ? .just($0) : [] }.isEmpty }, heads: 3, places: 3)
    expect("concat", { $0.concat($0).isEmpty }, heads: 0, places: 1)
    expect("startWith", { $0.startWith(7).isEmpty }, heads: 0, places: 0)
    expect("zip", { $0.zip(with: $0.tail).isEmpty }, heads: 0, places: 2)
    expect("take(first:)", { $0.take(first: 2).isEmpty }, heads: 0, places: 1)
    expect("take(while:)", { $0.take(while: { $0 < 2 }).isEmpty }, heads: 1, places: 1)
    expect("skip(first:)", { $0.skip(first: 2).isEmpty }, heads: 0, places: 3)
    expect("skip(while:)", { $0.skip(while: { $0 < 2 }).isEmpty }, heads: 3, places: 3)
    expect("scan", { $0.scan(0, +).isEmpty }, heads: 1, places: 1)
    expect("combinePrevious", { $0.combinePrevious(7).isEmpty }, heads: 0, places: 1)
    expect("distinctUntilChanged", { $0.distinctUntilChanged().isEmpty }, heads: 0, places: 1)
    expect("its second", { $0.distinctUntilChanged().tail.isEmpty }, heads: 2, places: 2)
    let other = Watched()
    #expect(LazyList<Int>().zip(with: other.numbers).isEmpty && other.places.value == 0)
  }

  private func expect(
    _ name: String, _ isEmpty: (LazyList<Int>) -> Bool, heads: Int, places: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let watched = Watched()
    #expect(!isEmpty(watched.numbers), "\(name)", sourceLocation: sourceLocation)
    #expect(watched.heads.value == heads, "\(name)", sourceLocation: sourceLocation)
    #expect(watched.places.value == places, "\(name)", sourceLocation: sourceLocation)
  }

  @Test("N1 AC70: map and take(first: 1) evaluate one head, once")
  func mapAndTake() {
    let (watched, transforms) = (Watched(), Counter())
    let list = watched.numbers.map { number in
      transforms.add()
      return number + 5
    }.take(first: 1)
    #expect(Array(list) == [5])
    #expect(Array(list) == [5])
    #expect(transforms.value == 1)
    #expect(watched.heads.value == 1)
  }

  @Test("N2: take(first:) evaluates no element after its last one, nor whether there is one")
  func takeFirst() {
    let watched = Watched()
    #expect(Array(watched.numbers.take(first: 3)) == [0, 1, 2])
    #expect(watched.heads.value == 3)
    #expect(watched.places.value == 3)
    #expect(Array(watched.numbers.take(first: 0)) == [])
    #expect(watched.places.value == 3)
    let list = LazyList(head: { 1 }, tail: { fatalError("there must be no look at the rest") })
    #expect(Array(list.take(first: 1)) == [1])
  }

  @Test("N2: take(while:) and take(until:) evaluate nothing beyond the boundary")
  func takeWhile() {
    for boundary in [TakeBoundary.excluded, .included] {
      let watched = Watched()
      let expected = boundary == .included ? [0, 1, 2] : [0, 1]
      #expect(Array(watched.numbers.take(while: { $0 < 2 }, boundary: boundary)) == expected)
      #expect(watched.places.value == 3)
      #expect(Array(watched.numbers.take(until: { $0 == 2 }, boundary: boundary)) == expected)
      #expect(watched.places.value == 6)
    }
  }

  @Test("N5: evaluated() evaluates every element, once; lists derived from it are lazy again")
  func evaluated() {
    let (watched, transforms) = (Watched(), Counter())
    let list = watched.numbers.take(first: 9)
    #expect(list.evaluated() == list)
    #expect(list.description == "[0, 1, 2, 3, 4, 5, 6, 7, 8]")
    #expect(watched.heads.value == 9)
    let derived = list.evaluated().map { number in
      transforms.add()
      return number
    }
    #expect(transforms.value == 0)
    #expect(Array(derived) == Array(list))
    #expect(watched.heads.value == 9)
  }

  @Test("N6: reduceRight evaluates the rest on demand, and once")
  func reduceRight() {
    let watched = Watched()
    #expect(watched.numbers.reduceRight(false) { number, rest in number == 4 || rest() })
    #expect(watched.heads.value == 5)
    #expect(watched.places.value == 5)
    let calls = Counter()
    let sum = LazyList([1, 2, 3]).reduceRight(0) { number, rest in
      calls.add()
      return number + (rest() + rest()) / 2
    }
    #expect(sum == 6)
    #expect(calls.value == 3)
    #expect(LazyList<Int>().reduceRight(7) { _, _ in 0 } == 7)
  }

  @Test("N6: reduceRight can defer the rest: it maps an infinite list lazily")
  func reduceRightLater() {
    let watched = Watched()
    let mapped = watched.numbers.reduceRight(LazyList<Int>()) { number, rest in
      LazyList(head: { number * 3 }, tail: rest)
    }
    #expect(watched.places.value == 1)
    #expect(Array(mapped.take(first: 4)) == [0, 3, 6, 9])
  }

  @Test("N6: reduce associates to the left, reduceRight to the right")
  func associativity() {
    let list: LazyList = ["a", "b", "c"]
    #expect(list.reduce("-") { "(\($0)\($1))" } == "(((-a)b)c)")
    #expect(list.reduceRight("-") { "(\($0)\($1()))" } == "(a(b(c-)))")
  }

  @Test("methods inherited from Sequence stop as soon as they can")
  func inherited() {
    let watched = Watched()
    let numbers = watched.numbers
    #expect(numbers.contains(3))
    #expect(numbers.contains { $0 > 2 })
    #expect(!numbers.allSatisfy { $0 < 2 })
    #expect(numbers.first { $0 > 3 } == 4)
    #expect(watched.heads.value == 5)
  }

  @Test("without a type annotation operators return lists, not arrays")
  func types() {
    let list: LazyList = [1, 2]
    let mapped = list.map { $0 + 1 }
    let filtered = list.filter { $0 > 1 }
    let compacted = list.compactMap { $0 > 1 ? "\($0)" : nil }
    let flattened = list.flatMap { LazyList([$0, $0]) }
    let literals = list.flatMap { [$0, $0] }
    let joined = LazyList([[1], [2, 3]]).joined()
    #expect(type(of: mapped) == LazyList<Int>.self)
    #expect(type(of: filtered) == LazyList<Int>.self)
    #expect(type(of: compacted) == LazyList<String>.self)
    #expect(type(of: flattened) == LazyList<Int>.self)
    // What the documentation warns of: an array literal is an array.
    #expect(type(of: literals) == [Int].self)
    #expect(type(of: joined) == LazyList<Int>.self)
    let array: [Int] = list.map { $0 + 1 }
    #expect(array == Array(mapped))
    // What it warns of, too: a stored function that is not `@Sendable` may not be called later.
    let isLarge: (Int) -> Bool = { $0 > 1 }
    #expect(type(of: list.filter(isLarge)) == [Int].self)
    let isSmall: @Sendable (Int) -> Bool = { $0 < 2 }
    #expect(type(of: list.filter(isSmall)) == LazyList<Int>.self)
  }
}
