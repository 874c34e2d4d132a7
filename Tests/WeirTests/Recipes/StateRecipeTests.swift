// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

private typealias Document = Recipes.Document
private typealias Edit = Recipes.Edit

/// What Recipes.md says of states that are followed, of work that a newer input replaces, and of jobs.
struct StateRecipeTests {
  private let recipes = Recipes()
  private let scheduler = VirtualScheduler()

  private static func document(_ lines: String...) -> Document {
    Document(number: lines.count, lines: lines)
  }

  @Test("whoever follows the edits gets the state with all edits until then, and after that each edit")
  func updates() {
    let edits = Subject<Edit, Never>()
    let history = recipes.history(of: edits.signal)
    let early = Recorder(recipes.updates(of: history))
    edits.send(Edit(number: 1, line: "a"))
    edits.send(Edit(number: 2, line: "b"))
    let late = Recorder(recipes.updates(of: history))
    edits.send(Edit(number: 3, line: "c"))
    #expect(
      early.values
        == [.state(Self.document("a")), .edit(Edit(number: 2, line: "b")), .edit(Edit(number: 3, line: "c"))])
    #expect(late.values == [.state(Self.document("a", "b")), .edit(Edit(number: 3, line: "c"))])
  }

  /// A document that is fetched by hand.
  private struct Shelf {
    let asked = Counter()
    let answers = Box<Observer<Document, any Error>?>(nil)
    let edits = Subject<Edit, any Error>()
    let document: Recorder<Document, any Error>

    init(_ recipes: Recipes, on scheduler: VirtualScheduler) {
      let fetch = Signal<Document, any Error>.create { [asked, answers] observer in
        asked.add()
        answers.value = observer
        return nil
      }
      document = Recorder(recipes.document(fetch: fetch, edits: edits.signal, on: scheduler))
    }

    func answer(_ document: Document) {
      answers.value?.send(document)
      answers.value?.complete()
    }
  }

  @Test("edits that come while the document is fetched are applied to it, and those that it contains are not")
  func fetched() {
    let shelf = Shelf(recipes, on: scheduler)
    for (number, line) in [(2, "b"), (3, "c")] { shelf.edits.send(Edit(number: number, line: line)) }
    #expect(shelf.document.values == [])
    shelf.answer(Self.document("a", "b"))
    shelf.edits.send(Edit(number: 4, line: "d"))
    #expect(
      shelf.document.values
        == [Self.document("a", "b"), Self.document("a", "b", "c"), Self.document("a", "b", "c", "d")])
    #expect(shelf.asked.value == 1)
  }

  @Test("after a gap in the edits, and after a fetch that fails, the document is fetched again")
  func gap() {
    let shelf = Shelf(recipes, on: scheduler)
    shelf.answers.value?.fail(Oops())
    scheduler.advance(by: .seconds(1))
    shelf.answer(Self.document("a"))
    shelf.edits.send(Edit(number: 3, line: "c"))
    scheduler.advance(by: .seconds(1))
    #expect(shelf.asked.value == 3)
    shelf.answer(Self.document("a", "b", "c"))
    shelf.edits.send(Edit(number: 4, line: "d"))
    #expect(shelf.document.values.map(\.number) == [1, 3, 4])
    shelf.document.dispose()
    #expect(shelf.edits.subscriberCount == 0 && scheduler.waitingCount == 0)
  }

  @Test("a newer input cancels the work under way, and its own begins when that has returned")
  func newest() async {
    let (inputs, isOver) = (Subject<Int, any Error>(), Subject<Never, Never>())
    let (started, mayReturn) = (ReplaySubject<Int, Never>(capacity: .unbounded), Subject<Never, Never>())
    let (running, most) = (Counter(), Box(0))
    let results = Recorder(
      recipes.newest(inputs.signal) { input in
        most.value = max(most.value, running.add() + 1)
        started.send(input)
        // The first one takes its time, although it is cancelled.
        if input == 1 { await Task.detached { _ = await mayReturn.completion() }.value }
        running.add(-1)
        try Task.checkCancellation()
        return -input
      }.doCompleted { isOver.complete() })
    inputs.send(1)
    _ = await started.firstValue()
    inputs.send(2)
    inputs.send(3)
    inputs.complete()
    mayReturn.complete()
    await isOver.completion()
    #expect(results.values == [-3])
    #expect(most.value == 1)
  }

  @Test("disposing the results cancels the work under way, and work that fails ends them")
  func newestEnds() async {
    let (inputs, isCancelled) = (Subject<Int, any Error>(), Subject<Never, Never>())
    let started = ReplaySubject<Int, Never>(capacity: .unbounded)
    let results = Recorder(
      recipes.newest(inputs.signal) { input in
        started.send(input)
        await withTaskCancellationHandler {
          _ = await Task.detached { await isCancelled.completion() }.value
        } onCancel: {
          isCancelled.complete()
        }
      })
    inputs.send(1)
    _ = await started.firstValue()
    results.dispose()
    await isCancelled.completion()

    let failure = await #expect(throws: Oops.self) {
      try await recipes.newest(Signal.just(1)) { _ in throw Oops(code: 7) }.completion()
    }
    #expect(failure == Oops(code: 7))
  }

  @Test("a job begins when those that it waits for have completed, whether anyone listens to it or not")
  func jobs() throws {
    let sources = try ["--1-|", "-2|", "3-|"].map { try ColdSignal<Int, any Error>($0, on: scheduler) }
    let first = [recipes.job(after: [], sources[0].signal), recipes.job(after: [], sources[1].signal)]
    _ = recipes.job(after: first, sources[2].signal)
    scheduler.run()
    #expect(sources.map { $0.subscriptionMarbles() } == [["^---!"], ["^-!"], ["----^-!"]])
  }

  @Test("a job fails with the first one that it waits for, and does not begin")
  func failedJob() throws {
    let (good, bad, last) = (Subject<Int, any Error>(), Subject<Int, any Error>(), Counter())
    let job = Recorder(
      recipes.job(
        after: [good, bad].map { recipes.job(after: [], $0.signal) },
        .deferred {
          last.add()
          return .just(1)
        }))
    bad.fail(Oops(code: 3))
    guard case .failed(let error)? = job.completion else { Issue.record("\(job.events)"); return }
    #expect(error as? Oops == Oops(code: 3))
    #expect(last.value == 0)
  }
}
