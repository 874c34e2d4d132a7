// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

// Sends are not linearizable, and are not meant to be: one that meets another is queued, and takes effect
// when it is delivered, which may be after it has returned. The contract, which the models state:
//  - a send puts what it does into a queue, at one instant while it runs;
//  - what is in the queue takes effect in order, one after the other, each before its delivery begins;
//  - when no call is in progress that may deliver (a send, or subscribing to a source that replays), nothing
//    is queued: `quiet`, which is put into the history at each such moment.

/// A step of a subject that replays.
private protocol Sent { static var quiet: Self { get }; var mayDeliver: Bool { get } }

extension History where Step: Sent {
  /// The history, with a `quiet` at each moment in which no call is in progress that may deliver.
  fileprivate var withQuiet: History {
    // Time is stretched, so that there is some between two calls.
    var all = calls.map { call in
      Call(
        thread: call.thread, step: call.step, time: (4 * call.time.lowerBound)...(4 * call.time.upperBound))
    }
    let calls = all.filter(\.step.mayDeliver)
    var end = Int.min
    for (call, next) in zip(calls, calls.dropFirst().map { $0 as Call? } + [nil]) {
      end = max(end, call.time.upperBound)
      if let next, next.time.lowerBound < end { continue }
      all.append(Call(thread: 4, step: .quiet, time: (end + 1)...(end + 2)))
    }
    return History(all)
  }
}

/// A current value with one subscriber. It is subscribed before the first call, and has received the first
/// value.
private struct CurrentModel: SequentialModel {
  enum Change: Hashable, Sendable { case set(Int), add(Int) }
  enum Step: Sendable, Sent {
    case sent(Change), read(Int), delivered(Int), quiet
    var mayDeliver: Bool { if case .sent = self { true } else { false } }
  }
  var value = 0
  var waiting: [Change] = []
  /// The value has changed, and the subscriber's closure, which gets it, has not run. Until then there is no
  /// other change.
  var isBeingDelivered = false

  /// The states after the next change took effect or did not.
  private var now: [CurrentModel] {
    guard !isBeingDelivered, let change = waiting.first else { return [self] }
    var after = self
    after.waiting.removeFirst()
    after.isBeingDelivered = true
    switch change {
    case .set(let new): after.value = new
    case .add(let amount): after.value += amount
    }
    return [self, after]
  }

  func states(after step: Step) -> [CurrentModel] {
    switch step {
    case .sent(let change):
      var after = self
      after.waiting.append(change)
      return [after]
    case .read(let answer): return now.filter { $0.value == answer }
    case .delivered(let value):
      return now.filter { $0.isBeingDelivered && $0.value == value }.map {
        var after = $0
        after.isBeingDelivered = false
        return after
      }
    case .quiet: return waiting.isEmpty && !isBeingDelivered ? [self] : []
    }
  }
}

/// A new subscriber of a replay subject, and what it receives.
private final class Newcomer: @unchecked Sendable, CustomStringConvertible {
  // Unchecked: written in serial delivery, and read when all threads have ended.
  private(set) var got: [Int] = []
  func listen(to subject: ReplaySubject<Int, Never>) { subject.subscribe { [self] in got.append($0) } }
  var description: String { "got \(got)" }
}

/// A replay subject of capacity 3, and its new subscribers.
private struct ReplayModel: SequentialModel {
  enum Step: Sendable, Sent {
    case sent(Int)
    /// A new subscriber. What it received is examined at the end, when it receives no more.
    case came(Newcomer)
    case quiet, over
    var mayDeliver: Bool {
      switch self {
      case .sent, .came: true
      case .quiet, .over: false
      }
    }
  }
  static let capacity = 3
  var history: [Int] = []
  var waiting: [Int] = []
  /// What each new subscriber has still to receive.
  var missing: [[Int]] = []

  /// The states after `count` queued values were delivered; none if a subscriber received something else.
  private func states(delivering count: Int) -> [ReplayModel] {
    var after = self
    for _ in 0..<count {
      let value = after.waiting.removeFirst()
      after.history = (after.history + [value]).suffix(Self.capacity)
      guard after.missing.allSatisfy({ $0.first == value }) else { return [] }
      for index in after.missing.indices { after.missing[index].removeFirst() }
    }
    return [after]
  }

  func states(after step: Step) -> [ReplayModel] {
    switch step {
    case .sent(let value):
      var after = self
      after.waiting.append(value)
      return [after]
    case .came(let newcomer):
      let all = newcomer.got
      return (0...waiting.count).flatMap { states(delivering: $0) }.compactMap {
        guard all.starts(with: $0.history) else { return nil }
        var after = $0
        after.missing.append(Array(all.dropFirst($0.history.count)))
        return after
      }
    case .quiet: return states(delivering: waiting.count)
    case .over: return missing.allSatisfy(\.isEmpty) ? [self] : []
    }
  }
}

extension Stress.Histories {
  /// Hot sources that replay.
  @Suite struct Memories {
    private final class Current: Sendable {
      let subject = CurrentValue<Int, Never>(0)
      init(_ recorder: HistoryRecorder<CurrentModel.Step>) {
        let first = Counter()
        subject.subscribe { value in
          if first.value == 0 { first.add() } else { recorder.record(on: 3) { .delivered(value) } }
        }
      }
    }

    @Test(
      "A13: a CurrentValue has the value of the event delivered last, and changes take effect in order")
    func currentValue() {
      expectLinearizable(
        CurrentModel(), make: { Current($0) },
        act: { actor, index in
          let (subject, new) = (actor.object.subject, actor.fresh(index))
          switch actor.choose(below: 4) {
          case 0:
            actor.record {
              subject.send(new)
              return .sent(.set(new))
            }
          case 1:
            actor.record {
              subject.modify { $0 += 100 * new }
              return .sent(.add(100 * new))
            }
          default: actor.record { .read(subject.value) }
          }
        },
        finish: { current, recorder in recorder.record(on: 3) { .read(current.subject.value) } },
        prepared: { $0.withQuiet })
    }

    @Test(
      "J9: a new subscriber of a replay subject receives the last values, then each later one, in send order"
    )
    func replay() {
      expectLinearizable(
        ReplayModel(), make: { _ in ReplaySubject<Int, Never>(capacity: .last(ReplayModel.capacity)) },
        act: { actor, index in
          let (subject, new) = (actor.object, actor.fresh(index))
          if actor.choose(below: 3) == 0 {
            let newcomer = Newcomer()
            actor.record {
              newcomer.listen(to: subject)
              return .came(newcomer)
            }
          } else {
            actor.record {
              subject.send(new)
              return .sent(new)
            }
          }
        },
        finish: { _, recorder in recorder.record(on: 3) { .over } },
        prepared: { $0.withQuiet })
    }
  }
}
