// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import CBenchSupport
import Glibc
import NIOCore

/// A connection that subscribes to one topic and counts its events. Used on the loop of the load.
final class SubscriberClient: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let load: SocketLoad
  private let topic: Int
  private var rest = ByteBuffer()
  /// The expected numbers, by publisher.
  private var expected: [Int]

  init(_ load: SocketLoad, topic: Int, publishers: Int) {
    self.load = load
    self.topic = topic
    expected = Array(repeating: 0, count: publishers)
  }

  func channelActive(context: ChannelHandlerContext) {
    context.writeAndFlush(
      NIOAny(ByteBuffer(string: "SUB \(LoadOptions.topic(topic))\n")), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    if rest.readableBytes > 0 {
      rest.writeBuffer(&bytes)
      swap(&rest, &bytes)
    }
    let now = Int(bench_monotonic_ns())
    let used = bytes.withUnsafeReadableBytes { all in
      var start = 0
      while let end = memchr(all.baseAddress.unsafelyUnwrapped + start, 10, all.count - start) {
        let length = UnsafeRawPointer(end) - all.baseAddress.unsafelyUnwrapped - start
        receive(UnsafeRawBufferPointer(rebasing: all[start..<start + length]), at: now)
        start += length + 1
      }
      return start
    }
    bytes.moveReaderIndex(forwardBy: used)
    rest = bytes.readableBytes > 0 ? bytes.slice() : ByteBuffer()
  }

  func channelReadComplete(context: ChannelHandlerContext) { load.pump() }

  func channelInactive(context: ChannelHandlerContext) { load.lose("the server has closed a connection") }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { load.lose("\(error)") }

  private func receive(_ line: UnsafeRawBufferPointer, at now: Int) {
    switch line.first {
    case UInt8(ascii: "E"):
      // Behind the topic.
      guard let space = line.dropFirst("EVENT ".utf8.count).firstIndex(of: UInt8(ascii: " ")),
        let payload = Payload(UnsafeRawBufferPointer(rebasing: line[(space + 1)...])),
        payload.publisher < expected.count
      else { return load.tally.receiveStrange() }
      load.tally.receive(payload, expecting: &expected[payload.publisher])
      if load.isMeasuring { load.tally.latency.add(now - payload.due) }
    case UInt8(ascii: "S"): load.subscribed += 1
    case UInt8(ascii: "L"):
      var number = line.dropFirst("LOST ".utf8.count)
      load.tally.receive(lost: Payload.number(&number) ?? 0)
    default: load.tally.receiveStrange()
    }
  }
}
