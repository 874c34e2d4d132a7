// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Weir
import WeirTesting

extension SignalConvertible {
  /// Passes the values that come while the newest value of `isOpen` is true, and drops the others.
  func passing(while isOpen: some SignalConvertible<Bool, Never>) -> Signal<Value, Failure> {
    withLatest(from: isOpen).filter { $1 }.map { $0.0 }
  }

  /// Passes the values whose key is greater than that of each value before.
  func records<Key: Comparable & Sendable>(
    by key: @escaping @Sendable (Value) throws(Failure) -> Key
  ) -> Signal<Value, Failure> {
    let source = signal
    return .deferred {
      let highest = MutableProperty<Key?>(nil)
      return source.filter { value throws(Failure) in
        let key = try key(value)
        guard highest.value.map({ key > $0 }) ?? true else { return false }
        highest.value = key
        return true
      }
    }
  }
}

/// What Operators.md says of operators that a user writes, with the code of the article.
struct OwnOperatorTests {
  @Test("the extension above is that of the article, word for word")
  func sameCode() throws {
    let example = try codeBlocks(of: "Operators").filter { $0.hasPrefix("extension SignalConvertible") }
    #expect(example.count == 1)
    let here = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    for code in example { #expect(here.contains(code)) }
  }

  @Test("two subscribers of an operator with state have a state each")
  func stateOfEachSubscription() {
    let source = Subject<Int, Oops>()
    let records = source.records { $0 }
    let early = Recorder(records)
    source.send(3)
    let late = Recorder(records)
    for value in [2, 1, 3, 4, 4] { source.send(value) }
    #expect(early.values == [3, 4])
    #expect(late.values == [2, 3, 4])
  }

  @Test("an operator whose closure throws the signal's failure ends with that, and stops its source")
  func throwing() {
    let source = Subject<String, Oops>()
    let recorder = Recorder(
      source.records { text throws(Oops) in
        guard let number = Int(text) else { throw Oops(code: 7) }
        return number
      })
    for text in ["1", "5", "3", "x", "9"] { source.send(text) }
    #expect(recorder.events == [.next("1"), .next("5"), .failed(Oops(code: 7))])
    #expect(source.subscriberCount == 0)
  }

  @Test("an operator that takes another signal takes any, and stops it with its source")
  func otherSignal() {
    let (source, isOpen) = (Subject<Int, Oops>(), MutableProperty(true))
    let gate = Subject<Bool, Never>()
    let recorders = [Recorder(source.passing(while: isOpen.signal)), Recorder(source.passing(while: gate))]
    source.send(1)
    isOpen.value = false
    gate.send(true)
    source.send(2)
    #expect(recorders.map(\.values) == [[1], [2]])
    source.complete()
    #expect(recorders.allSatisfy { $0.completion == .completed } && gate.subscriberCount == 0)
  }
}
