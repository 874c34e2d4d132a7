// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The subscribers of a hot source, and the delivery of events to them. Which thread may deliver, and when,
/// is up to the source: it protects the snapshot that it hands in.
///
/// The list is shared with the registrations of subscribers and lives as long as one of them. `completion` is
/// written once, before the list is closed, and read by threads that find it closed.
@frozen @usableFromInline
struct Audience<Value, Failure: Error>: @unchecked Sendable {  // by the rule above, and that of SnapshotCell
  @usableFromInline let list: SubscriberList
  @usableFromInline let walker: SnapshotWalker

  @inlinable
  init(fence: HazardFence = .ofWalker) {
    list = SubscriberList(fence: fence, destroyPayload: { AnyHandler(in: SnapshotEntry(at: $0)).destroy() })
    walker = SnapshotWalker(list.cell.hot)
  }

  @inlinable var completion: StoredCompletion<Failure> { StoredCompletion(list.completionPlace) }

  @inlinable @inline(__always)
  func handler(_ entry: SnapshotEntry) -> Handler<Value, Failure> { Handler(AnyHandler(in: entry)) }

  /// The front of the handler, which is all that a value needs.
  @inlinable @inline(__always)
  func route(_ entry: SnapshotEntry) -> StoredRoute<Value, Failure> {
    StoredRoute(AnyStoredRoute(at: entry.payload))
  }

  /// Adds a subscriber behind all others, or sends it the terminal event.
  ///
  /// - Parameter ordinal: the number of the first of the waiting events that it gets, if it does not get all.
  @inlinable
  func enlist(_ sink: consuming Sink<Value, Failure>, ordinal: UInt64 = 0) {
    let entry = list.makeEntry(ordinal: ordinal)
    handler(entry).initialize(to: consume sink)
    let kind = kind(of: entry)
    // Registered first, so that nothing is delivered once the run has ended, whenever that is.
    guard AnyHandler(in: entry).register(entry) else { return enlistNext(entry) }
    if !list.cell.append(entry, as: kind) { refuse(entry) }
  }

  @inlinable @inline(__always)
  func kind(of entry: SnapshotEntry) -> SnapshotKind { route(entry).any.hasFrame ? .marked : .plain }

  /// For a run that has a subscriber already, or has ended: it may discard this one as soon as it knows it.
  @inlinable @inline(never)
  func enlistNext(_ entry: SnapshotEntry) {
    let (sink, kind) = (handler(entry).ends, kind(of: entry))
    handler(entry).gate()
    sink.subscription.registerNext(entry)
    if list.cell.append(entry, as: kind) { return }
    list.cell.release(entry)
    refuse(sink.subscription, sink.terminate)
  }

  /// Does that for a registered subscriber that could not be listed, if its run has not ended. What it would
  /// get values by is released by the end of the run, before a subscriber sees that.
  @inlinable @inline(never)
  func refuse(_ entry: SnapshotEntry) {
    guard entry.keepPayload() else { return list.cell.release(entry) }
    let sink = handler(entry).ends
    list.cell.release(entry)
    refuse(sink.subscription, sink.terminate)
  }

  /// Sends the terminal event to a subscriber that came after it; ends its run if there was none.
  @inlinable @inline(never)
  func refuse(_ subscription: Subscription, _ terminate: @Sendable (Completion<Failure>) -> Void) {
    if let completion = completion.value { terminate(completion) } else { subscription.end() }
  }

  @inlinable @inline(__always)
  func deliver(_ value: Value, to slots: UnsafeBufferPointer<UInt64>) {
    if slots.count == 1, let slot = slots.baseAddress {
      deliver(value, in: slot)
    } else {
      deliverToAll(value, in: slots)
    }
  }

  /// Delivers a value to one entry. Entries with a step are marked: so the slot tells whether it goes to a
  /// closure.
  @inlinable @inline(__always)
  func deliver(_ value: Value, in slot: UnsafePointer<UInt64>) {
    let found = walker.content(of: slot)
    if let entry = found.livePlainEntry {
      route(entry).toClosure.pointee.next(value)
    } else if let entry = found.liveMarkedEntry {
      route(entry).toStep.pointee.next(value)
    }
  }

  /// Delivers a value to all subscribers. The loop has a function of its own, so that all it needs stays in
  /// registers across the calls. It uses no closure, for which the value would be written to memory anew for
  /// each call.
  @inlinable @inline(never)
  func deliverToAll(_ value: Value, in slots: UnsafeBufferPointer<UInt64>) {
    guard var slot = slots.baseAddress else { return }
    let end = slot + slots.count
    while slot != end {
      deliver(value, in: slot)
      slot += 1
    }
  }

  /// Closes the list and sends the terminal event in `completion` to all its subscribers. For the holder of
  /// the hazard.
  @inlinable
  func tellEnd() {
    guard let completion = completion.value, let last = list.cell.close() else { return }
    // Without entries there is nothing to protect, and so nothing that has to wait for the end of the walk.
    let slots = walker.slots(of: last)
    if walker.hasEntries(in: slots) {
      walker.protect(last)
      walker.walk(slots) { handler($0).terminate(completion) }
    }
    list.cell.unpin(last)
  }
}
