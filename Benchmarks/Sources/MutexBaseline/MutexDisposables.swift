// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import Synchronization

/// A closure that runs once, with a lock around the flag that says whether it has.
public final class MutexAction: Sendable {
  @usableFromInline let action: Mutex<(@Sendable () -> Void)?>

  /// Creates a disposable that runs `action`.
  @inlinable
  public init(_ action: @escaping @Sendable () -> Void) { self.action = Mutex(action) }

  /// Runs the closure outside the lock, unless it has run before.
  @inlinable
  public func dispose() {
    let action = action.withLock { $0.take() }
    action?()
  }
}

/// A set of actions in a dictionary under a lock.
public final class MutexCompound: Sendable {
  @usableFromInline let members: Mutex<[ObjectIdentifier: MutexAction]?>

  /// An empty one.
  @inlinable
  public init() { members = Mutex([:]) }

  /// Adds an action; disposes it at once if the set has been disposed.
  @inlinable
  public func add(_ action: MutexAction) {
    let isAdded = members.withLock { members in
      members?[ObjectIdentifier(action)] = action
      return members != nil
    }
    if !isAdded { action.dispose() }
  }

  /// Removes an action without disposing it.
  @inlinable
  public func remove(_ action: MutexAction) {
    members.withLock { _ = $0?.removeValue(forKey: ObjectIdentifier(action)) }
  }

  /// Disposes its actions, and those that are added from now on.
  @inlinable
  public func dispose() {
    let last = members.withLock { $0.take() }
    for action in (last ?? [:]).values { action.dispose() }
  }
}

/// A place for one action under a lock.
public final class MutexSerial: Sendable {
  @usableFromInline let held: Mutex<MutexAction?>

  /// An empty one.
  @inlinable
  public init() { held = Mutex(nil) }

  /// Puts an action there and returns the one before.
  @inlinable
  public func swap(_ action: MutexAction?) -> MutexAction? {
    held.withLock { held in
      let previous = held
      held = action
      return previous
    }
  }
}
