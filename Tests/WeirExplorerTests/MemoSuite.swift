// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import WeirExplorer
import WeirTesting

@testable import Weir

/// Something that is computed on demand, what its closure captures, and the values that were read.
private final class Asked<Source: Sendable>: @unchecked Sendable {  // one thread runs at a time
  let captured = Ledger()
  let values = Ledger()
  let got = Log<Ledger.Token>()
  private(set) var source: Source?
  private let pause = Words(1)

  init(_ make: (Asked) -> Source) { source = make(self) }

  /// What the closure does; other threads can run before and after it has made a value.
  func evaluate(with token: Ledger.Token) -> Ledger.Token {
    withExtendedLifetime(token) {
      _ = weir_load_relaxed_u64(pause.words)
      defer { _ = weir_load_relaxed_u64(pause.words) }
      return values.make()
    }
  }
}

extension Asked<Memo<Ledger.Token>> {
  convenience init() {
    self.init { asked in
      Memo { [unowned asked, token = asked.captured.make()] in asked.evaluate(with: token) }
    }
  }

  func ask() { if let value = source?.value { got.add(value) } }
  func look() { if let value = source?.remembered { got.add(value) } }

  /// - Parameter count: how often it was asked.
  func problem(asked count: Int) -> String? {
    if let problem = problemOfValue(asked: count) { return problem }
    source = nil
    got.elements = []
    return values.alive == 0 ? nil : "the value is still there"
  }

  private func problemOfValue(asked count: Int) -> String? {
    guard let value = source?.remembered else { return "there is no value" }
    if got.elements.count < count { return "\(got.elements.count) of \(count) got a value" }
    if !got.elements.allSatisfy({ $0 === value }) { return "not all got the value that is remembered" }
    if !(1...count).contains(values.made) { return "the closure ran \(values.made) times" }
    if values.alive != 1 { return "\(values.alive) values are alive" }
    return captured.gone == 1 ? nil : "the closure was released \(captured.gone) times"
  }
}

extension Asked<LazyList<Ledger.Token>> {
  func walk() { source?.forEach { got.add($0) } }

  func problem(walks: Int, of count: Int) -> String? {
    let elements = source.map { Array($0) } ?? []
    if elements.count != count || got.elements.count != walks * count {
      return "\(elements.count) elements, \(got.elements.count) seen"
    }
    for element in elements where got.elements.count(where: { $0 === element }) != walks {
      return "not all saw the same element"
    }
    if values.alive != count { return "\(values.alive) of \(values.made) elements are alive" }
    if captured.alive != 0 { return "a closure is still there" }
    return nil
  }
}

extension Exploring {
  @Suite struct MemoSuite {
    private let ask = Operation<Asked<Memo<Ledger.Token>>>("ask") { $0.ask() }
    private let look = Operation<Asked<Memo<Ledger.Token>>>("look") { $0.look() }

    @Test(
      "N1 N9: threads that read a memo concurrently get the same value, and its closure is released once"
    )
    func memo() {
      expectSound(
        Scenario(
          "memo: two ask", setup: { Asked<Memo<Ledger.Token>>() }, threads: [[ask], [ask]],
          check: { $0.problem(asked: 2) }))
      expectSound(
        Scenario(
          "memo: two ask, and one looks and asks later", setup: { Asked<Memo<Ledger.Token>>() },
          threads: [[ask], [ask], [look, ask]], check: { $0.problem(asked: 3) }))
      expectSound(
        Scenario(
          "memo: four ask", setup: { Asked<Memo<Ledger.Token>>() },
          threads: [[ask, ask], [ask], [ask], [ask]],
          check: { $0.problem(asked: 5) }))
    }

    @Test("N9: two threads that iterate a lazy list while it is evaluated see the same elements")
    func list() {
      let walk = Operation<Asked<LazyList<Ledger.Token>>>("walk") { $0.walk() }
      // The thread that loses drops memos on the way, and counts of references, which the explorer does not
      // see, order what they find.
      expectSound(
        Scenario(
          "lazy list: two walk",
          setup: {
            Asked { asked in
              LazyList(0..<2).map { [unowned asked, token = asked.captured.make()] _ in
                asked.evaluate(with: token)
              }
            }
          }, threads: [[walk], [walk]], check: { $0.problem(walks: 2, of: 2) }), loads: .newest)
    }
  }
}
