// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Why this is right: `TwoWayChannel` says that the following terminal gives the last value and the later
// ones, as a replay subject of one value does, and the leading one only what is sent from then on, as a
// subject does; that a terminal never sends its subscribers what was sent to itself; that a terminal event on
// either side ends first the subscriptions that feed them, then the other side, then this one; and what ends
// when both have been released. Nothing else is said here.

/// Both directions of a channel.
final class ModelChannel {
  fileprivate let toLeading = Hub(replaying: nil)
  fileprivate let toFollowing = Hub(replaying: 1)
  fileprivate let upstreams = Upstreams()

  /// The two terminals, which last as long as one of them is held.
  func terminals(_ means: Means) -> (leading: ModelSource, following: ModelSource) {
    let tenure = Tenure(holders: 2) {
      self.upstreams.end()
      self.toLeading.letGo()
      self.toFollowing.letGo()
    }
    let leading = ModelChannelTerminal(of: self, from: toLeading, to: toFollowing)
    let following = ModelChannelTerminal(of: self, from: toFollowing, to: toLeading)
    return (ModelSource(leading, means, tenure), ModelSource(following, means, tenure))
  }
}

private final class ModelChannelTerminal: ObservingSource {
  private let channel: ModelChannel
  private let (here, other): (Hub, Hub)
  let canFail = true

  init(of channel: ModelChannel, from here: Hub, to other: Hub) {
    self.channel = channel
    (self.here, self.other) = (here, other)
  }

  var upstreams: Upstreams { channel.upstreams }

  func take(_ event: Happening) {
    if !event.isEnd { return upstreams.isEnded ? () : other.take(event) }
    guard upstreams.end() else { return }
    other.take(event)
    // The other side first, even if it is still getting values.
    other.afterEvents { self.here.take(event) }
  }

  func listen(_ target: Target) { here.listen(target) }
  /// Left to the channel, as the other terminal may still be held.
  func letGo() {}
}
