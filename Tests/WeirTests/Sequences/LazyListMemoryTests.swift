// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CTestSupport
import Testing
import Weir
import WeirTesting

/// What lists retain, and how much stack it takes to enumerate and to release them.
struct LazyListMemoryTests {
  private static func tokens(_ resources: Resources, _ count: Int) -> LazyList<Resources.Resource> {
    LazyList(0..<count).map { _ in resources.make() }
  }

  @Test("N3: a list that nothing else retains releases each element when enumeration has passed it")
  func consumed() {
    let resources = Resources()
    var most = 0
    for token in Self.tokens(resources, 1_000) {
      most = max(most, resources.alive)
      withExtendedLifetime(token) {}
    }
    #expect(most == 1)
    #expect(resources.alive == 0)
  }

  @Test("N3: a list enumerated in the clean-up of a deallocated source releases each element that was passed")
  func consumedInCleanUp() {
    let (resources, most) = (Resources(), Box(0))
    let walk: @Sendable () -> Void = {
      for token in Self.tokens(resources, 1_000) {
        most.value = max(most.value, resources.alive)
        withExtendedLifetime(token) {}
      }
    }
    var subject: Subject<Int, Never>? = Subject()
    subject?.on(disposed: walk).subscribe()
    subject = nil
    #expect(most.value == 1)
    var property: MutableProperty<Int>? = MutableProperty(0)
    property?.signal.on(disposed: walk).subscribe()
    property = nil
    #expect(most.value == 1)
    #expect(resources.alive == 0)
  }

  @Test(
    "N3: concatenated lists that nothing else retains release each element when enumeration has passed it")
  func consumedConcat() {
    let resources = Resources()
    func tokens() -> LazyList<Resources.Resource> {
      (0..<100).reduce(LazyList()) { list, _ in list.concat(Self.tokens(resources, 10)) }
    }
    var (most, count) = (0, 0)
    for token in tokens() {
      most = max(most, resources.alive)
      count += 1
      withExtendedLifetime(token) {}
    }
    #expect(most == 1 && count == 1_000)
    #expect(resources.alive == 0)
    // A part of the list does not retain what comes before, either.
    let rest = tokens().evaluated().skip(first: 990)
    #expect(!rest.isEmpty && resources.alive == 10)
    withExtendedLifetime(rest) {}
  }

  @Test("N3: an iterator of an evaluated list retains only the elements that are still to come")
  func iterator() {
    let resources = Resources()
    var iterator = Self.tokens(resources, 9).evaluated().makeIterator()
    for left in (0..<9).reversed() {
      _ = iterator.next()
      #expect(resources.alive == left)
    }
  }

  @Test("N3: filter, compactMap, skip, flatMap and distinctUntilChanged release skipped elements on the way")
  func passedOver() {
    let steps:
      [(String, @Sendable (LazyList<Resources.Resource>, @escaping @Sendable () -> Void) -> LazyList<Int>)] =
        [
          (
            "filter",
            { list, look in
              list.filter { _ in
                look()
                return false
              }.map { _ in 1 }
            }
          ),
          (
            "compactMap",
            { list, look in
              list.compactMap { _ in
                look()
                return nil
              }
            }
          ),
          (
            "skip(while:)",
            { list, look in
              list.skip(while: { _ in
                look()
                return true
              }).map { _ in 1 }
            }
          ),
          (
            "flatMap",
            { list, look in
              list.flatMap { _ in
                look()
                return []
              }
            }
          ),
          (
            "distinctUntilChanged",
            { list, look in
              list.distinctUntilChanged(comparing: { _, _ in
                look()
                return true
              }).skip(first: 1).map { _ in 1 }
            }
          ),
        ]
    for (name, step) in steps {
      let (resources, most) = (Resources(), Box(0))
      let list = step(Self.tokens(resources, 5_000)) { most.value = max(most.value, resources.alive) }
      #expect(list.isEmpty, "\(name)")
      #expect(most.value > 1_000 && most.value < 1_100, "\(name): \(most.value)")
      #expect(resources.alive == 0, "\(name)")
    }
  }

  @Test(
    "an operator releases its closure, and what that captures, when its result is evaluated")
  func closures() {
    let (closures, sources) = (Resources(), Resources())
    let mapped = Self.tokens(sources, 5).map { [token = closures.make()] source in
      withExtendedLifetime((token, source)) { 1 }
    }
    #expect(closures.alive == 1)
    #expect(Array(mapped) == [1, 1, 1, 1, 1])
    // The list is retained, and evaluated: there is nothing left to compute it with.
    #expect(closures.alive == 0)
    #expect(sources.alive == 0)
    withExtendedLifetime(mapped) {}
  }

  @Test("take(first:) and take(while:) release the rest of their source once their end has been evaluated")
  func boundaries() {
    let resources = Resources()
    let lists = [
      Self.tokens(resources, 9).evaluated().take(first: 2),
      Self.tokens(resources, 9).evaluated().take(while: { [count = Counter()] _ in count.add() < 2 }),
    ]
    for list in lists { for _ in list {} }
    #expect(resources.alive == 4)
    let two = Self.tokens(resources, 9).evaluated().take(first: 2)
    #expect(two.tail.head != nil)
    // What follows it has not been evaluated.
    #expect(resources.alive == 6)
    withExtendedLifetime((lists, two)) {}
  }

  @Test(
    "N4 AC71: ten thousand nodes of lists are released on a small stack, however they are linked")
  func release() async {
    await #expect(processExitsWith: .success) {
      withSmallStack {
        for (name, make) in Self.chains {
          let resources = Resources()
          do {
            let list = make(resources)
            #expect(resources.alive >= roundsOfEach, "\(name)")
            withExtendedLifetime(list) {}
          }
          #expect(resources.alive == 0, "\(name)")
        }
      }
    }
  }

  /// Each retains as many tokens as there are rounds, if not more.
  private static let chains: [(String, @Sendable (Resources) -> LazyList<Nest>)] = [
    ("mapped", { resources in nests(resources).map { $0 }.evaluated() }),
    (
      "mapped, only places evaluated",
      { resources in
        let list = nests(resources).evaluated().map { $0 }
        #expect(list.skip(first: roundsOfEach).isEmpty)
        return list
      }
    ),
    (
      "prepended",
      { resources in
        (0..<roundsOfEach).reduce(LazyList()) { list, _ in list.startWith(Nest(resources)) }
      }
    ),
    (
      "tails that nobody has asked for",
      { resources in
        (0..<roundsOfEach).reduce(LazyList()) { list, _ in
          let nest = Nest(resources)
          return LazyList(head: { nest }, tail: { list })
        }
      }
    ),
    (
      "deferred lists in deferred lists",
      { resources in
        (0..<roundsOfEach).reduce(LazyList()) { list, _ in
          .deferred { [token = resources.make()] in withExtendedLifetime(token) { list } }
        }
      }
    ),
    (
      "lists in elements of lists",
      { resources in
        (0..<roundsOfEach).reduce(LazyList()) { list, _ in .just(Nest(resources, list)) }
      }
    ),
    (
      "concat",
      { resources in
        (0..<roundsOfEach).reduce(LazyList()) { list, _ in LazyList.just(Nest(resources)).concat(list) }
          .evaluated()
      }
    ),
    ("concat at the end", { resources in grown(resources).evaluated() }),
    ("concat at the end, of which nobody has asked anything", { resources in grown(resources) }),
    ("scan", { resources in nests(resources).scan(Nest(resources)) { _, _ in Nest(resources) }.evaluated() }),
    (
      "combinePrevious",
      { resources in
        nests(resources).combinePrevious(Nest(resources)).map { pair in Nest(resources, [pair.current]) }
          .evaluated()
      }
    ),
  ]

  private static func grown(_ resources: Resources) -> LazyList<Nest> {
    (0..<roundsOfEach).reduce(LazyList()) { list, _ in list.concat(.just(Nest(resources))) }
  }

  private static func nests(_ resources: Resources) -> LazyList<Nest> {
    LazyList(0..<roundsOfEach).map { _ in Nest(resources) }
  }

  /// An element that may have a list.
  private struct Nest: Sendable {
    let token: Resources.Resource
    let list: LazyList<Nest>
    init(_ resources: Resources, _ list: LazyList<Nest> = LazyList()) {
      token = resources.make()
      self.list = list
    }
  }

  @Test("every operator enumerates or skips ten thousand elements on a small stack")
  func walk() async {
    await #expect(processExitsWith: .success) {
      withSmallStack {
        let numbers = LazyList(0..<roundsOfEach)
        let last = roundsOfEach - 1
        #expect(numbers.map { $0 + 1 }.reduce(0) { max($0, $1) } == roundsOfEach)
        #expect(numbers.filter { $0 == last }.head == last)
        #expect(numbers.compactMap { $0 == last ? $0 : nil }.head == last)
        #expect(numbers.skip(while: { $0 < last }).head == last)
        #expect(numbers.skip(first: last).head == last)
        #expect(numbers.flatMap { $0 == last ? LazyList.just($0) : [] }.head == last)
        #expect(numbers.map { _ in 7 }.distinctUntilChanged().tail.isEmpty)
        #expect(numbers.map { _ in 7 }.startWith(8).ignore(7).tail.isEmpty)
        #expect(numbers.take(first: last).reduce(0) { count, _ in count + 1 } == last)
        #expect(numbers.take(while: { $0 < last }).reduce(0) { count, _ in count + 1 } == last)
        #expect(numbers.concat(numbers).reduce(0) { count, _ in count + 1 } == 2 * roundsOfEach)
        // Of these the last one is evaluated first.
        #expect(numbers.scan(0) { $0 + $1 }.skip(first: last).head == last * roundsOfEach / 2)
        let pair = numbers.combinePrevious(-1).skip(first: last).head
        #expect(pair?.previous == last - 1 && pair?.current == last)
        #expect(numbers.zip(with: numbers).skip(first: last).head?.1 == last)
        #expect(numbers.map { $0 }.distinctUntilChanged().skip(first: last).head == last)
      }
    }
  }

  @Test("ten thousand lists that are made of each other are evaluated on a small stack")
  func recursion() async {
    await #expect(processExitsWith: .success) {
      withSmallStack {
        /// As one would write it.
        @Sendable func firstLarge(_ list: LazyList<Int>) -> LazyList<Int> {
          .deferred { list.head.map { $0 >= roundsOfEach - 1 } ?? true ? list : firstLarge(list.tail) }
        }
        #expect(firstLarge(LazyList(0..<roundsOfEach)).head == roundsOfEach - 1)
        let lists = LazyList((0..<roundsOfEach).map { LazyList.just($0) })
        #expect(lists.flatten().reduce(0) { max($0, $1) } == roundsOfEach - 1)
        let nested = (0..<roundsOfEach).reduce(LazyList<Int>()) { list, number in
          LazyList.just(number).concat(list)
        }
        #expect(nested.reduce(0) { count, _ in count + 1 } == roundsOfEach)
      }
    }
  }

  @Test(
    "contract 5: ten thousand lists are concatenated and evaluated on a small stack, however they are used"
  )
  func growth() async {
    await #expect(processExitsWith: .success) {
      withSmallStack {
        let numbers = 0..<roundsOfEach
        let grown = numbers.reduce(LazyList<Int>()) { list, number in list.concat(.just(number)) }
        #expect(grown.elementsEqual(numbers))
        let empty = numbers.reduce(LazyList<Int>()) { list, _ in list.concat(LazyList()) }
        #expect(empty.isEmpty)
        // Evaluated each time: what is known of the list before is used.
        var heads = 0
        let asked = numbers.reduce(LazyList<Int>()) { list, number in
          let longer = list.concat(.just(number))
          heads += longer.head ?? 1
          return longer
        }
        #expect(heads == 0 && asked.elementsEqual(numbers))
        // A queue: as many elements are added as removed.
        let queue = numbers.reduce(LazyList(numbers)) { list, number in
          list.tail.concat(.just(roundsOfEach + number))
        }
        #expect(queue.elementsEqual(roundsOfEach..<2 * roundsOfEach))
        let doubled = (0..<12).reduce(LazyList.just(1)) { list, _ in list.concat(list) }
        #expect(doubled.reduce(0) { $0 + $1 } == 1 << 12)
        // What is found once is known to all lists that it is a part of: otherwise this takes two to the
        // power of thirty steps, and millions of lists.
        let nothing = (0..<30).reduce(LazyList<Int>()) { list, _ in list.concat(list) }
        #expect(nothing.isEmpty)
        let page = numbers.prefix(3_000).reduce(LazyList()) { $0.concat(.just($1)) }
        let pages = (0..<3_000).map { page.concat(.just($0)) }
        let before = test_allocated_bytes()
        #expect(pages.allSatisfy { $0.head == 0 })
        #expect(test_allocated_bytes() - before < 100 << 20)
      }
    }
  }

  @Test("N1: concatenated lists evaluate each element once, and one element at a time")
  func growthIsLazy() {
    let watched = Watched()
    let numbers = watched.numbers.take(first: 3)
    let list = numbers.concat(numbers.map { $0 + 10 }).concat(LazyList([20, 21])).concat(watched.numbers)
    #expect(watched.places.value == 0)
    #expect(list.head == 0)
    #expect(watched.places.value == 1 && watched.heads.value == 1)
    #expect(list.skip(first: 3).head == 10)
    #expect(watched.heads.value == 1)
    #expect(Array(list.take(first: 9)) == [0, 1, 2, 10, 11, 12, 20, 21, 0])
    #expect(Array(list.take(first: 9)) == [0, 1, 2, 10, 11, 12, 20, 21, 0])
    #expect(watched.heads.value == 4)
    #expect(list.description == "[0, 1, 2, 10, 11, 12, 20, 21, 0, …]")
  }
}
