// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// What sends through an observer.
enum ObserverProbe: String, CaseIterable, Probe {
  case send = "observer-send"
  case sendNested = "observer-send-nested"
  case subscribeCreate = "subscribe-create"
  case modify = "current-modify"

  @inline(never)
  func run(_ cell: Cell, _ count: Int) {
    nonisolated(unsafe) let cell = cell  // the probes run on one thread
    let (held, current) = (Held(), Current(0))
    let source = Signal<Int, Never>.create { observer in
      held.observer = observer
      return nil
    }
    switch self {
    case .send: source.subscribe { cell.pointee &+= $0 &+ 41 }
    case .sendNested:
      // Every second value is sent while the one before is being delivered, and waits for that.
      source.subscribe { value in
        if value & 1 == 0 { held.observer?.send(value &+ 1) }
        cell.pointee &+= value &+ 41
      }
    case .subscribeCreate: break
    case .modify: current.subscribe { cell.pointee &+= $0 &+ 41 }
    }
    cell.pointee = 0
    CountedHeap.watch {
      switch self {
      case .send: probeObserverSend(held.observer, by: 1, count)
      case .sendNested: probeObserverSend(held.observer, by: 2, count)
      case .subscribeCreate: probeSubscribeCreate(cell, count)
      case .modify: probeCurrentModify(current, count)
      }
    }
    held.observer = nil
  }

  /// After `count` values from 0 upwards, or from 1 upwards.
  func expected(_ count: Int) -> Int { sum(count) + (self == .modify ? 42 : 41) * count }
}

private final class Held: @unchecked Sendable {  // the probes run on one thread
  var observer: Observer<Int, Never>?
}

@inline(never)
func probeObserverSend(_ observer: Observer<Int, Never>?, by step: Int, _ count: Int) {
  guard let observer else { return }
  for value in stride(from: 0, to: count, by: step) { observer.send(value) }
}

@inline(never)
func probeSubscribeCreate(_ cell: Cell, _ count: Int) {
  for value in 0..<count { subscribeCreate(value, cell) }
}

@inline(never)
private func subscribeCreate(_ value: Int, _ cell: Cell) {
  nonisolated(unsafe) let cell = cell  // as above
  Signal<Int, Never>.create { observer in
    observer.send(value)
    return nil
  }
  .subscribe { cell.pointee &+= $0 &+ 41 }
}

@inline(never)
func probeCurrentModify(_ current: Current, _ count: Int) {
  for _ in 0..<count { current.modify { $0 += 1 } }
}
