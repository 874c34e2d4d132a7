// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// What a set of a property costs if something other than a plain subscriber follows it. Each has a number of
/// its own, so that the compiler merges none of their closures.
enum BindingProbe: String, CaseIterable, Probe {
  case bind
  case bindBothWays = "bind-both-ways"
  case bindObject = "bind-object"
  case bindTarget = "bind-target"
  case changes = "property-changes"
  case mapped = "property-map"
  case distinct = "property-distinct"
  case combined = "property-combined"
  case terminal
  case terminalSend = "terminal-send"
  case channel

  @inline(never)
  func run(_ cell: Cell, _ count: Int) {
    nonisolated(unsafe) let cell = cell  // the probes run on one thread
    let (property, other) = (MutableProperty(0), MutableProperty(0))
    let channel = TwoWayChannel<Int, Never>()
    let object = Bound()
    let terminal = property.makeTerminal()
    switch self {
    case .bind: property.signal.bind(to: other)
    case .bindBothWays: other.bindBothWays(with: property)
    case .bindObject: property.signal.bind(to: object, \.value)
    case .bindTarget: property.signal.bind(to: BindingTarget(object, \.value))
    case .changes: property.valuesAndChanges().subscribe { cell.pointee &+= $0.new &+ 32 }
    case .mapped: property.map { $0 &+ 1 }.signal.subscribe { cell.pointee &+= $0 &+ 31 }
    case .distinct: property.distinctUntilChanged().signal.subscribe { cell.pointee &+= $0 &+ 32 }
    case .combined:
      property.combined(with: other).signal.subscribe { cell.pointee &+= $0.0 &+ $0.1 &+ 32 }
    case .terminal: terminal.subscribe { cell.pointee &+= $0 &+ 32 }
    case .terminalSend: property.signal.subscribe { cell.pointee &+= $0 &+ 32 }
    case .channel: channel.following.subscribe { cell.pointee &+= $0 &+ 32 }
    }
    switch self {
    case .bind, .bindBothWays: other.signal.subscribe { cell.pointee &+= $0 &+ 32 }
    default: break
    }
    cell.pointee = 0
    CountedHeap.watch {
      switch self {
      case .terminalSend: probeTerminalSend(terminal, count)
      case .channel: probeChannelSend(channel.leading, count)
      default: probeFollowedSet(property, count)
      }
    }
    switch self {
    case .bindObject, .bindTarget: if object.value == count { cell.pointee = expected(count) }
    default: break
    }
    withExtendedLifetime((property, other, channel, terminal)) {}
  }

  /// After `count` values from 1 upwards.
  func expected(_ count: Int) -> Int { sum(count) + 33 * count }
}

/// An object with a property that a signal is bound to.
private final class Bound: @unchecked Sendable {  // the probes run on one thread
  var value = 0
}

@inline(never)
func probeFollowedSet(_ property: MutableProperty<Int>, _ count: Int) {
  for value in 1...count { property.value = value }
}

@inline(never)
func probeTerminalSend(_ terminal: ChannelTerminal<Int, Never>, _ count: Int) {
  for value in 1...count { terminal.send(value) }
}

/// Not quite the loop above: the compiler would merge identical functions.
@inline(never)
func probeChannelSend(_ terminal: ChannelTerminal<Int, Never>, _ count: Int) {
  for value in 0..<count { terminal.send(value &+ 1) }
}
