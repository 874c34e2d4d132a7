// Part of Weir. SPDX-License-Identifier: Apache-2.0

// What a hot source does with its list, whatever its types: its own subscriptions, and the end.

extension SubscriberList {
  /// Ends `subscription` with the source; at once, if that has ended.
  @usableFromInline
  func adopt(_ subscription: Subscription) { Upstreams(upstreamsPlace).adopt(subscription) }

  /// Ends the source's own subscriptions.
  @usableFromInline
  func endUpstreams() { Upstreams(upstreamsPlace).end() }

  /// How many subscribers are listed and have not left. From any thread: a pin keeps the snapshot, but does
  /// not freeze it: a subscriber that comes during the count is left out, and so is one that leaves before
  /// the count gets that far.
  var subscriberCount: Int {
    let (block, _) = cell.cell.pin(reclaim: cell.retire)
    var count = 0
    SnapshotWalker(cell.hot).walk(block) { _ in count += 1 }
    cell.unpin(block)
    return count
  }

  /// For the source's deinit, whatever its types: ends all subscriptions, without a terminal event. A
  /// subscriber may be all that keeps another source alive, and so on: the first few of these end inside each
  /// other, as the code that releases one expects; deeper ones end in a loop.
  @usableFromInline
  func endAll() { ReleaseQueue().end(self) { $0.endNow() } }

  private func endNow() {
    endUpstreams()
    // Whoever has made an entry had a reference to the source, so nobody makes one now.
    if cell.hasMadeEntries {
      let walker = SnapshotWalker(cell.hot)
      // Nobody sends any more; if the turn is biased to a thread, that is over.
      _ = walker.hazard.exchange(0)
      if let last = cell.close() {
        // No other thread can walk; having the hazard keeps the handlers while they are walked.
        walker.protect(last)
        walker.walk(last) { AnyHandler(in: $0).dispose() }
        cell.unpin(last)
        _ = walker.hazard.exchange(0)
        if walker.hasRetired { cell.scavenge() }
      }
      letGo()
    }
    Upstreams(upstreamsPlace).release()
    WaitingRoom.releaseRoom(at: roomPlace)
    StoredCompletion<Never>.release(completionPlace)
  }
}
