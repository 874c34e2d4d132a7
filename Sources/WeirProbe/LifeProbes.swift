// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// Hot sources that are created for one value, end, and are released with their subscriber.
enum LifeProbe: String, CaseIterable, Probe {
  case subject = "subject-life"
  case replay = "replay-life"
  case property = "property-life"

  func run(_ cell: Cell, _ count: Int) { CountedHeap.watch { probeLife(self, cell, count) } }

  func expected(_ count: Int) -> Int {
    switch self {
    case .subject: sum(count) + 61 * count
    case .replay: sum(count) + 62 * count
    case .property: sum(count) + 63 * 2 * count
    }
  }
}

@inline(never)
func probeLife(_ probe: LifeProbe, _ cell: Cell, _ count: Int) {
  for value in 0..<count { probe.live(value, cell) }
}

extension LifeProbe {
  @inline(never)
  fileprivate func live(_ value: Int, _ cell: Cell) {
    nonisolated(unsafe) let cell = cell  // the probes run on one thread
    switch self {
    case .subject:
      let subject = Subject<Int, Never>()
      subject.subscribe { cell.pointee &+= $0 &+ 61 }
      subject.send(value)
      subject.complete()
    case .replay:
      let subject = ReplaySubject<Int, Never>(capacity: .unbounded)
      subject.send(value)
      subject.complete()
      subject.subscribe { cell.pointee &+= $0 &+ 62 }
    case .property:
      let property = MutableProperty(0)
      property.signal.subscribe { cell.pointee &+= $0 &+ 63 }
      property.value = value
    }
  }
}
