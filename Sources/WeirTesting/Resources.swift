// Part of Weir. SPDX-License-Identifier: Apache-2.0
/// Counts objects that are alive, to prove that something lets go of what it captured.
///
/// ```swift
/// let resources = Resources()
/// let subscription = subject.subscribe { [token = resources.make()] _ in _ = token }
/// subscription.dispose()
/// #expect(resources.alive == 0)
/// ```
public final class Resources: Sendable {
  private let counter = Counter()

  /// A counter of nothing yet.
  public init() {}

  /// How many of the objects it made are alive.
  public var alive: Int { counter.value }

  /// A new object; capture it where something must be released.
  public func make() -> Resource { Resource(counter) }

  /// An object that is counted while it lives.
  public final class Resource: Sendable {
    private let counter: Counter
    fileprivate init(_ counter: Counter) {
      self.counter = counter
      counter.add()
    }
    deinit { counter.add(-1) }
  }
}
