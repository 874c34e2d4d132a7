// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Recipes.md says of many keys that are loaded at once.
struct LoaderRecipeTests {
  private typealias Loader = Recipes.Loader<Int, Int>
  private let scheduler = VirtualScheduler()
  private let loads = Box<[[Int]]>([])
  private let answers = Subject<[Int: Int], any Error>()

  private func loader() -> Loader {
    Loader(upTo: 3, within: .milliseconds(10), on: scheduler) { [loads, answers] keys in
      loads.value.append(keys.sorted())
      return answers.signal
    }
  }

  private func error(_ recorder: Recorder<Int, any Error>) -> (any Error)? {
    if case .failed(let error) = recorder.completion { error } else { nil }
  }

  @Test("calls within the time share one load, which asks for each key once; each caller gets its own answer")
  func load() {
    let loader = loader()
    let callers = [1, 2, 1].map { Recorder(loader.value(of: $0)) }
    #expect(loads.value == [[1, 2]])
    answers.send([1: 10, 2: 20, 3: 30])
    #expect(callers.map(\.values) == [[10], [20], [10]])
    #expect(callers.allSatisfy { $0.completion != nil } && answers.subscriberCount == 0)
    let late = Recorder(loader.value(of: 4))
    scheduler.advance(by: .milliseconds(9))
    #expect(loads.value.count == 1)
    scheduler.advance(by: .milliseconds(1))
    #expect(loads.value == [[1, 2], [4]] && late.events.isEmpty)
    late.dispose()
  }

  @Test("a key without a value fails its callers only, and so does a load without an answer all of its own")
  func notFound() {
    let loader = loader()
    let callers = [1, 2, 3].map { Recorder(loader.value(of: $0)) }
    answers.send([1: 10, 3: 30])
    #expect(callers.map(\.values) == [[10], [], [30]])
    #expect(error(callers[1]) is Loader.NotFound)
    let others = [1, 2, 3].map { Recorder(loader.value(of: $0)) }
    answers.complete()
    #expect(others.allSatisfy { error($0) is Loader.NotFound })
  }

  @Test("a failure reaches the callers of its load; later ones load again; one that has left gets nothing")
  func failure() {
    let (first, reports) = (Subject<[Int: Int], any Error>(), Counter())
    let runs = Box([first.signal, .just([4: 40, 5: 50, 6: 60])])
    let loader = Loader(upTo: 3, within: .milliseconds(10), on: scheduler) { _ in runs.value.removeFirst() }
    let callers = [1, 2].map { Recorder(loader.value(of: $0)) }
    let gone = loader.value(of: 3).subscribe(next: { _ in }, failed: { _ in reports.add() })
    gone.dispose()
    first.fail(Oops(code: 1))
    #expect(callers.allSatisfy { error($0) as? Oops == Oops(code: 1) } && reports.value == 0)
    #expect([4, 5, 6].map { Recorder(loader.value(of: $0)).values }.last == [60])
  }

  @Test("four loads run at a time; the next begins when one of them has ended")
  func limit() {
    let loader = loader()
    let callers = (0..<15).map { Recorder(loader.value(of: $0)) }
    #expect(loads.value.count == 4)
    answers.send([:])
    #expect(loads.value.count == 5 && callers.count == 15)
  }

  @Test("calls that wait when the loader is released are answered; a closed scheduler ends them silently")
  func released() {
    var loader: Loader? = loader()
    let waiting = loader.map { Recorder($0.value(of: 1)) }
    loader = nil
    scheduler.advance(by: .milliseconds(10))
    answers.send([1: 10])
    #expect(waiting?.values == [10])

    let cutOff = Loader(upTo: 3, within: .milliseconds(10), on: ClosedScheduler()) { _ in .empty() }
    let caller = Recorder(cutOff.value(of: 1))
    #expect(caller.events.isEmpty && caller.subscription.isDisposed)
  }

  @Test("calls of three threads are all answered, each with its own value")
  func threads() {
    let loader = Loader(upTo: 3, within: .milliseconds(10), on: scheduler) { keys in
      .just(Dictionary(uniqueKeysWithValues: keys.map { ($0, $0 * 10) }))
    }
    let (sum, answered) = (Counter(), Counter())
    withThreads(3) { thread in
      for number in 0..<100 {
        loader.value(of: thread * 100 + number)
          .subscribe(
            next: {
              sum.add($0)
              answered.add()
            }, failed: { _ in })
      }
    }
    scheduler.run()
    #expect((answered.value, sum.value) == (300, (0..<300).reduce(0, +) * 10))
  }
}
