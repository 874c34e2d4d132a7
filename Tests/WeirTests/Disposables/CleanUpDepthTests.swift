// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

/// Runs that end because their source is released, which was retained by a clean-up of the run before. The
/// stack is measured, as an overflow would not name the operator; under sanitizers the stack lies elsewhere.
@Suite(.enabled(if: !weir_atomics_are_hooked())) struct CleanUpDepthTests {
  /// A run with a clean-up, which lasts as long as an object is retained.
  struct Link: CustomTestStringConvertible {
    let testDescription: String
    /// Begins the run, and returns the object that keeps it alive.
    let begin: @Sendable (_ cleanUp: @escaping @Sendable () -> Void) -> any AnyObject & Sendable
  }

  @Test(
    "contract 5: runs that end inside one another's clean-up end without growing the stack",
    arguments: Link.ofOperators + Link.ofInnerSignals + Link.ofForgottenWork)
  func runs(_ link: Link) {
    #expect((stack(of: 60, link) - stack(of: 30, link)) / 30 < 16)
  }

  /// How much stack `count` runs use while they end, from the first to the last.
  private func stack(of count: Int, _ link: Link) -> Int {
    let ends = Counter()
    let bytes = Plummet.bytes(for: 1) { plummet in
      var last: (any AnyObject & Sendable)?
      for _ in 0..<count {
        let before = Box(last)
        last = link.begin {
          plummet.drop()
          ends.add()
          before.value = nil
        }
      }
      #expect((ends.value, last != nil) == (0, true))
      last = nil
      plummet.drop()
    }
    #expect(ends.value == count)
    return bytes
  }
}

extension CleanUpDepthTests.Link {
  typealias CleanUp = @Sendable () -> Void

  /// A run that has received a value, and is kept alive by its source.
  private static func source(
    _ name: String, _ make: @escaping @Sendable (Signal<Int, Oops>, @escaping CleanUp) -> Signal<Int, Oops>
  ) -> Self {
    Self(testDescription: name) { cleanUp in
      let origin = Origin()
      make(origin.signal, cleanUp).subscribe(failed: { _ in })
      origin.sink?.next(1)
      return origin
    }
  }

  static let ofOperators = OperatorCase.following.flatMap { following in
    [
      source("\(following.testDescription), clean-up of the source") { signal, cleanUp in
        following.apply(signal.on(disposed: cleanUp))
      },
      source("\(following.testDescription), clean-up of the run") { signal, cleanUp in
        following.apply(signal).on(disposed: cleanUp)
      },
    ]
  }

  static let ofInnerSignals = [
    source("flatMap(.first)") { signal, cleanUp in
      .just(0).flatMap(.first) { (_: Int) in signal.on(disposed: cleanUp) }
    },
    source("bind") { signal, cleanUp in
      Signal<Int, Oops>.just(0).bind { { _ in .next(signal.on(disposed: cleanUp)) } }
    },
    source("window(count:)") { signal, cleanUp in
      signal.window(count: 2).doNext { $0.on(disposed: cleanUp).subscribe(failed: { _ in }) }.mapReplace(0)
    },
    source("group(by:)") { signal, cleanUp in
      signal.group { $0 }.doNext { $0.on(disposed: cleanUp).subscribe(failed: { _ in }) }.mapReplace(0)
    },
    source("partitioned(by:into:)") { signal, cleanUp in
      signal.partitioned(by: { $0 }, into: 1).doNext { $0.on(disposed: cleanUp).subscribe(failed: { _ in }) }
        .mapReplace(0)
    },
  ]

  /// A run that is kept alive by work that is queued on a scheduler.
  private static func work(
    _ name: String, _ make: @escaping @Sendable (Forgetful, @escaping CleanUp) -> Signal<Int, Oops>
  ) -> Self {
    Self(testDescription: name) { cleanUp in
      let scheduler = Forgetful()
      make(scheduler, cleanUp).subscribe(failed: { _ in })
      return Forgetting(scheduler)
    }
  }

  static let ofForgottenWork = [
    work("subscribing(on:)") { scheduler, cleanUp in
      Signal<Int, Oops>.empty().subscribing(on: scheduler).on(disposed: cleanUp)
    },
    work("delay") { scheduler, cleanUp in
      Signal<Int, Oops>.just(1).delay(.seconds(1), on: scheduler).on(disposed: cleanUp)
    },
    work("observe(on:)") { scheduler, cleanUp in
      Signal<Int, Oops>.just(1).observe(on: scheduler).on(disposed: cleanUp)
    },
    work("execute(_:)") { scheduler, cleanUp in
      let command = Command(on: scheduler) { (input: Int) in Signal<Int, Oops>.just(input) }
      return command.execute(1).mapError { _ in Oops(code: 0) }.on(disposed: cleanUp)
    },
  ]
}

/// A custom source, as the documentation describes it: the run ends when it is deallocated.
private final class Origin: @unchecked Sendable {  // used by one thread
  var sink: Sink<Int, Oops>?
  var signal: Signal<Int, Oops> { Signal.attaching { [weak self] sink in self?.sink = sink } }
}

/// Runs nothing.
private final class Forgetful: TimedScheduler {
  let clock = VirtualScheduler().clock
  /// The queued work; nil once it has been released.
  let waiting = Box<[any ScheduledWork]?>([])

  func enqueue(_ work: any ScheduledWork) { waiting.value?.append(work) }
  func enqueue(_ work: any ScheduledWork, at instant: VirtualClock.Instant, tolerance: Duration)
    -> any Disposable
  {
    enqueue(work)
    return ActionDisposable {}
  }
}

/// Has a scheduler release its queued work, which may retain the scheduler.
private final class Forgetting: Sendable {
  private let scheduler: Forgetful
  init(_ scheduler: Forgetful) { self.scheduler = scheduler }

  deinit {
    let waiting = scheduler.waiting.value
    scheduler.waiting.value = nil
    withExtendedLifetime(waiting) {}
  }
}
