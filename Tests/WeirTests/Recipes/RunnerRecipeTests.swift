// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Recipes.md says of places for each tenant.
struct RunnerRecipeTests {
  private let started = Box<[String]>([])

  /// A job of the tenant with the name's first letter, and the subject that ends it.
  private func add(
    _ name: String, to runner: Recipes.Runner
  ) -> (end: Subject<Int, Oops>, caller: Recorder<Int, Oops>) {
    let end = Subject<Int, Oops>()
    let work = end.signal.initially { [started] in started.value.append(name) }
    return (end, Recorder(runner.run(work, for: String(name.prefix(1)))))
  }

  @Test("three run at a time, two of each tenant; the tenants take turns, whoever has more jobs")
  func turns() {
    let runner = Recipes.Runner(limit: 3, forEachTenant: 2)
    let first = ["a1", "a2", "a3", "a4", "a5"].map { add($0, to: runner) }
    #expect(started.value == ["a1", "a2"])
    let others = ["b1", "b2", "c1"].map { add($0, to: runner) }
    #expect(started.value == ["a1", "a2", "b1"])
    first[0].end.send(7)
    #expect(started.value.count == 3)
    first[0].end.complete()
    #expect(first[0].caller.events == [.next(7), .completed])
    first[1].end.fail(Oops(code: 1))
    #expect(first[1].caller.events == [.failed(Oops(code: 1))])
    #expect(started.value.suffix(2) == ["a3", "b2"])
    others[0].end.complete()
    others[1].end.complete()
    #expect(started.value.suffix(2) == ["c1", "a4"])
    others[2].end.complete()
    #expect(started.value.last == "a4")
    first[2].end.complete()
    #expect(started.value == ["a1", "a2", "b1", "a3", "b2", "c1", "a4", "a5"])
  }

  @Test("a job whose caller is disposed is taken out while it waits, and gives its place back while it runs")
  func disposal() {
    let runner = Recipes.Runner(limit: 1, forEachTenant: 1)
    let (running, waiting, last) = (add("a1", to: runner), add("b1", to: runner), add("c1", to: runner))
    waiting.caller.dispose()
    running.caller.dispose()
    #expect(started.value == ["a1", "c1"] && running.end.subscriberCount == 0)
    last.end.complete()
    #expect(last.caller.events == [.completed])
    #expect(Recorder(runner.run(.just(5), for: "a") as Signal<Int, Oops>).values == [5])
  }

  @Test("a job that was taken out is released at once; the place of one that ran is free after its clean-up")
  func order() {
    let (runner, resources) = (Recipes.Runner(limit: 1, forEachTenant: 1), Resources())
    let (source, log) = (Subject<Int, Oops>(), started)
    let running = runner.run(source.on(disposed: { log.value.append("cleaned up") }), for: "a")
      .subscribe(failed: { Issue.record($0) })
    let waiting = runner.run(source.map { [token = resources.make()] _ in _ = token }, for: "a")
      .subscribe(failed: { Issue.record($0) })
    #expect(resources.alive == 1)
    waiting.dispose()
    #expect(resources.alive == 0)
    let next = add("a2", to: runner)
    running.dispose()
    #expect(started.value == ["cleaned up", "a2"])
    next.end.complete()
  }

  @Test("a signal that lets go without an event frees its place, and its caller ends without one")
  func letGo() {
    let runner = Recipes.Runner(limit: 1, forEachTenant: 1)
    let subject = Box<Subject<Int, Oops>?>(Subject())
    let caller = subject.value.map { Recorder(runner.run($0.signal, for: "a")) }
    let next = add("a2", to: runner)
    #expect(started.value == [])
    subject.value = nil
    #expect(started.value == ["a2"])
    #expect(caller?.subscription.isDisposed == true && caller?.events.isEmpty == true)
    next.end.complete()
  }

  @Test("a runner that is released still runs all jobs that wait, and then nothing of it is left")
  func release() {
    let problem = findLeaks { resources in
      let runner = Box<Recipes.Runner?>(resources.follow(Recipes.Runner(limit: 1, forEachTenant: 1)))
      let jobs = ["a1", "a2", "b1", "a3"].compactMap { name in runner.value.map { add(name, to: $0) } }
      runner.value = nil
      jobs[3].caller.dispose()
      for job in jobs[..<3] { job.end.complete() }
      #expect(jobs[..<3].allSatisfy { $0.caller.events == [.completed] })
    }
    #expect(problem == nil)
    #expect(started.value == ["a1", "a2", "b1"])
  }

  @Test("a thousand jobs that end at once pass through one place without growing the stack")
  func synchronous() {
    let runner = Recipes.Runner(limit: 1, forEachTenant: 1)
    let (running, count) = (add("a1", to: runner), Counter())
    for number in 0..<1_000 {
      runner.run(Signal<Int, Never>.just(1), for: "\(number % 3)").subscribe { count.add($0) }
    }
    #expect(count.value == 0)
    running.end.complete()
    #expect(count.value == 1_000)
  }

  @Test("with two threads that add, end and dispose jobs, no limit is exceeded, and no place or job is lost")
  func threads() {
    let runner = Recipes.Runner(limit: 3, forEachTenant: 2)
    let (running, tooMany) = ((0..<3).map { _ in Counter() }, Counter())
    let left = (0..<2).map { _ in Box<[Recorder<Int, Oops>]>([]) }
    withThreads(2) { thread in
      for number in 0..<200 {
        let jobs = (0..<6).map { index in
          let (end, tenant) = (Subject<Int, Oops>(), (number + index / 2 + thread) % 3)
          let work = end.on(
            subscribed: {
              if running[tenant].add() >= 2 { tooMany.add() }
              if running.map(\.value).reduce(0, +) > 3 { tooMany.add() }
            },
            disposed: { running[tenant].add(-1) })
          return (end: end, caller: Recorder(runner.run(work, for: "\(tenant)")))
        }
        for (index, job) in jobs.enumerated() {
          if (index + number) % 3 == 0 { job.caller.dispose() } else { job.end.complete() }
        }
        left[thread].value += jobs.enumerated()
          .filter { ($0.offset + number) % 3 != 0 }
          .map(\.element.caller)
      }
    }
    #expect(tooMany.value == 0 && running.map(\.value) == [0, 0, 0])
    #expect(left.map(\.value.count) == [800, 800])
    #expect(left.allSatisfy { $0.value.allSatisfy { $0.events == [.completed] } })
  }

  @Test("a gate for each tenant around one for all: both limits hold, and here, too, the tenants take turns")
  func gates() {
    let (all, each) = (Recipes.Gate(limit: 2), ["a": Recipes.Gate(limit: 2), "b": Recipes.Gate(limit: 2)])
    let ends = ["a1", "a2", "a3", "a4", "a5", "b1", "b2"].compactMap { name in
      let end = Subject<Int, Oops>()
      let work = end.signal.initially { [started] in started.value.append(name) }
      each[String(name.prefix(1))]?.admit(all.admit(work)).subscribe(failed: { Issue.record($0) })
      return end
    }
    #expect(started.value == ["a1", "a2"])
    for end in ends { end.complete() }
    #expect(started.value == ["a1", "a2", "b1", "b2", "a3", "a4", "a5"])
  }
}
