// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// An event of an inner signal, with its place.
@frozen @usableFromInline
enum Placed<Value> {
  case value(Value, Int)
  /// The only value of a signal that has ended with it.
  case only(Value, Int)
  case end(Int)
}

/// Brings the events of inner signals into the order of their places: the place whose values are forwarded,
/// and the buffered values of the places behind it.
@usableFromInline
final class Resequencer<Value>: @unchecked Sendable {
  // Unchecked: the variables belong to the holder of the delivery's turn.
  @exclusivity(unchecked) @usableFromInline var current = 0
  /// In a word of the delivery, which owns this object.
  @exclusivity(unchecked) @usableFromInline var places: Places?
  /// The places behind the current one, up to the last that has sent something.
  @exclusivity(unchecked) @usableFromInline var waiting = FIFO<Waiting>()

  @frozen @usableFromInline
  struct Waiting {
    @usableFromInline var values: [Value] = []
    @usableFromInline var hasEnded = false
    @inlinable init() {}
  }

  @usableFromInline let subscription: Subscription
  @usableFromInline let next: @Sendable (Value) -> Void

  @inlinable
  init(into subscription: Subscription, _ next: @escaping @Sendable (Value) -> Void) {
    (self.subscription, self.next) = (subscription, next)
  }

  @inlinable
  func forward(_ value: Value) { if !subscription.isDisposed { next(value) } }

  @inlinable
  func take(_ item: Placed<Value>) {
    switch item {
    case .value(let value, current): forward(value)
    case .only(let value, current):
      forward(value)
      advance()
    case .end(current): advance()
    case .value(let value, let place): change(place) { $0?.values.append(value) }
    case .only(let value, let place):
      change(place) {
        $0?.values.append(value)
        $0?.hasEnded = true
      }
    case .end(let place): change(place) { $0?.hasEnded = true }
    }
  }

  /// Notes something about a place behind the current one. A place that has ended sends nothing more: see
  /// OrderedMerge.
  @inlinable
  func change(_ place: Int, _ change: (inout Waiting?) -> Void) {
    let distance = place - current - 1
    while waiting.count <= distance { waiting.append(Waiting()) }
    change(&waiting[distance])
  }

  /// Moves on from the current place, which is done: sends what the next one has sent so far, and so on if
  /// that has ended.
  @inlinable
  func advance() {
    var isDone = true
    while isDone {
      current += 1
      places?.noteDone()
      guard let following = waiting.popFirst() else { return }
      for value in following.values { forward(value) }
      isDone = following.hasEnded
    }
  }
}
