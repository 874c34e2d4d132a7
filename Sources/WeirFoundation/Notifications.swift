// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Weir

extension NotificationCenter {
  /// What `pick` returns for each notification with a name.
  ///
  /// ```swift
  /// center.signal(for: .configurationChanged) { $0.userInfo?["path"] as? String }
  /// ```
  ///
  /// A notification is not `Sendable`, so `pick` takes what is needed from it on the posting thread; when
  /// that is nil, nothing is sent. Each subscription is an observer of its own, which is removed when the
  /// subscription ends. Never ends by itself. Delivered on the posting thread. A value that is posted while
  /// another is being delivered is queued behind it, bounded only by memory, and delivered by the thread that
  /// delivers that one. The signal retains the center, but not the object: once that is deallocated, nothing
  /// is sent any more, and later subscriptions are disposed at once.
  ///
  /// - Parameters:
  ///   - name: the name of the notifications; nil for all.
  ///   - object: the object that posts them; nil for any.
  ///   - pick: called once for each notification, on the thread that posts it; by several threads at once if
  ///     they post at the same time.
  ///
  /// ReactiveObjC: `-[NSNotificationCenter rac_addObserverForName:object:]`.
  public func signal<Picked: Sendable>(
    for name: Notification.Name?, object: (any AnyObject & Sendable)? = nil,
    _ pick: @escaping @Sendable (Notification) -> Picked?
  ) -> Signal<Picked, Never> {
    let poster = Poster(object)
    return .create { [self] observer in
      let object = poster.object
      if poster.matters, object == nil { return nil }
      // Only passed back to the center, which may be used from any thread.
      nonisolated(unsafe) let token = addObserver(forName: name, object: object, queue: nil) {
        // The center calls all observers it had when the post started, even one that has been removed since.
        if observer.isEnded { return }
        // The center compares addresses, and another object may be at this one by now.
        if poster.matters, poster.object !== $0.object as AnyObject? { return }
        if let picked = pick($0) { observer.send(picked) }
      }
      return ActionDisposable { [self] in removeObserver(token) }
    }
  }
}

/// The object that has to post, if that matters, without retaining it.
private final class Poster: Sendable {
  let matters: Bool
  weak let object: (any AnyObject & Sendable)?

  init(_ object: (any AnyObject & Sendable)?) {
    matters = object != nil
    self.object = object
  }
}
