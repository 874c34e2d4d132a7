// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirExplorer
import WeirTesting

@testable import Weir

/// A slot or a set, the disposables put into it, and how often each was disposed.
private final class Disposing: @unchecked Sendable {  // one thread runs at a time
  let slot: SerialDisposable
  let set = CompoundDisposable()
  let ledger = Ledger()
  let first: CompoundDisposable.Entry
  private(set) var disposals: [Int: Int] = [:]
  private(set) var returned: [Int: Int] = [:]
  private var made = 0

  init() {
    slot = SerialDisposable()
    first = set.add(ActionDisposable {})
    slot.swap(make())
  }

  /// Number 1 is in the slot from the beginning; the next one is 2.
  func make() -> Numbered {
    made += 1
    return Numbered(made, self)
  }

  func read(_ count: Int) -> Self {
    for _ in 0..<count { _ = slot.disposable }
    return self
  }

  func swap() {
    if let previous = slot.swap(make()) as? Numbered { returned[previous.number, default: 0] += 1 }
  }
  fileprivate func note(_ number: Int) { disposals[number, default: 0] += 1 }

  final class Numbered: Disposable, @unchecked Sendable {
    let number: Int
    private let token: Ledger.Token
    private unowned let owner: Disposing
    private let action = Words(1)

    init(_ number: Int, _ owner: Disposing) {
      self.number = number
      self.owner = owner
      token = owner.ledger.make()
    }
    var isDisposed: Bool { OnceFlag(AtomicWord(action.words)).isClaimed }
    func dispose() { if OnceFlag(AtomicWord(action.words)).claim() { owner.note(number) } }
  }

  /// Everything was disposed or returned, once.
  func problemOfSlot(isDisposed: Bool) -> String? {
    if isDisposed, slot.disposable != nil { return "there is something in a disposed slot" }
    if !isDisposed { swap() }
    for number in 1...made where isDisposed || number < made {
      let count = (disposals[number] ?? 0) + (returned[number] ?? 0)
      if count != 1 { return "number \(number) was disposed or handed out \(count) times" }
    }
    if ledger.alive != (isDisposed ? 0 : 1) { return "\(ledger.alive) of \(made) are still there" }
    return nil
  }
}

/// A set that is disposed while it changes.
private final class Membership: @unchecked Sendable {  // one thread runs at a time
  let set = CompoundDisposable()
  let disposed = Log<Int>()
  let removed = Log<Int>()
  let ledger = Ledger()
  private(set) var present: [CompoundDisposable.Entry] = []
  private var problemOfDisposal: String?

  init(present count: Int) { present = (1...max(1, count)).prefix(count).map { add($0) } }

  @discardableResult
  func add(_ number: Int) -> CompoundDisposable.Entry {
    let token = ledger.make()
    return set.add(
      ActionDisposable { [disposed] in
        _ = token
        disposed.add(number)
      })
  }

  /// Disposes the set, and expects that this disposes the given ones, which nobody else disposes or removes,
  /// in their order before it returns.
  func dispose(including numbers: [Int]) {
    set.dispose()
    let inTime = disposed.elements.filter(numbers.contains)
    if inTime != numbers {
      problemOfDisposal = "of \(numbers) were disposed before dispose() returned: \(inTime)"
    }
  }

  func remove(_ entry: CompoundDisposable.Entry, _ number: Int) { if entry.remove() { removed.add(number) } }

  func problem(of numbers: [Int]) -> String? {
    let all = disposed.elements + removed.elements
    if all.sorted() != numbers { return "disposed \(disposed.elements), removed \(removed.elements)" }
    return set.isDisposed ? problemOfDisposal : "the set is not disposed any more"
  }
}

/// A subscription with 32 adopted subscriptions, of which all but two have ended.
private final class Family: @unchecked Sendable {  // one thread runs at a time
  enum Parenthood: String, CaseIterable { case only, second }

  private var parent = Subscription()
  private var first = Subscription()
  private var children = (0..<33).map { _ in Subscription() }
  private var leftOver = 0

  init(_ parenthood: Parenthood) {
    if parenthood == .second { for child in children { first.adopt(child) } }
    for child in children.dropLast() { parent.adopt(child) }
    for child in children[1..<31] { child.dispose() }
  }

  /// Begins a sweep.
  func adoptLast() { parent.adopt(children[32]) }
  func dispose() {
    parent.dispose()
    leftOver = [children[0], children[31]].count { !$0.isDisposed }
  }

  func problem() -> String? {
    for (index, child) in children.enumerated() where !child.isDisposed { return "child \(index) goes on" }
    if leftOver > 0 { return "\(leftOver) children were still going on when dispose() had returned" }
    let places = children.map { Place(child: $0) }
    (first, parent, children) = (Subscription(), Subscription(), [])
    let kept = places.count { $0.child != nil }
    return kept == 0 ? nil : "\(kept) children are still there"
  }

  private struct Place {
    weak var child: Subscription?
  }
}

/// The upstreams of a hot source that ends.
private final class Feeding: @unchecked Sendable {  // one thread runs at a time
  private let words = Words(1)
  private let children = [Subscription(), Subscription()]
  private let ledger = Ledger()

  init() {
    for child in children {
      child.add(ActionDisposable { [token = ledger.make()] in withExtendedLifetime(token) {} })
    }
  }

  private var upstreams: Upstreams { Upstreams(AtomicWord(words.words)) }

  func adopt(_ index: Int) { upstreams.adopt(children[index]) }
  func end() { upstreams.end() }

  func problem() -> String? {
    end()
    upstreams.release()
    for (index, child) in children.enumerated() where !child.isDisposed { return "\(index) goes on" }
    return ledger.alive == 0 ? nil : "\(ledger.alive) are still there"
  }
}

extension Exploring {
  @Suite struct DisposableSuite {
    @Test("upstreams of a source are disposed when it ends, also those adopted during or after its end")
    func upstreams() {
      let adopt = (0...1).map { index in Operation<Feeding>("adopt \(index)") { $0.adopt(index) } }
      let end = Operation<Feeding>("end") { $0.end() }
      expectSound(
        Scenario(
          "upstreams: two come first", setup: { Feeding() }, threads: [[adopt[0]], [adopt[1]]],
          check: { $0.problem() }))
      expectSound(
        Scenario(
          "upstreams: two come, and the source ends", setup: { Feeding() },
          threads: [[adopt[0], adopt[1]], [end]], check: { $0.problem() }))
      expectSound(
        Scenario(
          "upstreams: three threads", setup: { Feeding() }, threads: [[adopt[0]], [adopt[1]], [end]],
          check: { $0.problem() }))
    }

    @Test("O1: of three threads that claim a flag, one succeeds")
    func once() {
      let claim = Operation<(words: Words, winners: Log<Int>)>("claim") {
        if OnceFlag(AtomicWord($0.words.words)).claim() { $0.winners.add(1) }
      }
      expectSound(
        Scenario(
          "once flag", setup: { (Words(1), Log<Int>()) }, threads: [[claim, claim], [claim], [claim]],
          check: { $0.winners.elements.count == 1 ? nil : "\($0.winners.elements.count) have claimed it" }))
    }

    private let swap = Operation<Disposing>("swap") { $0.swap() }
    private let read = Operation<Disposing>("read") { _ = $0.slot.disposable?.isDisposed }
    private let disposeSlot = Operation<Disposing>("dispose") { $0.slot.dispose() }

    @Test("O6 AC73: a disposable in a slot is returned or disposed once, and then released")
    func serial() {
      expectSound(
        Scenario(
          "serial disposable: swap and dispose", setup: { Disposing() },
          threads: [[swap, swap], [disposeSlot]], check: { $0.problemOfSlot(isDisposed: true) }))
      expectSound(
        Scenario(
          "serial disposable: swap and read", setup: { Disposing() },
          threads: [[swap, swap], [read, swap]],
          check: { $0.problemOfSlot(isDisposed: false) }))
      expectSound(
        Scenario(
          "serial disposable: four threads", setup: { Disposing() },
          threads: [[swap, read], [swap], [read, disposeSlot], [disposeSlot]],
          check: { $0.problemOfSlot(isDisposed: true) }))
      let putBack = Operation<Disposing>("put back") { $0.slot.swap($0.slot.swap(nil)) }
      expectSound(
        Scenario(
          "serial disposable: put back while it is read", setup: { Disposing() },
          threads: [[putBack, putBack], [read], [read]], check: { $0.problemOfSlot(isDisposed: false) }))
      // So many reads that the next one has to retain what is there more often.
      expectSound(
        Scenario(
          "serial disposable: put back when it has been read very often",
          setup: { Disposing().read(Int(ReferenceSlot.stock / 2) - 1) },
          threads: [[putBack, swap], [read, read], [read]], check: { $0.problemOfSlot(isDisposed: false) }))
    }

    private func add(_ number: Int) -> Operation<Membership> {
      Operation("add \(number)") { $0.add(number) }
    }
    private func addAndRemove(_ number: Int) -> Operation<Membership> {
      Operation("add and remove \(number)") { $0.remove($0.add(number), number) }
    }
    private let removeFirst = Operation<Membership>("remove 1") { $0.remove($0.present[0], 1) }
    private let dispose = Operation<Membership>("dispose") { $0.set.dispose() }

    @Test("O3 O4: a disposable in a set is disposed or removed, once")
    func compound() {
      expectSound(
        Scenario(
          "compound disposable: add and dispose", setup: { Membership(present: 1) },
          threads: [[add(2), removeFirst], [dispose]], check: { $0.problem(of: [1, 2]) }))
      expectSound(
        Scenario(
          "compound disposable: two dispose", setup: { Membership(present: 2) },
          threads: [[dispose, add(3)], [dispose]], check: { $0.problem(of: [1, 2, 3]) }))
      expectSound(
        Scenario(
          "compound disposable: come and go", setup: { Membership(present: 1) },
          threads: [[addAndRemove(2), addAndRemove(3)], [addAndRemove(4), dispose]],
          check: { $0.problem(of: [1, 2, 3, 4]) }))
      expectSound(
        Scenario(
          "compound disposable: four threads", setup: { Membership(present: 1) },
          threads: [[addAndRemove(2), add(3)], [addAndRemove(4)], [removeFirst], [dispose, dispose]],
          check: { $0.problem(of: [1, 2, 3, 4]) }))
    }

    @Test("O3 O4: when nested sets are disposed concurrently, the content of the inner one is disposed once")
    func nested() {
      typealias Nest = (outer: CompoundDisposable, inner: Membership)
      let disposeOuter = Operation<Nest>("dispose the outer set") { $0.outer.dispose() }
      let disposeInner = Operation<Nest>("dispose the inner set") { $0.inner.set.dispose() }
      expectSound(
        Scenario(
          "compound disposable: a set in a set",
          setup: {
            let nest = (outer: CompoundDisposable(), inner: Membership(present: 2))
            _ = nest.outer.add(nest.inner.set)
            return nest
          }, threads: [[disposeOuter], [disposeInner]], check: { $0.inner.problem(of: [1, 2]) }))
    }

    @Test(
      "a set that sweeps its empty places while it is disposed forgets nothing and disposes nothing twice"
    )
    func sweep() {
      // Taking out the 33rd of 34 begins a sweep.
      let removeLast = Operation<Membership>("remove the last") { $0.remove($0.present[33], 34) }
      let disposeRest = Operation<Membership>("dispose") { $0.dispose(including: [33, 35, 36, 37]) }
      let crowded: @Sendable () -> Membership = {
        let state = Membership(present: 36)
        for index in 0..<32 { state.remove(state.present[index], index + 1) }
        return state
      }
      expectSound(
        Scenario(
          "compound disposable: sweep and dispose", setup: crowded,
          threads: [[removeLast], [add(37), disposeRest]], check: { $0.problem(of: Array(1...37)) }))
      // What is below the last one before the sweep is not there any more afterwards.
      let removeTop = Operation<Membership>("remove the top") { $0.remove($0.present[35], 36) }
      let removeBelow = Operation<Membership>("remove below the top") { $0.remove($0.present[34], 35) }
      expectSound(
        Scenario(
          "compound disposable: sweep while the top is removed", setup: crowded,
          threads: [[removeBelow], [removeTop, add(37)]],
          check: {
            $0.set.dispose()
            return $0.problem(of: Array(1...37))
          }))
      expectSound(
        Scenario(
          "compound disposable: sweep while others come and go", setup: crowded,
          threads: [[removeLast], [addAndRemove(37), addAndRemove(38)]],
          check: {
            $0.set.dispose()
            return $0.problem(of: Array(1...38))
          }))
      let disposeBelow = Operation<Membership>("dispose") { $0.dispose(including: [33, 35]) }
      expectSound(
        Scenario(
          "compound disposable: sweep while the top is removed, and all is disposed", setup: crowded,
          threads: [[removeLast], [removeTop], [disposeBelow]], check: { $0.problem(of: Array(1...36)) }))
    }

    @Test("a subscription that sweeps ended children while it is disposed disposes the remaining ones")
    func sweepOfRuns() {
      let adopt = Operation<Family>("adopt the last") { $0.adoptLast() }
      let dispose = Operation<Family>("dispose") { $0.dispose() }
      for parenthood in Family.Parenthood.allCases {
        expectSound(
          Scenario(
            "a run: sweep and dispose, \(parenthood) parent", setup: { Family(parenthood) },
            threads: [[adopt], [dispose]], check: { $0.problem() }))
      }
    }
  }
}
