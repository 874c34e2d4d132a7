// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirFoundation
import WeirTesting

struct LinesTests {
  private func lines(_ pieces: String..., upTo bound: Int = 100, _ longer: LongLine = .split) -> [String] {
    Recorder(Signal<[UInt8], Never>(pieces.map { Array($0.utf8) }).lines(upTo: bound, longer: longer)).values
  }

  @Test(
    "a line ends with a line feed, wherever chunks end; the text after the last one is delivered at completion"
  )
  func pieces() {
    #expect(lines("one\ntwo\n\nthree") == ["one", "two", "", "three"])
    #expect(lines("on", "e\nt", "w", "o", "\n") == ["one", "two"])
    #expect(lines("", "\n", "") == [""])
    #expect(lines() == [])
  }

  @Test(
    "take(until:) downstream of lines() drops an unfinished line; upstream of it, the unfinished line is delivered"
  )
  func cutOff() {
    let (pieces, stop) = (Subject<[UInt8], Never>(), Subject<Never, Never>())
    let behind = Recorder(pieces.lines().take(until: stop))
    let above = Recorder(pieces.take(until: stop).lines())
    pieces.send(Array("one\ntw".utf8))
    stop.complete()
    #expect(behind.events == [.next("one"), .completed])
    #expect(above.events == [.next("one"), .next("tw"), .completed])
  }

  @Test("a carriage return is removed before a line feed, also if that is in another chunk, and nowhere else")
  func carriageReturns() {
    #expect(lines("one\r\ntwo\r", "\nth\rree\r") == ["one", "two", "th\rree\r"])
    #expect(lines("abc\r\nabc\r", "\n", upTo: 3) == ["abc", "abc"])
  }

  @Test("a line that is too long is split or cut, and the lines after it are whole")
  func long() {
    #expect(lines("abcdefg\nhi\n", upTo: 3) == ["abc", "def", "g", "hi"])
    #expect(lines("ab", "cdef", "g\nhi\n", upTo: 3) == ["abc", "def", "g", "hi"])
    #expect(lines("abc\nabcabc\n", upTo: 3) == ["abc", "abc", "abc"])
    #expect(lines("abcdefg\nhi\n", upTo: 3, .cut) == ["abc", "hi"])
    #expect(lines("abcd", "efg", "\nhi", upTo: 3, .cut) == ["abc", "hi"])
    #expect(lines("abcdefg", upTo: 3, .cut) == ["abc"])
  }

  @Test(
    "a carriage return that ends no line counts towards its length, also at the end of a chunk",
    arguments: [LongLine.split, .cut])
  func innerReturns(_ longer: LongLine) {
    for text in ["abc\rx\n", "abc\r", "ab\r\rc\n", "\r\r\r\r\n", "abc\r\nabcd\r\r\n"] {
      let whole = lines(text, upTo: 3, longer)
      let bytes = text.utf8.map { [$0] }
      #expect(Recorder(Signal<[UInt8], Never>(bytes).lines(upTo: 3, longer: longer)).values == whole)
      #expect(whole.allSatisfy { $0.utf8.count <= 3 })
    }
    #expect(lines("abc\rx\n", upTo: 3, longer) == (longer == .cut ? ["abc"] : ["abc", "\rx"]))
  }

  @Test("a line that is too long is not cut within a character that fits")
  func letters() {
    #expect(lines("aüb\n", upTo: 2) == ["a", "ü", "b"])
    #expect(lines("aüb\n", upTo: 2, .cut) == ["a"])
    #expect(lines("a😀😀\n", upTo: 7) == ["a😀", "😀"])
    #expect(lines("a😀", upTo: 4, .cut) == ["a"])
    #expect(lines("üü\n", upTo: 1, .cut) == ["\u{FFFD}"])
  }

  @Test("a byte that is not UTF-8 does not take the character before it into the next part of a line")
  func strayBytes() {
    func lines(_ bytes: [UInt8], _ longer: LongLine) -> [String] {
      Recorder(Signal<[UInt8], Never>([bytes]).lines(upTo: 3, longer: longer)).values
    }
    for letters in ["abc", "aé"] {
      let bytes = Array(letters.utf8) + [0x80, 0x0A]
      #expect(lines(bytes, .cut) == [letters])
      #expect(lines(bytes, .split) == [letters, "\u{FFFD}"])
    }
  }

  @Test("characters that are divided between chunks are whole, and bytes that are not UTF-8 are repaired")
  func characters() {
    let pieces: [[UInt8]] = [[0xC3], [0xBC, 0x0A, 0xFF, 0x41, 0x0A]]
    #expect(Recorder(Signal<[UInt8], Never>(pieces).lines()).values == ["ü", "\u{FFFD}A"])
  }

  @Test(
    "take(first:) receives nothing more of the same chunk; a failure is delivered instead of an unfinished line"
  )
  func stopped() {
    let subject = Subject<[UInt8], TestError>()
    let first = Recorder(subject.lines().take(first: 1))
    let all = Recorder(subject.lines())
    subject.send(Array("one\ntwo\nth".utf8))
    subject.fail(TestError())
    #expect(first.events == [.next("one"), .completed])
    #expect(all.events == [.next("one"), .next("two"), .failed(TestError())])
  }

  private struct TestError: Error, Equatable {}
}
