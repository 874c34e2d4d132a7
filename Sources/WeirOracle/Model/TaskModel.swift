// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Why this is right: `Signal.task` and `Signal.init(_:)` of an asynchronous sequence say that each
// subscription is a task of its own, which starts a moment after subscribing, and that disposing cancels it.
// `values()` says that an iteration is a subscription, that values are buffered for the task, which gets all
// of them before the end, and is suspended while there is none; that a source which lets go has ended; and
// that a task which is cancelled while it is suspended stops its source at once, and does the rest when it
// continues. `firstValue()` and its kind say when they end the source, and what they return. All tasks run on
// one thread: each time a task continues is a piece of work, behind those that wait already.

/// The events of an iteration over the values of a signal; in chunks, the digits of all that are buffered.
func iterated(_ flow: @escaping Flow, _ room: Room?, inChunks: Bool = false) -> Flow {
  { target in
    let task = ModelTask(for: target)
    var buffer: [Happening] = []
    func arrive(_ event: Happening) {
      buffer.append(event)
      task.goOn()
    }
    task.start {
      task.listen(to: flow) { event in
        if let event, !event.isEnd {
          if put(event, into: &buffer, room) { return task.goOn() }
          buffer = []
          task.finish()
          arrive(.failed(80))
        } else {
          task.finish()
          arrive(event ?? .completed)
        }
      }
    } continuing: {
      while !task.isCancelled, let first = buffer.first {
        var next = first
        if inChunks, !first.isEnd {
          let chunk = buffer.prefix { !$0.isEnd }
          buffer.removeFirst(chunk.count)
          next = .value(digits(chunk.map(\.number)))
        } else {
          buffer.removeFirst()
        }
        target(next)
        if next.isEnd { return true }
      }
      return false
    }
  }
}

extension Happening {
  fileprivate var number: Int { if case .value(let value) = self { value } else { 0 } }
}

/// The last value of an execution, for which a task has waited. The task holds the command meanwhile.
func ran(_ command: ModelCommand, _ input: Int) -> Flow {
  { target in
    let task = ModelTask(for: target)
    var (result, last) = (Happening?.none, 51)
    var hold: Tenure.Hold?
    task.atEnd = {
      hold?.end()
      hold = nil
    }
    task.start {
      guard let held = command.hold() else {
        result = .value(52)
        return
      }
      hold = held
      task.wait(for: { command.listen(.execute(input), $0) }) { event in
        switch event {
        case .value(let value)?: return last = value
        case .failed?: result = event
        default: result = .value(last)
        }
        task.finish()
        task.goOn()
      }
    } continuing: {
      guard let result else { return false }
      task.atEnd()
      target(result)
      target(.completed)
      return true
    }
  }
}

/// One value, for which a task has waited.
func awaited(_ name: Awaited, of flow: @escaping Flow) -> Flow {
  { target in
    let task = ModelTask(for: target)
    var values: [Int] = []
    var end: Happening?
    var isOver = false
    func finish(_ event: Happening?) {
      (end, isOver) = (event, true)
      task.finish()
      task.goOn()
    }
    func result() -> Int {
      switch name {
      case .first: values.first ?? 50
      case .last: values.last ?? 51
      case .all: digits(values)
      case .completion: end == .completed ? 61 : 60
      }
    }
    task.start {
      task.wait(for: flow) { event in
        guard case .value(let value) = event else { return finish(event) }
        values.append(value)
        if name == .first { finish(nil) }
      }
    } continuing: {
      if !isOver { return false }
      if case .failed(let code)? = end {
        target(.failed(code))
      } else {
        target(result())
        target(.completed)
      }
      return true
    }
  }
}

/// A task that feeds a run, and is cancelled when that ends.
private final class ModelTask {
  private let run: Scope
  /// What the task listens to.
  private let upstream: Scope
  private var hasFinished = false
  private var isSuspended = false
  private var isRunning = false
  /// Whether it can be stopped although it runs: it waits for a source that is being subscribed.
  private var isWaiting = false
  /// Those of what it listened to, for it to run when it continues.
  private var cleanUps: [() -> Void] = []
  private var work: () -> Bool = { true }
  /// Releases what the task itself holds.
  var atEnd: () -> Void = {}

  init(for target: Target) {
    run = target.scope
    upstream = Scope(run.means)
  }

  var isCancelled: Bool { run.isEnded }

  /// Runs `begin` a moment later, and then `work`, and `work` again whenever it goes on, until that returns
  /// true.
  func start(_ begin: @escaping () -> Void, continuing work: @escaping () -> Bool) {
    self.work = work
    run.onEnd { if !self.isRunning || self.isWaiting { self.stop() } }
    run.means.clock.schedule(.task) {
      if self.isCancelled { return self.end() }
      self.isRunning = true
      begin()
      self.proceed()
    }
  }

  /// The same as ``listen(to:_:)``, for a task that can be cancelled before that returns.
  func wait(for flow: Flow, _ take: @escaping (Happening?) -> Void) {
    isWaiting = true
    listen(to: flow, take)
    isWaiting = false
  }

  /// Calls `take` with each event; with nil if the source has let go.
  func listen(to flow: Flow, _ take: @escaping (Happening?) -> Void) {
    let feed = Feed(of: upstream) { if !self.hasFinished { take(nil) } }
    flow(Target(upstream) { event in withExtendedLifetime(feed) { if !self.hasFinished { take(event) } } })
  }

  /// What the source retains. A task is told that its source has let go when that has released this, and not
  /// when its run ends: of several runs that end together, all have ended before the first is released.
  private final class Feed {
    private let upstream: Scope
    private let released: () -> Void

    init(of upstream: Scope, released: @escaping () -> Void) {
      self.upstream = upstream
      self.released = released
    }

    deinit {
      upstream.endAsLetGo()
      released()
    }
  }

  /// There is something to do for it.
  func goOn() {
    if !isSuspended { return }
    isSuspended = false
    run.means.clock.schedule(.task) {
      if self.isCancelled { self.end() } else { self.proceed() }
    }
  }

  /// Ends what it listens to.
  func finish() {
    hasFinished = true
    upstream.end()
  }

  private func proceed() {
    isRunning = true
    let isOver = work() || isCancelled
    isRunning = false
    if isOver { end() } else { isSuspended = true }
  }

  /// It has been cancelled: releases what it feeds, and stops what it listens to, which may be the same.
  private func stop() {
    release()
    cleanUps = upstream.stop()
    // While it subscribes its source, another thread may run them, whichever is first.
    if isWaiting, !cleanUps.isEmpty { run.means.noteDoubt() }
    goOn()
  }

  private func end() {
    finish()
    for cleanUp in cleanUps { cleanUp() }
    cleanUps = []
    atEnd()
    release()
  }

  private func release() {
    let before = work
    work = { true }
    withExtendedLifetime(before) {}
  }
}
