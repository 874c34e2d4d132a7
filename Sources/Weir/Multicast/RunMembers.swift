// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The subscribers of a shared run, and how that has ended for them.
@usableFromInline
class RunMembers: @unchecked Sendable {  // the words are atomic, the rest constant
  private final var letGoWord: UInt64 = 0
  private final var eventWord: UInt64 = 0
  /// Ends when there will be no terminal event; when there was one, it does not.
  @usableFromInline final let members = Subscription()

  /// The source has let go without a terminal event.
  final var hasLetGo: OnceFlag { OnceFlag(AtomicWord(property: 0, of: self)) }
  /// The source has a terminal event.
  final var hasEvent: OnceFlag { OnceFlag(AtomicWord(property: 1, of: self)) }

  /// Makes a subscriber that has got the history end with the run. Called before the source runs, which may
  /// let go of the run during that.
  @usableFromInline
  final func enroll(_ subscription: Subscription, afterEvents: @autoclosure () -> AfterEvents) {
    if hasLetGo.isClaimed {
      // Claimed during the replay: the others may have ended, and events that this one lacks may still be
      // queued.
      afterEvents()({ subscription.end() })
    } else {
      members.list.adopt(subscription, ifLate: .ending)
    }
  }
}
