// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import Weir

/// What becomes of a line that is longer than it may be. ReactiveObjC has none.
public enum LongLine: Sendable {
  /// What exceeds the bound is left out, with a multi-byte character that would be cut in two.
  case cut
  /// It comes as several lines, each as long as it may be but for the last; no character is cut in two.
  case split
}

extension SignalConvertible where Value == [UInt8] {
  /// The lines in a text that comes in pieces.
  ///
  /// A line ends with a line feed, or a carriage return and a line feed, which are not part of it. What
  /// stands behind the last one comes when the signal completes, if it is not empty; when it fails, that is
  /// lost. Bytes that are not UTF-8 become the replacement character. Delivered where the pieces come, those
  /// of one piece one after the other. Keeps one line that is not yet complete, of at most `bound` bytes. How
  /// the text was cut into pieces makes no difference. A closure behind this may block the thread that
  /// `Signal.chunks(of:upTo:)` reads on.
  ///
  /// To stop in the middle of a text, end the run behind this, as by `lines().take(until: stop)`: above it,
  /// what has come of a line would be sent as if it were all. Either way, what was read and not delivered is
  /// lost. To lose nothing, let whoever writes close the pipe.
  ///
  /// ReactiveObjC has no such operator.
  ///
  /// - Parameters:
  ///   - bound: the most bytes of a line, without its end. One that is smaller than a letter cuts it in two,
  ///     and so breaks it.
  ///   - longer: what becomes of a line that has more.
  /// - Precondition: `bound` is positive.
  public func lines(upTo bound: Int = 1_048_576, longer: LongLine = .split) -> Signal<String, Failure> {
    precondition(bound > 0, "weir: lines(upTo: \(bound)): a line must have room for a byte")
    let pieces = signal
    return Signal(connecting: { sink in
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
            if case .finished = completion { splitter.finish(deliver) }
            if !sink.isEnded { sink.terminate(completion) }
          }))
    })
  }
}

/// The line that is not yet complete. Used in the serial delivery of one subscription.
private final class LineSplitter: @unchecked Sendable {
  @exclusivity(unchecked) private var line: [UInt8] = []
  /// Whether a carriage return has come behind it, which may be the half of its end.
  @exclusivity(unchecked) private var holdsReturn = false
  /// Whether the rest of the line that is being read is left out.
  @exclusivity(unchecked) private var isCut = false
  private let bound: Int
  private let longer: LongLine

  init(_ bound: Int, _ longer: LongLine) {
    self.bound = bound
    self.longer = longer
  }

  /// Delivers the lines that end in a piece, until it is told that nobody wants more.
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

  /// False if nobody wants more.
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

  /// Where the line may be cut: before the letter that `next` belongs to, if it does and anything stands
  /// before that.
  private func lastEnd(before next: UInt8?) -> Int {
    guard let next, UTF8.isContinuation(next),
      let lead = line.suffix(3).lastIndex(where: { !UTF8.isContinuation($0) }), lead > 0,
      // The ones at the head of its first byte are its length.
      line.count - lead < (~line[lead]).leadingZeroBitCount
    else { return line.count }
    return lead
  }

  /// Takes the first bytes of the line from it.
  private func text(_ count: Int) -> String {
    defer { line.removeFirst(count) }
    return String(decoding: line.prefix(count), as: UTF8.self)
  }
}

private let carriageReturn = UInt8(ascii: "\r")
