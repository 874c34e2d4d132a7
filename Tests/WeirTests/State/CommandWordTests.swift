// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Weir

struct CommandWordTests {
  @Test("a new word is idle and enabled")
  func new() {
    for concurrency in [CommandConcurrency.one, .limit(2), .limit(4_094), .unlimited] {
      let word = CommandWord(concurrency)
      #expect(word.concurrency == concurrency)
      #expect(word.isEnabled && word.isAllowed && !word.isExecuting && word.running == 0)
    }
  }

  @Test("K3: with .one a word is enabled while nothing runs, with .unlimited always")
  func enabledWhile() {
    var word = CommandWord(.one)
    word.begin()
    #expect(word.isExecuting && !word.isEnabled)
    word.concurrency = .unlimited
    #expect(word.isEnabled)
    word.begin()
    #expect(word.running == 2)
    word.concurrency = .one
    word.end()
    #expect(word.isExecuting && !word.isEnabled)
    word.end()
    #expect(!word.isExecuting && word.isEnabled)
  }

  @Test("K3: with .unlimited more executions run than any limit would allow")
  func beyondAllLimits() {
    var word = CommandWord(.unlimited)
    for _ in 0..<5_000 { word.begin() }
    #expect(word.isEnabled && word.running == 5_000)
    for _ in 0..<5_000 { word.end() }
    #expect(word.isEnabled && !word.isExecuting)
  }

  @Test("with .limit(n) a word is enabled while fewer than n run, also after n was changed")
  func limited() {
    var word = CommandWord(.limit(2))
    word.begin()
    #expect(word.isEnabled)
    word.begin()
    #expect(!word.isEnabled)
    word.concurrency = .limit(3)
    #expect(word.isEnabled)
    word.begin()
    word.concurrency = .limit(2)
    word.end()
    #expect(!word.isEnabled && word.running == 2)
    word.end()
    #expect(word.isEnabled && word.running == 1)
  }

  @Test("changing one field of a word does not change the others")
  func parts() {
    var word = CommandWord(.unlimited)
    word.isAllowed = false
    #expect(!word.isEnabled && word.concurrency == .unlimited && word.running == 0)
    word.begin()
    word.isAllowed = true
    #expect(word.running == 1 && word.isEnabled)
    word.isAllowed = false
    word.concurrency = .limit(1_365)
    #expect(word.running == 1 && !word.isAllowed && word.concurrency == .limit(1_365))
    word.isAllowed = true
    word.concurrency = .one
    word.end()
    #expect(word == CommandWord(.one))
  }

  @Test("update returns whether it changed anything")
  func update() {
    withWords(1) { words in
      let word = AtomicWord(words)
      word.change { (word: inout CommandWord) in word.isAllowed = true }
      word.change { (word: inout CommandWord) in word.begin() }
      #expect(CommandWord(bits: word.load()).running == 1)
    }
  }
}
