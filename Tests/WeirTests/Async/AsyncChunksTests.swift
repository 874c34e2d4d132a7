// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Values for a task, many at a time.
struct AsyncChunksTests {
  private let stage = TaskStage()

  /// Reads all chunks.
  private func chunks<Failure>(
    of values: AsyncValues<Int, Failure>, _ meanwhile: (TaskStage) -> Void = { _ in }
  ) -> (chunks: [[Int]], failure: Failure?) {
    let result = Box<(chunks: [[Int]], failure: Failure?)>(([], nil))
    let iterator = Box(values.chunks.makeAsyncIterator())
    stage.start {
      var own = iterator.value
      do throws(Failure) {
        while let chunk = try await own.next(isolation: nil) { result.value.chunks.append(chunk) }
      } catch {
        result.value.failure = error
      }
    }
    meanwhile(stage)
    return result.value
  }

  @Test(
    "a chunk holds all buffered values, up to 1,024, and is never empty",
    arguments: [1, 255, 256, 1_024, 1_025, 5_000])
  func sizes(count: Int) {
    let subject = Subject<Int, Never>()
    let chunks = chunks(of: subject.values()) { stage in
      for value in 0..<count { subject.send(value) }
      stage.run()
      subject.complete()
      stage.run()
    }.chunks
    #expect(chunks.map(\.count).max() == min(count, 1_024) && chunks.count == (count + 1_023) / 1_024)
    let isComplete = chunks.joined().elementsEqual(0..<count)
    #expect(isComplete)
  }

  @Test("each chunk holds the values sent since the last one; a failure is thrown after the buffered values")
  func inOrder() {
    let subject = Subject<Int, Oops>()
    let (chunks, failure) = chunks(of: subject.values()) { stage in
      subject.send(1)
      stage.run()
      subject.send(2)
      subject.send(3)
      stage.run()
      subject.send(4)
      subject.fail(Oops(code: 5))
      stage.run()
    }
    #expect(chunks == [[1], [2, 3], [4]])
    #expect(failure == Oops(code: 5))
  }

  @Test("a .dropOldest backlog, from which values are claimed one by one, delivers the newest in one chunk")
  func dropsOldest() {
    let subject = Subject<Int, Never>()
    let chunks = chunks(of: subject.values(waiting: .bounded(3, onOverflow: .dropOldest))) { stage in
      for value in 0..<10 { subject.send(value) }
      subject.complete()
      stage.run()
    }.chunks
    #expect(chunks == [[7, 8, 9]])
  }

  @Test("a loop reads all chunks; a cancelled task receives no further one, and buffered values are released")
  func cancelled() async {
    let (resources, subject) = (Resources(), Subject<Payload, Never>())
    let task = Task {
      var (chunks, values) = (0, subject.values().chunks.makeAsyncIterator())
      for _ in 0..<3 { subject.send(resources.make()) }
      while let chunk = await values.next(isolation: nil) {
        chunks += chunk.count
        for _ in 0..<3 { subject.send(resources.make()) }
        withUnsafeCurrentTask { $0?.cancel() }
      }
      return chunks
    }
    #expect(await task.value == 3)
    #expect(resources.alive == 0)
    var sum = 0
    for await chunk in Signal<Int, Never>.range(0..<3_000).values().chunks { sum += chunk.count }
    #expect(sum == 3_000)
  }

  @Test("next() traps for a cancelled task while another task waits in the same iterator")
  func secondTaskCancelled() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (stage, subject) = (TaskStage(), Subject<Int, Never>())
      let iterator = Box(subject.values().chunks.makeAsyncIterator())
      stage.start {
        var own = iterator.value
        _ = await own.next(isolation: nil)
      }
      stage.start {
        withUnsafeCurrentTask { $0?.cancel() }
        var own = iterator.value
        _ = await own.next(isolation: nil)
      }
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("two tasks wait for the next value of one iterator"))
  }
}
