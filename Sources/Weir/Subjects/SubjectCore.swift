// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// What is behind a subject: a delivery turn and a snapshot cell whose hazard is the token of the turn.
///
/// The words of a send share one cache line: the current snapshot, the list of what waits for reclamation, the token, the
/// inbox. The handle (``Subject``) owns the core, and so do its registrations; the core owns the entries, whose handlers
/// own the subscriptions. Disposal breaks that circle, and releasing the handle disposes.
@usableFromInline
final class SubjectCore<Value, Failure: Error>: @unchecked Sendable {  // by the turn and the cell; `completion` see below
  /// An event that waits for the turn. Subscribers with an ordinal of `limit` or more came after it was sent.
  @frozen @usableFromInline
  struct Posted {
    @usableFromInline let event: Event<Value, Failure>
    @usableFromInline let limit: UInt64
    @inlinable init(_ event: Event<Value, Failure>, limit: UInt64) {
      self.event = event
      self.limit = limit
    }
  }
  @usableFromInline typealias Subscribers = SnapshotCell<Handler<Value, Failure>>

  @usableFromInline let words: UnsafeMutablePointer<UInt64>
  @usableFromInline let turn: DeliveryTurn<Posted>
  @usableFromInline let subscribers: Subscribers
  let upstreams = Subscription()
  /// Written once, by the holder of the turn, before the list is closed; read by those who found it closed.
  @exclusivity(unchecked) private var completion: Completion<Failure>?

  private static var listOffset: Int { 2 + DeliveryTurn<Posted>.wordCount }
  private static var wordCount: Int { listOffset + Subscribers.wordCount }

  init() {
    words = weir_block_allocate(8 * Self.wordCount).assumingMemoryBound(to: UInt64.self)
    turn = DeliveryTurn(words: words + 2)
    subscribers = Subscribers(hazard: turn.token, hot: words, words: words + Self.listOffset)
  }

  deinit {
    turn.destroy()
    subscribers.destroy()
    weir_block_free(words, 8 * Self.wordCount)
  }

  // MARK: Sending

  @inlinable @inline(__always)
  func send(_ value: Value) {
    let seen = subscribers.cell.currentBlock()
    if turn.enter(as: seen.bits | 1) {
      deliver(value, before: .max)
      turn.leave()
      subscribers.settle()
    } else {
      turn.post(Posted(.next(value), limit: subscribers.nextOrdinal))
    }
    if turn.isWaiting { deliverWaiting() }
  }

  func terminate(_ completion: Completion<Failure>) {
    upstreams.dispose()
    if turn.enter(as: 1) {
      finish(completion)
      turn.leave()
      subscribers.settle()
    } else {
      turn.post(Posted(Event(completion), limit: .max))
    }
    if turn.isWaiting { deliverWaiting() }
  }

  @usableFromInline
  func deliverWaiting() {
    turn.deliverWaiting(as: 1) { posted in
      if case .next(let value) = posted.event {
        deliver(value, before: posted.limit)
      } else if let completion = posted.event.completion {
        finish(completion)
      }
    }
    subscribers.settle()
  }

  @inlinable @inline(__always)
  func deliver(_ value: Value, before limit: UInt64) {
    subscribers.walk(subscribers.protectCurrent(), before: limit) { $0.next(value) }
  }

  /// For the holder of the turn: seals the subject and tells everybody, also those who came after this event was sent.
  private func finish(_ completion: Completion<Failure>) {
    if subscribers.protectCurrent().payload.pointee.isClosed { return }
    self.completion = completion
    guard let last = subscribers.close() else { return }
    subscribers.protect(last)
    subscribers.walk(last, before: .max) { $0.terminate(completion) }
    subscribers.unpin(last)
  }

  // MARK: Subscribing

  func attach(_ sink: Sink<Value, Failure>) {
    if let entry = subscribers.append(Handler(sink)) {
      sink.subscription.add(SubjectRegistration(of: entry, in: self))
    } else if let completion {
      sink.terminate(completion)
    } else {
      sink.subscription.dispose()
    }
  }

  /// The handle is gone: nobody can send any more, so all subscriptions end. No event is sent.
  func abandon() {
    upstreams.dispose()
    guard let last = subscribers.close() else { return }
    // Nobody else can have the turn; taking it keeps the handlers while they are walked.
    subscribers.protect(last)
    subscribers.walk(last, before: .max) { $0.subscription.dispose() }
    subscribers.unpin(last)
    turn.leave()
    subscribers.settle()
  }
}

/// Takes one subscriber out of a subject.
private final class SubjectRegistration<Value, Failure: Error>: Disposable, @unchecked Sendable {  // by the entry's rules
  private let entry: SnapshotEntry<Handler<Value, Failure>>
  private let core: SubjectCore<Value, Failure>

  init(of entry: SnapshotEntry<Handler<Value, Failure>>, in core: SubjectCore<Value, Failure>) {
    self.entry = entry
    self.core = core
  }

  deinit { entry.release() }

  var isDisposed: Bool { entry.isDead }

  func dispose() { if entry.die() { core.subscribers.discard(entry) } }
}
