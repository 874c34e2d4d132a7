// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import WeirTesting

@testable import Weir

/// The cells of lists that are evaluated on demand.
struct MemoTests {
  @Test("N1: a value is computed at the first access, once, and remembered")
  func once() {
    let calls = Counter()
    let memo = Memo { calls.add() + 7 }
    #expect(calls.value == 0)
    #expect(memo.remembered == nil)
    #expect(memo.value == 7)
    #expect(memo.value == 7)
    #expect(memo.remembered == 7)
    #expect(calls.value == 1)
  }

  @Test("a memo of a known value returns it, also if it is nil")
  func known() {
    #expect(Memo(known: "a").value == "a")
    let nothing = Memo(known: Int?.none)
    #expect(nothing.remembered == .some(nil))
    #expect(nothing.value == nil)
  }

  @Test("the closure is released once the value is computed, and the value with the memo")
  func closureReleased() {
    let (captured, values) = (Resources(), Resources())
    do {
      let memo = Memo { [token = captured.make()] in
        withExtendedLifetime(token) {}
        return values.make()
      }
      #expect(captured.alive == 1)
      let value = memo.value
      #expect(captured.alive == 0)
      #expect(memo.value === value)
      #expect(values.alive == 1)
    }
    #expect(values.alive == 0)
  }

  @Test("a closure that was never called is released with the memo")
  func neverAsked() {
    let captured = Resources()
    do {
      let memo = Memo { [token = captured.make()] in withExtendedLifetime(token) { 1 } }
      withExtendedLifetime(memo) {}
    }
    #expect(captured.problem == nil)
  }

  @Test("N9: two threads inside the closure both get the value of one of them; the other value is released")
  func two() {
    for _ in 0..<100 {
      let (inside, captured, values) = (Counter(), Resources(), Resources())
      let memo = Memo { [token = captured.make()] in
        inside.add()
        while inside.value < 2 { weir_yield() }
        withExtendedLifetime(token) {}
        return values.make()
      }
      let got = Words(2)
      withThreads(2) { index in
        weir_store_relaxed_u64(
          got.words + index, UInt64(UInt(bitPattern: Unmanaged.passUnretained(memo.value).toOpaque())))
      }
      let winner = UInt64(UInt(bitPattern: Unmanaged.passUnretained(memo.value).toOpaque()))
      #expect(got.words[0] == winner && got.words[1] == winner)
      #expect(values.alive == 1)
      #expect(captured.alive == 0)
    }
  }

  @Test("N9: a thread stalled in the closure blocks no other, and retains the closure until it has left")
  func stalled() {
    let (calls, captured, values) = (Counter(), Resources(), Resources())
    let (isInside, mayLeave) = (Door(), Door())
    let memo = Memo { [token = captured.make()] in
      if calls.add() == 0 {
        isInside.open()
        mayLeave.pass()
      }
      withExtendedLifetime(token) {}
      return values.make()
    }
    withThreads(2) { index in
      if index == 0 {
        withExtendedLifetime(memo.value) {}
        return
      }
      isInside.pass()
      let value = memo.value
      #expect(calls.value == 2)
      #expect(memo.value === value)
      #expect(captured.alive == 1)
      mayLeave.open()
    }
    #expect(calls.value == 2)
    #expect(captured.alive == 0)
    #expect(values.alive == 1)
  }

  @Test("N4: a chain of a hundred thousand memos is released without growing the stack")
  func chains() async {
    await #expect(processExitsWith: .success) {
      withSmallStack {
        let resources = Resources()
        for isAsked in [false, true] {
          var last: Memo<Link> = Memo(known: Link(resources.make(), nil))
          for _ in 0..<manyRounds {
            last = Memo { [last] in Link(resources.make(), last) }
            if isAsked { _ = last.value }
          }
          #expect(resources.alive == (isAsked ? manyRounds + 1 : 1))
          last = Memo(known: Link(nil, nil))
          #expect(resources.alive == 0)
        }
      }
    }
  }

  private struct Link: Sendable {
    let token: Resources.Resource?
    let memo: Memo<Link>?
    init(_ token: Resources.Resource?, _ memo: Memo<Link>?) {
      self.token = token
      self.memo = memo
    }
  }
}
