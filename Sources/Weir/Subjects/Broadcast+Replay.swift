// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # From replay to live
//
// A newcomer reads the log on its own thread, outside the turn, at its own speed: it delays nobody, and no
// subscriber is listed before it has caught up. Then it joins: in the turn, so between two events, it gets
// the values that it still lacks, and is listed. So there is no gap, no duplicate, and no event out of order.
//
// When does it join? When nothing is left to read, and otherwise when what is left has not at least halved
// since the round before: then values come as fast as it takes them, and it would chase them for ever. In the
// turn it gets what is left, and what was sent until it had the turn. If the turn is taken, it waits, and
// pins what it has not read: it may join before or after the values that are pending with it, as it gets each
// of them either way.
//
// With a capacity of 0 there is nothing to read, and nothing to wait for: a newcomer is listed at once, and
// does not get values sent before (invariant 4 of Broadcast).

extension Broadcast {
  /// Replays to a newcomer, and lists it; or sends it the terminal event.
  ///
  /// - Parameter source: the owner of this, retained while the newcomer waits.
  @inlinable
  func replay<Value>(to sink: Sink<Value, Failure>, from source: AnyObject)
  where Memory == ReplayMemory<Value> {
    let log = memory.log
    if log.capacity == 0 { return enlist(sink) }
    var reader = ReplayReader(log)
    var left = UInt64.max
    while true {
      let tail = log.tail.load()
      let size = (tail & ~ReplayLog<Value>.sealed) - reader.position
      if size == 0, tail >= ReplayLog<Value>.sealed {
        leave(reader)
        return sink.isEnded ? () : audience.refuse(sink.subscription, sink.terminate)
      }
      if size == 0 || size > left / 2 { break }
      left = size
      pass(&reader, to: reader.position + size, to: sink)
      if sink.isEnded { return leave(reader) }
    }
    letIn(
      sink.subscription,
      orSeat: Newcomer { [reader] decision in
        defer { _fixLifetime(source) }
        switch decision {
        case .comesIn: join(sink, reader)
        case .leaves: leave(reader)
        }
      }
    ) {
      join(sink, reader)
    }
  }

  /// In the turn: sends a newcomer what it still lacks, and lists it.
  @inlinable
  func join<Value>(_ sink: Sink<Value, Failure>, _ reader: ReplayReader<Value>)
  where Memory == ReplayMemory<Value> {
    var reader = reader
    pass(&reader, to: memory.log.count, to: sink)
    reader.leave()
    if memory.log.isLagging { memory.log.expire() }
    if !sink.isEnded { audience.enlist(sink) }
  }

  @inlinable @inline(__always)
  func pass<Value>(_ reader: inout ReplayReader<Value>, to position: UInt64, to sink: Sink<Value, Failure>) {
    sink.sending { next in
      reader.read(to: position) { value in
        if sink.isEnded { return false }
        next(value)
        return true
      }
    }
  }

  /// Removes a reader's pin, and expires what it held back.
  @inlinable
  func leave<Value>(_ reader: ReplayReader<Value>) where Memory == ReplayMemory<Value> {
    reader.leave()
    expireHeldBack()
  }

  /// To be called after reading: has held-back elements destroyed.
  @inlinable @inline(__always)
  func expireHeldBack<Value>() where Memory == ReplayMemory<Value> {
    // There may be many reads during one long delivery; one request is enough for all.
    if memory.log.isLagging, memory.log.isAsked.exchange(1) == 0 { askToExpire() }
  }

  @inlinable @inline(never)
  func askToExpire<Value>() where Memory == ReplayMemory<Value> {
    perform { [memory] in
      _ = memory.log.isAsked.exchange(0)
      memory.log.expire()
    }
  }
}
