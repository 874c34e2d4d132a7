// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// Subjects that replay, values that are read and set, and a command. Counting starts and ends with the
/// function whose name starts with `probe`.
enum StateProbe: String, CaseIterable, Probe {
  case replayEmit = "replay-emit"
  case replayLate = "replay-late"
  case currentSet = "current-set"
  case currentRead = "current-read"
  case propertySet = "property-set"
  case propertyRead = "property-read"
  case commandExecute = "command-execute"

  @inline(never)
  func run(_ cell: Cell, _ count: Int) {
    nonisolated(unsafe) let cell = cell  // the probes run on one thread
    switch self {
    case .replayEmit:
      let subject = Replay(capacity: 16)
      subject.subscribe { cell.pointee &+= $0 &+ 10 }
      CountedHeap.watch { probeReplayEmit(subject, count) }
    case .replayLate:
      let subject = Replay(capacity: .last(count))
      for value in 0..<count { subject.send(value) }
      CountedHeap.watch { probeReplayLate(subject, cell) }
    case .currentSet:
      let current = Current(0)
      current.subscribe { cell.pointee &+= $0 &+ 12 }
      cell.pointee = 0
      CountedHeap.watch { probeCurrentSet(current, count) }
    case .currentRead: cell.pointee = CountedHeap.watch { probeCurrentRead(Current(3), count) }
    case .propertySet:
      let property = MutableProperty(0)
      property.signal.subscribe { cell.pointee &+= $0 &+ 14 }
      cell.pointee = 0
      CountedHeap.watch { probePropertySet(property, count) }
    case .commandExecute:
      CountedHeap.watch { probeCommandExecute(Command { .just($0 &+ 7) }, cell, count) }
    case .propertyRead: cell.pointee = CountedHeap.watch { probePropertyRead(MutableProperty(3), count) }
    }
  }

  /// After `count` values from 0 upwards were sent or replayed, or 3 was read `count` times.
  func expected(_ count: Int) -> Int {
    switch self {
    case .replayEmit: sum(count) + 10 * count
    case .replayLate: sum(count) + 11 * count
    case .currentSet: sum(count) + 13 * count
    case .propertySet: sum(count) + 14 * count
    case .commandExecute: sum(count) + 22 * count
    case .currentRead, .propertyRead: 3 * count
    }
  }
}

typealias Replay = ReplaySubject<Int, Never>
typealias Current = CurrentValue<Int, Never>

@inline(never)
func probeReplayEmit(_ subject: Replay, _ count: Int) {
  for value in 0..<count { subject.send(value) }
}

/// Subscribes once; the events are the values of the history.
@inline(never)
func probeReplayLate(_ subject: Replay, _ cell: Cell) {
  nonisolated(unsafe) let cell = cell  // as above
  subject.subscribe { cell.pointee &+= $0 &+ 11 }.dispose()
}

/// Not quite the loop of `probeReplayEmit`: the compiler would merge identical functions.
@inline(never)
func probeCurrentSet(_ current: Current, _ count: Int) {
  for value in 0..<count { current.send(value &+ 1) }
}

@inline(never)
func probeCurrentRead(_ current: Current, _ count: Int) -> Int {
  (0..<count).reduce(0) { sum, _ in sum &+ current.value }
}

@inline(never)
func probePropertySet(_ property: MutableProperty<Int>, _ count: Int) {
  for value in 0..<count { property.value = value }
}

@inline(never)
func probePropertyRead(_ property: MutableProperty<Int>, _ count: Int) -> Int {
  (0..<count).reduce(0) { sum, _ in sum &+ property.value }
}

@inline(never)
func probeCommandExecute(_ command: Command<Int, Int, Never>, _ cell: Cell, _ count: Int) {
  for value in 0..<count { execute(command, value, cell) }
}

@inline(never)
private func execute(_ command: Command<Int, Int, Never>, _ value: Int, _ cell: Cell) {
  nonisolated(unsafe) let cell = cell  // as above
  command.execute(value).subscribe(next: { cell.pointee &+= $0 &+ 15 }, failed: { _ in })
}
