// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What lists are made of, and what makes them equal.
struct LazyListCreatingTests {
  @Test("an empty list has no head and an empty tail; a list of one element has a head and an empty tail")
  func few() {
    let empty = LazyList<Int>()
    #expect(empty.isEmpty && empty.head == nil && empty.tail.isEmpty)
    #expect(Array(empty) == [])
    let one = LazyList.just("a")
    #expect(!one.isEmpty && one.head == "a" && one.tail.isEmpty)
    #expect(LazyList<Int>([Int]()).isEmpty)
  }

  @Test("N8: a list of a collection is a snapshot, which later changes to the collection do not affect")
  func snapshot() {
    var numbers = [1, 2, 3]
    let list = LazyList(numbers)
    numbers.append(4)
    numbers[0] = 9
    #expect(Array(list) == [1, 2, 3])
  }

  @Test("a list of a string has its characters, of a dictionary its pairs, of a range its numbers")
  func collections() {
    let family = "👨‍👩‍👧"
    #expect(Array(LazyList("e\u{301}\(family)x")) == ["é", Character(family), "x"])
    let pairs = LazyList(["one": 1, "two": 2])
    #expect(Set(pairs.map { pair in "\(pair.key) \(pair.value)" }) == ["one 1", "two 2"])
    #expect(Array(LazyList(["one": 1, "two": 2].keys)).sorted() == ["one", "two"])
    #expect(Array(LazyList(3..<6)) == [3, 4, 5])
    #expect(Array(LazyList(Set([7]))) == [7])
  }

  @Test("an array literal is a list of its elements")
  func literal() {
    let list: LazyList<Int> = [1, 2, 3]
    #expect(Array(list) == [1, 2, 3])
  }

  @Test("generate computes each state on demand")
  func generate() {
    let nexts = Counter()
    let powers = LazyList.generate(
      1, while: { $0 < 100 },
      next: { state in
        nexts.add()
        return state * 2
      }, result: { "\($0)" })
    #expect(powers.head == "1")
    #expect(nexts.value == 0)
    #expect(Array(powers) == ["1", "2", "4", "8", "16", "32", "64"])
    #expect(nexts.value == 7)
    #expect(Array(LazyList.generate(0, while: { _ in false }, next: { $0 }, result: { $0 })) == [])
  }

  @Test("a deferred list is made on demand, once")
  func deferred() {
    let calls = Counter()
    let list = LazyList<Int>.deferred {
      calls.add()
      return [1, 2]
    }
    let longer = list.map { $0 }
    #expect(calls.value == 0)
    #expect(Array(list) == [1, 2] && Array(longer) == [1, 2])
    #expect(calls.value == 1)
  }

  @Test("N8: a copy of a list shares its evaluated elements")
  func copies() {
    let watched = Watched()
    let list = watched.numbers.take(first: 5)
    let copy = list
    #expect(Array(copy) == Array(list))
    #expect(watched.heads.value == 5)
    #expect(copy == list)
  }

  @Test("N8: lists are equal if their elements are, however they were made")
  func equality() {
    let list: LazyList = [1, 2, 3]
    #expect(list == LazyList(1...3))
    #expect(list == LazyList(head: { 1 }, tail: { [2, 3] }))
    #expect(list != [1, 2] && list != [1, 2, 3, 4] && list != [1, 9, 3] && list != [])
    #expect(LazyList<Int>() == [])
  }

  @Test("N8: a shared rest is not compared: infinite lists that share it are found equal")
  func sameRest() {
    let numbers = Watched().numbers
    #expect(numbers == numbers)
    #expect(numbers.startWith(1, 2) == numbers.startWith(1, 2))
    #expect(numbers.startWith(1, 2) != numbers.startWith(1, 3))
  }

  @Test("N8: a rest that two lists share behind concat is not evaluated to find them equal")
  func sharedRestBehindConcat() {
    let watched = Watched()
    let numbers = watched.numbers
    let (one, two): (LazyList, LazyList) = ([1], [1, 1])
    #expect(one.concat(numbers) == LazyList([1]).concat(numbers))
    #expect(one.concat(one).concat(numbers) == two.concat(numbers))
    #expect(one.concat(numbers) != LazyList([2]).concat(numbers))
    let joined = numbers.concat([1])
    #expect(joined == joined && joined.startWith(1) == joined.startWith(1))
    #expect(one.concat(joined) == LazyList([1]).concat(joined))
    #expect(watched.places.value == 0 && watched.heads.value == 0)
    let silent = numbers.filter { $0 < 0 }
    #expect(one.concat(silent) == LazyList([1]).concat(silent))
    let after = silent.concat(one)
    #expect(after == after)
    let strange: LazyList = [Double.nan]
    #expect(LazyList([1.0]).concat(strange) == LazyList([1.0]).concat(strange))
  }

  @Test("N8: lists that turn out to continue as the same list are equal, whatever was evaluated before")
  func sharedRestBehindOperators() {
    let strange: LazyList = [Double.nan]
    let (skipped, deferred) = (strange.skip(first: 0), LazyList.deferred { strange })
    #expect(skipped == strange && strange == skipped && deferred == skipped)
    #expect(strange == LazyList.deferred { strange })
    #expect(skipped.startWith(1) == strange.startWith(1))
    let watched = Watched()
    let numbers = watched.numbers
    #expect(numbers.skip(first: 0) == numbers && watched.heads.value == 0)
  }

  @Test("equal lists have equal hashes, for which only the first element is evaluated")
  func hashing() {
    let watched = Watched()
    #expect(watched.numbers.hashValue == LazyList([0, 7]).hashValue)
    #expect(watched.heads.value == 1 && watched.places.value == 1)
    #expect(LazyList<Int>().hashValue != LazyList([0]).hashValue)
    #expect(Set([LazyList([1, 2]), LazyList(1...2), LazyList([1, 3])]).count == 2)
  }

  @Test("the description shows the evaluated elements, and evaluates nothing")
  func description() {
    let watched = Watched()
    let list = watched.numbers.take(first: 4)
    #expect(list.description == "[…]")
    #expect(list.head == 0)
    #expect("\(list)" == "[0, …]")
    #expect(list.tail.tail.head == 2)
    #expect("\(list)" == "[0, _, 2, …]")
    #expect(watched.heads.value == 2)
    _ = list.evaluated()
    #expect("\(list)" == "[0, 1, 2, 3]")
    #expect("\(list.skip(first: 2))" == "[…]")
    #expect("\(LazyList<Int>())" == "[]")
    #expect("\(LazyList(["a", "b"]).evaluated())" == #"["a", "b"]"#)
  }
}
