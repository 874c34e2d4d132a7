// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Rows that fit into the run's own memory, that fill it exactly, and that need a block.
struct RowMemoryTests {
  private typealias Combined =
    @Sendable ([Signal<Resources.Resource, Never>]) -> Signal<
      [Resources.Resource], Never
    >
  private let operators: [Combined] = [{ Signal.combineLatest($0) }, { Signal.zip($0) }]

  @Test(
    "combineLatest and zip of any number of signals send every element, and retain no other", arguments: 1...9
  )
  func complete(_ count: Int) {
    for combined in operators {
      let resources = Resources()
      let subjects = (0..<count).map { _ in Subject<Resources.Resource, Never>() }
      let sizes = Box<[Set<ObjectIdentifier>]>([])
      let subscription = combined(subjects.map(\.signal)).subscribe {
        sizes.value.append(Set($0.map(ObjectIdentifier.init)))
      }
      for subject in subjects { subject.send(resources.make()) }
      #expect(sizes.value.map(\.count) == [count])
      #expect(resources.alive <= count)
      subscription.dispose()
      #expect(resources.alive == 0)
    }
  }

  @Test("combineLatest and zip release the elements of a row that is not complete", arguments: 2...9)
  func incomplete(_ count: Int) {
    for combined in operators {
      for present in 0..<count {
        let resources = Resources()
        let subjects = (0..<count).map { _ in Subject<Resources.Resource, Never>() }
        let subscription = combined(subjects.map(\.signal)).subscribe { _ in
          Issue.record("there is no complete row")
        }
        for subject in subjects[..<present] { subject.send(resources.make()) }
        #expect(resources.alive == present)
        subscription.dispose()
        #expect(resources.alive == 0, "\(present) of \(count)")
      }
    }
  }

  @Test("elements of a row are aligned, also those whose alignment exceeds a word")
  func alignment() {
    let (one, two) = (Subject<SIMD8<Double>, Never>(), Subject<UInt8, Never>())
    let three = Subject<SIMD2<Double>, Never>()
    let latest = Recorder(one.combineLatest(with: two, three).map { "\($0.0.sum()) \($0.1) \($0.2.sum())" })
    let zipped = Recorder(two.zip(with: three, one).map { "\($0.0) \($0.1.sum()) \($0.2.sum())" })
    for number in 1...6 {
      two.send(UInt8(number))
      three.send(.init(repeating: Double(number)))
    }
    for number in 1...6 { one.send(.init(repeating: Double(number))) }
    #expect(latest.values == (1...6).map { "\(Double($0) * 8) 6 12.0" })
    #expect(zipped.values == (1...6).map { "\($0) \(Double($0) * 2) \(Double($0) * 8)" })
  }

  @Test("rows of 32 to 64 bytes hold their elements, in the run and in a block")
  func sizes() {
    let (text, number, other) = (
      Subject<String, Never>(), Subject<Int, Never>(), Subject<(String, String), Never>()
    )
    let pairs = Recorder(text.combineLatest(with: number, text).map { "\($0.0) \($0.1) \($0.2)" })
    let large = Recorder(
      text.combineLatest(with: number, other).map { "\($0.0) \($0.1) \($0.2.0) \($0.2.1)" })
    let long = String(repeating: "long enough for an allocation ", count: 2)
    text.send(long)
    other.send((long, "short"))
    for value in 0..<3 { number.send(value) }
    #expect(pairs.values == (0..<3).map { "\(long) \($0) \(long)" })
    #expect(large.values == (0..<3).map { "\(long) \($0) \(long) short" })
  }
}
