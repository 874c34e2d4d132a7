// Part of Weir. SPDX-License-Identifier: Apache-2.0
package import NIOCore

/// A connection of the server: reads commands, answers them, and sends events. Used on its loop.
package final class Connection: ChannelInboundHandler, Outlet, @unchecked Sendable {
  package typealias InboundIn = ByteBuffer

  package let loop: any EventLoop
  private let broker: any Broker
  private let limits: ServerLimits
  private let flusher: LoopFlusher
  private var lines: LineBuffer
  private var context: ChannelHandlerContext?
  private var member: (any Member)?
  /// What was written after the last flush.
  private var outgoing = ByteBuffer()
  private var waiting: [@Sendable () -> Void] = []
  /// Whether lines have arrived that will be performed when the client has read its answers.
  private var isBehind = false
  /// The number of dropped events that the client has not been told of, because it is behind.
  private var lost = 0

  init(on loop: any EventLoop, _ broker: any Broker, _ limits: ServerLimits, _ flusher: LoopFlusher) {
    self.loop = loop
    self.broker = broker
    self.limits = limits
    self.flusher = flusher
    lines = LineBuffer(limit: limits.lineLength)
  }

  // MARK: - Channel

  package func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    member = broker.join(self)
  }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    lines.append(unwrapInboundIn(data))
    performLines()
  }

  package func channelWritabilityChanged(context: ChannelHandlerContext) { resumeIfWritable() }

  package func channelInactive(context: ChannelHandlerContext) {
    leave()
    context.fireChannelInactive()
  }

  package func handlerRemoved(context: ChannelHandlerContext) { leave() }

  /// A connection that has failed is treated like one that was closed.
  package func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  // MARK: - Commands

  /// Performs the lines that have arrived, as long as there is room for the answers. The answers to a packet
  /// may be fifty times as large as the packet. And when a client sends no more, everything that it has sent
  /// is read at once, however much of it has not been answered.
  private func performLines() {
    isBehind = false
    while hasRoom {
      switch lines.next() {
      case .line(let line): perform(line)
      case .tooLong:
        answer("ERROR a line may have \(limits.lineLength) bytes; the rest of this one is skipped")
      case nil: return
      }
    }
    isBehind = true
  }

  private func perform(_ line: ByteBuffer) {
    do throws(Command.Problem) {
      switch try Command(line) {
      case .subscribe(let topic): subscribe(to: topic)
      case .unsubscribe(let topic):
        answer(
          member?.unsubscribe(from: topic) == true
            ? "UNSUBSCRIBED \(topic)" : "ERROR you are not subscribed to '\(topic)'")
      case .publish(let topic, let payload):
        broker.publish(Event(topic: topic, payload: payload), to: topic)
      case .ping(let text): answer("PONG \(String(decoding: text, as: UTF8.self))")
      }
    } catch {
      answer("ERROR \(error.message)")
    }
  }

  private func subscribe(to topic: String) {
    guard let member else { return }
    if member.subscriptionCount == limits.topicsOfConnection {
      return answer(
        "ERROR a connection may have \(limits.topicsOfConnection) topics; UNSUB one of them first")
    }
    // The answer must come before the first event.
    let place = outgoing.writerIndex
    answer("SUBSCRIBED \(topic)")
    if !member.subscribe(to: topic) {
      outgoing.moveWriterIndex(to: place)
      answer("ERROR you are subscribed to '\(topic)' already")
    }
  }

  private func answer(_ line: String) {
    if context == nil { return }
    startWriting()
    outgoing.writeString(line)
    outgoing.writeInteger(UInt8(ascii: "\n"))
  }

  // MARK: - Outlet

  /// True also if the client has left.
  package var isWritable: Bool { member == nil || hasRoom }

  /// Includes what was written and not flushed.
  private var hasRoom: Bool {
    guard let context else { return true }
    return context.channel.isWritable && outgoing.readableBytes < limits.bufferedBytes
  }

  package func write(_ event: Event) {
    if member == nil { return }
    tellLost()
    startWriting()
    outgoing.writeImmutableBuffer(event.line)
  }

  package func write(lost count: Int) {
    lost += count
    if isWritable { tellLost() }
  }

  private func tellLost() {
    if lost > 0, member != nil { answer("LOST \(lost)") }
    lost = 0
  }

  package func whenWritable(_ body: @escaping @Sendable () -> Void) {
    waiting.append(body)
    resumeIfWritable()
  }

  func flush() {
    guard let context, outgoing.readableBytes > 0 else { return }
    context.writeAndFlush(NIOAny(exchange(&outgoing, with: ByteBuffer())), promise: nil)
    resumeIfWritable()
  }

  private func startWriting() {
    if outgoing.readableBytes == 0 { flusher.add(self) }
  }

  /// Later on the loop, since the code that waits may be in the middle of something.
  private func resumeIfWritable() {
    if !isBehind && lost == 0 && waiting.isEmpty || !isWritable { return }
    loop.execute { [self] in
      // Commands first: perhaps only an UNSUB among them ends the flow of events.
      if isBehind { performLines() }
      if !isWritable { return }
      tellLost()
      for body in exchange(&waiting, with: []) { body() }
    }
  }

  /// Sends what was written, and closes the connection. Events that wait for the client are dropped.
  func finish() {
    member?.leave()
    member = nil
    flush()
    resumeIfWritable()
    guard let context else { return }
    let channel = context.channel
    context.writeAndFlush(NIOAny(ByteBuffer())).whenComplete { _ in channel.close(promise: nil) }
  }

  private func leave() {
    context = nil
    // The client may have published something before it left.
    performLines()
    member?.leave()
    member = nil
    outgoing = ByteBuffer()
    resumeIfWritable()
  }
}
