// Part of Weir. SPDX-License-Identifier: Apache-2.0
import AsyncAlgorithms
import BenchmarkKit
import Dispatch
import OpenCombine
import OpenCombineDispatch

/// A block on a serial queue for each number.
struct DispatchHop: MeasuredHop {
  static var implementation: Implementation { .dispatch }
  private let queue = DispatchQueue(label: "hop")
  private let receive: @Sendable (Int) -> Void

  init(_ receive: @escaping @Sendable (Int) -> Void) { self.receive = receive }

  @inline(__always)
  func send(_ number: Int) { queue.async { [receive] in receive(number) } }
}

/// `receive(on:)` with a serial queue.
struct OpenCombineHop: MeasuredHop {
  static var implementation: Implementation { .openCombine }
  private let subject = PassthroughSubject<Int, Never>()
  private let subscription: AnyCancellable

  init(_ receive: @escaping @Sendable (Int) -> Void) {
    subscription = subject.receive(on: DispatchQueue(label: "hop").ocombine).sink { receive($0) }
  }

  @inline(__always)
  func send(_ number: Int) { subject.send(number) }
}

/// A task that reads an unbounded `AsyncStream`.
struct AsyncStreamHop: MeasuredHop {
  static var implementation: Implementation { .asyncStream }
  private let continuation: AsyncStream<Int>.Continuation

  init(_ receive: @escaping @Sendable (Int) -> Void) {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    self.continuation = continuation
    Task.detached { for await number in stream { receive(number) } }
  }

  @inline(__always)
  func send(_ number: Int) { continuation.yield(number) }
  func end() { continuation.finish() }
}

/// A task that reads an `AsyncChannel`. Another task sends into it, and waits until each number is taken.
struct AsyncChannelHop: MeasuredStream {
  static var implementation: Implementation { .asyncChannel }
  private let channel = AsyncChannel<Int>()

  init(_ receive: @escaping @Sendable (Int) -> Void) {
    Task.detached { [channel] in for await number in channel { receive(number) } }
  }

  func sendAll(_ count: Int) {
    Task.detached { [channel] in
      for number in 0..<count { await channel.send(number) }
      await channel.send(Arrival.last)
    }
  }

  func end() { channel.finish() }
}
