// Part of Weir. SPDX-License-Identifier: Apache-2.0
import MutexBaseline
import Testing

@Suite("The operators of the mutex baseline do what their names say")
struct OperatorTests {
  @Test
  func `merge passes all values on and completes with the last source`() {
    let sources = [MutexCopySubject<Int>(), MutexCopySubject<Int>()]
    let log = Log<String>()
    let dispose = MutexCopySubject.merge(sources, next: log.next, completed: log.completed)
    sources[0].send(1)
    sources[1].send(2)
    sources[0].complete()
    sources[1].send(3)
    sources[1].complete()
    dispose()
    #expect(log.entries == ["1", "2", "3", "|"])
  }

  @Test
  func `combineLatest delivers a result once both sources have sent, and then for each value`() {
    let (left, right) = (MutexCopySubject<Int>(), MutexInsideSubject<String>())
    let log = Log<String>()
    let dispose = left.combineLatest(with: right, { "\($0)\($1)" }, next: log.next, completed: log.completed)
    left.send(1)
    left.send(2)
    right.send("a")
    right.send("b")
    right.complete()
    left.send(3)
    left.complete()
    dispose()
    #expect(log.entries == ["2a", "2b", "3b", "|"])
  }

  @Test
  func `zip pairs values by position and completes when no pair can come`() {
    let (left, right) = (MutexCopySubject<Int>(), MutexInsideSubject<String>())
    let log = Log<String>()
    let dispose = left.zip(with: right, { "\($0)\($1)" }, next: log.next, completed: log.completed)
    left.send(1)
    left.send(2)
    right.send("a")
    left.complete()
    #expect(log.entries == ["1a"])
    right.send("b")
    #expect(log.entries == ["1a", "2b", "|"])
    right.send("c")
    right.complete()
    dispose()
    #expect(log.entries == ["1a", "2b", "|"])
  }

  @Test
  func `zip completes when either source has completed and its values are used up`() {
    let (left, right) = (MutexCopySubject<Int>(), MutexCopySubject<Int>())
    let log = Log<String>()
    let dispose = left.zip(with: right, +, next: log.next, completed: log.completed)
    left.send(1)
    right.send(2)
    right.complete()
    dispose()
    #expect(log.entries == ["3", "|"])
  }

  @Test
  func `withLatest delivers a result only for values of its own source, and completes with it`() {
    let (left, right) = (MutexCopySubject<Int>(), MutexInsideSubject<String>())
    let log = Log<String>()
    let dispose = left.withLatest(from: right, { "\($0)\($1)" }, next: log.next, completed: log.completed)
    left.send(1)
    right.send("a")
    right.send("b")
    left.send(2)
    right.complete()
    left.send(3)
    left.complete()
    dispose()
    #expect(log.entries == ["2b", "3b", "|"])
  }

  @Test
  func `flatMap runs all inner signals, synchronous and asynchronous ones`() {
    let source = MutexCopySubject<Int>()
    let inner = MutexInsideSubject<Int>()
    let log = Log<String>()
    let dispose = source.flatMap(
      { value in value == 0 ? MutexSignal(inner) : MutexSignal.just(value).map { $0 * 10 } }, next: log.next,
      completed: log.completed)
    source.send(1)
    source.send(0)
    source.send(2)
    inner.send(5)
    source.complete()
    inner.send(6)
    #expect(log.entries == ["10", "20", "5", "6"])
    inner.complete()
    dispose()
    #expect(log.entries == ["10", "20", "5", "6", "|"])
  }

  @Test
  func `disposing ends every subscription, those of flatMap's signals as well`() {
    let (left, right) = (MutexCopySubject<Int>(), MutexCopySubject<Int>())
    let log = Log<Int>()
    let disposals = [
      MutexCopySubject.merge([left, right]) { log.append($0) },
      left.combineLatest(with: right, +) { log.append($0) },
      left.zip(with: right, +) { log.append($0) },
      left.withLatest(from: right, +) { log.append($0) },
      left.flatMap { _ in
        MutexSignal(right)
      } next: {
        log.append($0)
      },
    ]
    right.send(1)
    left.send(2)
    let heard = log.entries
    #expect(heard == [1, 2, 3, 3, 3])
    for dispose in disposals { dispose() }
    left.send(3)
    right.send(4)
    #expect(log.entries == heard)
  }

  @Test
  func `callbacks do not overlap when sources send at once`() async {
    let sources = (0..<4).map { _ in MutexCopySubject<Int>() }
    let (sum, inside, overlaps) = (Sum(), Sum(), Sum())
    let dispose = MutexCopySubject.merge(sources) { value in
      if inside.add(1) != 1 { overlaps.add(1) }
      sum.add(value)
      inside.add(-1)
    }
    await withTaskGroup { group in
      for source in sources {
        group.addTask { for value in 1...10_000 { source.send(value) } }
      }
    }
    dispose()
    #expect(sum.total == 4 * 10_000 * 10_001 / 2)
    #expect(overlaps.total == 0)
  }
}
