// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import Weir

/// What happens to a line that is longer than its bound. ReactiveObjC has none.
public enum LongLine: Sendable {
  /// Bytes beyond the bound are dropped, along with a code point (Unicode scalar) that would be cut in two.
  case cut
  /// It is sent as several lines, all but the last as long as the bound allows; no code point (Unicode
  /// scalar) is cut in two.
  case split
}

extension SignalConvertible where Value == [UInt8] {
  /// The lines of a text that comes in pieces.
  ///
  /// A line ends with a line feed, or a carriage return and a line feed, which are not part of it. Text after
  /// the last of them is sent when the signal completes, if it is not empty; when the signal fails, that text
  /// is lost. Bytes that are not UTF-8 become the replacement character. Lines are delivered where the pieces
  /// are, those of one piece one after the other. Buffers one incomplete line, of at most `bound` bytes. How
  /// the text was cut into pieces makes no difference. A closure downstream may block the thread on which
  /// `Signal.chunks(of:upTo:)` reads.
  ///
  /// To stop in the middle of a text, end the run downstream of this operator, as by `lines().take(until:
  /// stop)`: upstream of it, an incomplete line would be sent as if it were complete. Either way, data that
  /// was read and not delivered is lost. To lose nothing, let the writer close the pipe.
  ///
  /// - Parameters:
  ///   - bound: the most bytes of a line, without its end. A bound smaller than a code point breaks it.
  ///   - longer: what happens to a line that has more.
  /// - Precondition: `bound` is positive.
  ///
  /// ReactiveObjC has no such operator.
  public func lines(upTo bound: Int = 1_048_576, longer: LongLine = .split) -> Signal<String, Failure> {
    require(bound > 0, "weir: lines(upTo: \(bound)): a line must have room for a byte")
    let pieces = signal
    return Signal.attaching { sink in
      let splitter = LineSplitter(bound, longer)
      let next = sink.next
      let deliver: @Sendable (String) -> Bool = {
        if sink.isEnded { return false }
        next($0)
        return true
      }
      pieces.attach(
        sink.upstream(
          next: { splitter.take($0, deliver) },
          terminate: { completion in
            if case .completed = completion { splitter.finish(deliver) }
            if !sink.isEnded { sink.terminate(completion) }
          }))
    }
  }
}

/// The line that is not yet complete.
private final class LineSplitter: @unchecked Sendable {  // used in the serial delivery of one subscription
  @exclusivity(unchecked) private var line: [UInt8] = []
  /// Whether a carriage return follows it, which may be the first half of its end.
  @exclusivity(unchecked) private var holdsReturn = false
  /// Whether the rest of the line that is being read is dropped.
  @exclusivity(unchecked) private var isCut = false
  private let bound: Int
  private let longer: LongLine

  init(_ bound: Int, _ longer: LongLine) {
    self.bound = bound
    self.longer = longer
  }

  /// Delivers the lines that end in a piece, until `deliver` returns false.
  func take(_ piece: [UInt8], _ deliver: (String) -> Bool) {
    var rest = piece[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      guard append(rest[..<end], deliver) else { return }
      (holdsReturn, isCut) = (false, false)
      guard deliver(text(line.count)) else { return }
      rest = rest[(end + 1)...]
    }
    _ = append(rest, deliver)
  }

  func finish(_ deliver: (String) -> Bool) {
    if holdsReturn, !store([carriageReturn], deliver) { return }
    if !line.isEmpty { _ = deliver(text(line.count)) }
  }

  /// Returns false if `deliver` has.
  private func append(_ bytes: ArraySlice<UInt8>, _ deliver: (String) -> Bool) -> Bool {
    guard let last = bytes.last else { return true }
    if holdsReturn, !store([carriageReturn], deliver) { return false }
    holdsReturn = last == carriageReturn
    return store(holdsReturn ? bytes.dropLast() : bytes, deliver)
  }

  private func store(_ bytes: ArraySlice<UInt8>, _ deliver: (String) -> Bool) -> Bool {
    var bytes = bytes
    while !isCut, line.count + bytes.count > bound {
      let part = bytes.prefix(bound - line.count)
      line += part
      bytes = bytes.dropFirst(part.count)
      let end = lastEnd(before: bytes.first)
      switch longer {
      case .cut:
        isCut = true
        line.removeSubrange(end...)
      case .split: if !deliver(text(end)) { return false }
      }
    }
    if !isCut { line += bytes }
    return true
  }

  /// Where the line may be cut: before the code point that `next` continues, if it continues one that is not
  /// the first.
  private func lastEnd(before next: UInt8?) -> Int {
    guard let next, UTF8.isContinuation(next),
      let lead = line.suffix(3).lastIndex(where: { !UTF8.isContinuation($0) }), lead > 0,
      // The leading ones of a code point's first byte say how many bytes it has.
      line.count - lead < (~line[lead]).leadingZeroBitCount
    else { return line.count }
    return lead
  }

  /// Removes the first `count` bytes from the line, and returns them as text.
  private func text(_ count: Int) -> String {
    defer { line.removeFirst(count) }
    return String(decoding: line.prefix(count), as: UTF8.self)
  }
}

private let carriageReturn = UInt8(ascii: "\r")
