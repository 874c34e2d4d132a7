// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Weir

extension NotificationCenter {
  /// What `pick` makes of each notification of a name.
  ///
  /// ```swift
  /// center.signal(for: .configurationChanged) { $0.userInfo?["path"] as? String }
  /// ```
  ///
  /// A notification is not `Sendable`, so what is wanted of it is picked on the thread that posts it; where
  /// that is nil, nothing is sent. Each subscription is an observer of its own, which is removed when it
  /// ends. Never ends by itself. Delivered where it is posted; of threads that post at the same time one
  /// delivers for all. Nothing is buffered unless they meet. It keeps the center, and neither the object nor
  /// those who post: when the object has gone, nothing comes any more, and who subscribes after that is
  /// disposed at once.
  ///
  /// ReactiveObjC: `-[NSNotificationCenter rac_addObserverForName:object:]`.
  ///
  /// - Parameters:
  ///   - name: of the notifications; nil for all.
  ///   - object: who posts them; nil for whoever does.
  ///   - pick: called once for each notification, on the thread that posts it, by several threads at once if
  ///     they post at once.
  public func signal<Picked: Sendable>(
    for name: Notification.Name?, object: (any AnyObject & Sendable)? = nil,
    _ pick: @escaping @Sendable (Notification) -> Picked?
  ) -> Signal<Picked, Never> {
    let poster = Poster(object)
    return .create { [self] observer in
      let object = poster.object
      if poster.matters, object == nil { return nil }
      // Only handed back to the center, which may be used from any thread.
      nonisolated(unsafe) let token = addObserver(forName: name, object: object, queue: nil) {
        // The center goes on with those it had when it began, also with one that has left since.
        if observer.isEnded { return }
        // The center goes by the address, where another object may stand by now.
        if poster.matters, poster.object !== $0.object as AnyObject? { return }
        if let picked = pick($0) { observer.send(picked) }
      }
      return ActionDisposable { [self] in removeObserver(token) }
    }
  }
}

/// Who posts, if that matters, without keeping it.
private final class Poster: Sendable {
  let matters: Bool
  weak let object: (any AnyObject & Sendable)?

  init(_ object: (any AnyObject & Sendable)?) {
    matters = object != nil
    self.object = object
  }
}
