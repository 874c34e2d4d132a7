// Part of Weir. SPDX-License-Identifier: Apache-2.0

// The parts of programs of the shape `timed` that came last, and what is done besides.

extension ProgramDecoder {
  mutating func furtherSource() -> Source {
    switch number(below: 6) {
    case 0: .replayAll
    case 1: .replayWithin(time(), last: nil)
    case 2: .replayWithin(time(), last: 1 + number(below: 2))
    default: .unserialized
    }
  }

  mutating func furtherLeaf() -> Node {
    .further(furtherLeafName(), [])
  }

  private mutating func furtherLeafName() -> Further {
    switch number(below: 8) {
    case 0, 1: .timer(time())
    case 2: .interval(time())
    case 3: .generated(number(below: 4), failingAt: number(below: 5))
    case 4, 5: .rounds((0..<number(below: 4)).map { _ in number(below: 5) })
    case 6: .tried(.returns(number(below: 5)))
    default: .tried(.throwsCode(number(below: 3)))
    }
  }

  mutating func further(depth: Int) -> Node {
    let (name, count) = furtherName()
    if case .retrying = name { return .further(name, [failing(depth: depth)]) }
    return .further(name, (0..<count).map { _ in node(depth: depth) })
  }

  /// Mostly a signal that fails, at once or later.
  private mutating func failing(depth: Int) -> Node {
    switch number(below: 4) {
    case 0: .two(.then, .further(.timer(time()), []), .further(.tried(.throwsCode(number(below: 3))), []))
    case 1: .further(.throwing(.tryMap, at: number(below: 4)), [node(depth: depth)])
    case 2: .further(.tried(.throwsCode(number(below: 3))), [])
    default: node(depth: depth)
    }
  }

  /// An operator, and how many signals it has.
  private mutating func furtherName() -> (Further, Int) {
    switch number(below: 32) {
    case 0...5: return (.retrying(retryPlan()), 1)
    case 6...12: return (throwing(), 1)
    case 13...16: return (.throwingFlat(strategy(), at: number(below: 4)), 2)
    case 17: return (.deferred, 1)
    case 18, 19: return (.using(deed()), 1)
    case 20: return (.windowEvery(time()), 1)
    case 21: return (.timestamped, 1)
    case 22: return (.measured, 1)
    case 23, 24: return (.catching(unless: number(below: 3)), 2)
    case 25: return (.prepending, 2)
    case 26: return (.mergingWith, 2)
    case 27: return (.racingWith, 2)
    case 28: return (.and, 2)
    case 29: return (.or, 2)
    case 30: return (.choosing, 3)
    default: return (.selecting, 4)
    }
  }

  private mutating func throwing() -> Further {
    let all: [Further.Throwing] = [
      .filter, .compactMap, .scan, .reduce, .takeWhile, .skipWhile, .distinct, .minimum, .maximum, .doNext,
      .tryMap, .any, .all, .attempt, .groupKey, .groupTransform, .reduceEach,
    ]
    return .throwing(all[number(below: all.count)], at: number(below: 5))
  }

  private mutating func retryPlan() -> RetryPlan {
    let pauses: [RetryPlan.Pause] = [.none, .none, .fixed(time()), .growing(time()), .sometimes(time())]
    var plan = RetryPlan(
      limit: number(below: 4), pause: pauses[number(below: pauses.count)], reset: .never,
      fatal: number(below: 4))
    switch number(below: 4) {
    case 1: plan.reset = .onValue
    case 2, 3: plan.reset = .afterRun(time())
    default: break
    }
    if number(below: 2) == 1 { plan.deed = deed() }
    return plan
  }

  // MARK: Things done besides

  mutating func cleanUp() -> CleanUp {
    let occasion: CleanUp.Occasion
    if shape == .objects {
      occasion = self.occasion()
    } else {
      switch number(below: 3, orAdded: shape == .timed ? 5 : 0) {
      case 2: occasion = .finally
      case 3...: occasion = self.occasion()
      default: occasion = .disposed
      }
    }
    return CleanUp(occasion: occasion, deed: deed())
  }

  mutating func deed() -> CleanUp.Deed {
    let event: Happening
    switch number(below: 6, orAdded: 4) {
    case 4: event = .completed
    case 5: event = .failed(number(below: 3))
    case 6 where shape == .objects: return .endLifetime(object())
    case 6...: return .dispose(number(below: 4))
    default: event = .value(number(below: 6))
    }
    return .send(event, to: number(below: program.sources.count))
  }
}
