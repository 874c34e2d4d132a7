// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir
import WeirTesting

// # A model of the operators with a clock
//
// Here a signal is the list of its events, with times in microseconds from its subscription, and an operator
// maps one list to another. Nothing waits and nothing is delivered, so only the meaning can be wrong. Where
// model and operator differ, the documentation of the operator says which is right. No two events happen at
// the same time unless one source sends both: see `TimedModelTests`.

/// An event of a signal in the model.
struct Timed: Equatable, CustomStringConvertible {
  var time: Int
  var event: Event<Int, Oops>

  init(_ time: Int, _ event: Event<Int, Oops>) {
    self.time = time
    self.event = event
  }

  var description: String { Recorded(.microseconds(time), event).description }
}

/// An operator with a clock: what it should do, and what it does.
struct TimedOperator: Sendable, CustomStringConvertible {
  let description: String
  let model: @Sendable ([Timed]) -> [Timed]
  let apply: @Sendable (Signal<Int, Oops>, VirtualScheduler) -> Signal<Int, Oops>
}

/// The events of a signal up to its terminal event.
private func untilEnd(_ events: [Timed]) -> [Timed] {
  guard let end = events.firstIndex(where: { $0.event.completion != nil }) else { return events }
  return Array(events[...end])
}

/// Combines several values into one.
func sum(_ values: [Int]) -> Int { values.reduce(17) { $0 &* 31 &+ $1 } }

enum TimedModel {
  static func delay(
    _ events: [Timed], by delay: Int, atMost bound: Int, dropping: Overflow<Oops>
  ) -> [Timed] {
    var result: [Timed] = []
    for (time, event) in events.map({ ($0.time, $0.event) }) {
      let waiting = result.indices.filter { result[$0].time > time }
      switch event {
      case .next where waiting.count >= bound:
        switch dropping {
        case .dropNewest: break
        case .dropOldest:
          if let oldest = waiting.first {
            result.remove(at: oldest)
            result.append(Timed(time + delay, event))
          }
        case .fail(let error): return result.filter { $0.time <= time } + [Timed(time, .failed(error))]
        case .trap: break
        }
      case .next, .completed: result.append(Timed(time + delay, event))
      case .failed: return result.filter { $0.time <= time } + [Timed(time, event)]
      }
    }
    return untilEnd(result)
  }

  static func debounce(_ events: [Timed], by quiet: Int, where isPostponed: (Int) -> Bool) -> [Timed] {
    var (result, waiting): ([Timed], Timed?) = ([], nil)
    for (time, event) in events.map({ ($0.time, $0.event) }) {
      if let due = waiting, due.time < time {
        result.append(due)
        waiting = nil
      }
      switch event {
      case .next(let value) where isPostponed(value): waiting = Timed(time + quiet, event)
      case .completed: if let late = waiting { result.append(Timed(time, late.event)) }
      default: break
      }
      if case .next(let value) = event, isPostponed(value) { continue }
      waiting = nil
      result.append(Timed(time, event))
    }
    if let waiting { result.append(waiting) }
    return untilEnd(result)
  }

  static func rateLimit(_ events: [Timed], to interval: Int, _ edge: RateLimitEdge) -> [Timed] {
    var (result, waiting, over): ([Timed], Event<Int, Oops>?, Int) = ([], nil, 0)
    for (time, event) in events.map({ ($0.time, $0.event) }) {
      if let last = waiting, over < time {
        result.append(Timed(over, last))
        waiting = nil
        over += interval
      }
      guard case .next = event else {
        if case .completed = event, let last = waiting { result.append(Timed(time, last)) }
        return result + [Timed(time, event)]
      }
      let isFirst = time >= over && waiting == nil
      if isFirst { over = time + interval }
      if isFirst, edge != .trailing {
        result.append(Timed(time, event))
      } else if edge != .leading {
        waiting = event
      }
    }
    if let waiting { result.append(Timed(over, waiting)) }
    return result
  }

  static func idle(_ events: [Timed], for limit: Int) -> [Timed] {
    var (result, due): ([Timed], Int) = ([], limit)
    for timed in events {
      if timed.time > due { break }
      result.append(timed)
      if timed.event.completion != nil { return result }
      due = timed.time + limit
    }
    return result + [Timed(due, .failed(Oops(code: 99)))]
  }

  static func collect(_ events: [Timed], count: Int, within duration: Int) -> [Timed] {
    batches(events, of: count) { $0 + duration }
  }

  static func window(_ events: [Timed], count: Int, every interval: Int) -> [Timed] {
    batches(events, of: count) { ($0 / interval + 1) * interval }
  }

  /// - Parameter due: maps the time at which a batch begins to the time at which it closes.
  private static func batches(_ events: [Timed], of count: Int, until due: (Int) -> Int) -> [Timed] {
    var (result, batch, end): ([Timed], [Int], Int) = ([], [], 0)
    func close(at time: Int) {
      if !batch.isEmpty { result.append(Timed(time, .next(sum(batch)))) }
      batch = []
    }
    for (time, event) in events.map({ ($0.time, $0.event) }) {
      if end < time { close(at: end) }
      switch event {
      case .next(let value):
        if batch.isEmpty { end = due(time) }
        batch.append(value)
        if batch.count == count { close(at: time) }
      case .completed:
        close(at: time)
        return result + [Timed(time, event)]
      case .failed: return result + [Timed(time, event)]
      }
    }
    close(at: end)
    return result
  }

  static func sample(_ events: [Timed], every interval: Int, until horizon: Int) -> [Timed] {
    let end = events.first { $0.event.completion != nil }
    var result: [Timed] = []
    for tick in stride(from: interval, to: min(end?.time ?? horizon, horizon), by: interval) {
      if let newest = events.last(where: { $0.time < tick }) { result.append(Timed(tick, newest.event)) }
    }
    return result + (end.map { [$0] } ?? [])
  }
}
