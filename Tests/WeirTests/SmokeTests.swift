// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir

@Test func coldChain() {
  let seen = Log<Int>()
  Signal<Int, Never>.range(0..<10).map { $0 * 2 }.filter { $0 > 4 }.take(first: 3).subscribe { seen.append($0) }
  #expect(seen.values == [6, 8, 10])
}

@Test func subjectDelivers() {
  let subject = Subject<Int, Never>()
  let seen = Log<Int>()
  let d = subject.map { $0 + 1 }.subscribe { seen.append($0) }
  subject.send(1)
  subject.send(2)
  d.dispose()
  subject.send(3)
  #expect(seen.values == [2, 3])
}

final class Log<T>: @unchecked Sendable {
  var values: [T] = []
  func append(_ v: T) { values.append(v) }
}
