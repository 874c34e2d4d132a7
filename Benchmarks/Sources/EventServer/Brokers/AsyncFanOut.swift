// Part of Weir. SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization

/// An asynchronous stream for each connection, read by a task on the loop of the connection. A topic holds
/// the continuations of its streams.
///
/// The number of dropped events is exact; their place in the order of events is known only approximately.
///
/// The usual form is an actor that holds the continuations. Here a publisher is a channel handler, which
/// cannot wait for an actor. So the continuations are behind a lock, which is held, as the actor would be
/// occupied, while an event is yielded to all of them.
struct AsyncFanOut: FanOut {
  let waiting: Int
  private let writers = AsyncWriters()

  init(waiting: Int) { self.waiting = waiting }

  func makeTopic() -> AsyncTopic { AsyncTopic() }

  func makeMailbox(_ outlet: any Outlet) -> AsyncMailbox {
    AsyncMailbox(outlet, waiting: waiting, among: writers)
  }

  func link(_ topic: AsyncTopic, to mailbox: AsyncMailbox) -> AsyncLink {
    topic.add(mailbox)
    return AsyncLink(topic: topic, mailbox: mailbox)
  }

  func send(_ event: Event, to topic: AsyncTopic) { topic.send(event) }

  /// A task also needs its loop to end.
  func ended() async { await writers.ended() }
}

struct AsyncLink: Link {
  let topic: AsyncTopic
  let mailbox: AsyncMailbox
  func end() { topic.remove(mailbox) }
}

final class AsyncTopic: Sendable {
  private let mailboxes = Mutex<[ObjectIdentifier: AsyncMailbox]>([:])

  func add(_ mailbox: AsyncMailbox) { mailboxes.withLock { $0[ObjectIdentifier(mailbox)] = mailbox } }

  func remove(_ mailbox: AsyncMailbox) {
    _ = mailboxes.withLock { $0.removeValue(forKey: ObjectIdentifier(mailbox)) }
  }

  func send(_ event: Event) {
    mailboxes.withLock { for mailbox in $0.values { mailbox.append(event) } }
  }
}

final class AsyncMailbox: Mailbox {
  private let continuation: AsyncStream<Event>.Continuation
  private let state = AsyncState()

  init(_ outlet: any Outlet, waiting: Int, among writers: AsyncWriters) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Event.self, bufferingPolicy: .bufferingNewest(waiting))
    self.continuation = continuation
    let writer = AsyncWriter(outlet)
    writers.start { [state] in await writer.write(stream, state) }
  }

  func append(_ event: Event) {
    if case .dropped = continuation.yield(event) { state.lost.add(1, ordering: .relaxed) }
  }

  /// Sets a flag as well, since events that wait in the stream would otherwise still be written.
  func close() {
    state.isClosed.store(true, ordering: .relaxed)
    continuation.finish()
  }
}

/// The state that both ends of a stream share.
private final class AsyncState: Sendable {
  /// The number of dropped events that the client has not been told of.
  let lost = Atomic(0)
  let isClosed = Atomic(false)
}

/// Runs on the loop of a connection.
private actor AsyncWriter {
  private let outlet: any Outlet
  private let executor: any SerialExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ outlet: any Outlet) {
    self.outlet = outlet
    executor = outlet.loop.executor
  }

  func write(_ events: AsyncStream<Event>, _ state: AsyncState) async {
    for await event in events {
      if !outlet.isWritable {
        await withCheckedContinuation { ready in outlet.whenWritable { ready.resume() } }
      }
      if state.isClosed.load(ordering: .relaxed) { return }
      outlet.tell(lost: state.lost.exchange(0, ordering: .relaxed))
      outlet.write(event)
    }
  }
}

/// The tasks that read the streams.
final class AsyncWriters: Sendable {
  private struct State {
    var running = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }
  private let state = Mutex(State())

  func start(_ body: @escaping @Sendable () async -> Void) {
    state.withLock { $0.running += 1 }
    Task {
      await body()
      let waiting = state.withLock { state in
        state.running -= 1
        return state.running == 0 ? exchange(&state.waiting, with: []) : []
      }
      for continuation in waiting { continuation.resume() }
    }
  }

  /// Returns when no task is running.
  func ended() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.running > 0 { state.waiting.append(continuation) }
        return state.running == 0
      }
      if isOver { continuation.resume() }
    }
  }
}
