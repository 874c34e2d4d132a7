// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirExplorer
import WeirTesting

@testable import Weir

/// A pinned cell that records which content is in use, and what was reclaimed. Contents are numbers from 1.
final class WatchedCell {
  private let words = Words(1 + PinnedCell<Int>.wordCount)
  private let pause = Words(1)
  private var users: [Int: Int] = [:]
  private var reclaimed: Set<Int> = []
  private var last = 1
  private(set) var problem: String?
  let cell: PinnedCell<Int>

  init() {
    cell = PinnedCell(current: words.words, words: words.words + 1)
    cell.publishFirst(1)
  }

  func read() { use(cell.pin(reclaim: reclaim).block) }

  /// Takes a ticket: it must be one that the block counts as given out.
  func take() {
    let (block, before) = cell.pin(adding: PinnedControl.ticket, reclaim: reclaim)
    let (ticket, given) = (before >> 32, block.control.load() >> 32)
    if ticket >= given { problem = "ticket \(ticket) was taken, and \(given) were given out" }
    unpin(block)
  }

  /// Uses a pinned block for two steps, and unpins it.
  func use(_ block: PinnedBlock<Int>) {
    let content = block.payload.pointee
    users[content, default: 0] += 1
    if reclaimed.contains(content) { problem = "content \(content) is used after it was reclaimed" }
    for _ in 0..<2 { _ = AtomicWord(pause.words).load() }
    if block.payload.pointee != content { problem = "content \(content) became another one in use" }
    users[content, default: 0] -= 1
    unpin(block)
  }

  /// Puts the next number into the cell.
  func replace() {
    last += 1
    let next = last
    while true {
      let (block, _) = cell.pin(reclaim: reclaim)
      let new = cell.make(next, sequence: block.sequence.load() + 1)
      let isReplaced = cell.replace(block, by: new)
      if !isReplaced { cell.recycle(new) }
      unpin(block)
      if isReplaced { return }
    }
  }

  private func unpin(_ block: PinnedBlock<Int>) { if cell.unpin(block) { reclaim(block) } }

  private func reclaim(_ block: PinnedBlock<Int>) {
    let content = block.payload.pointee
    if users[content, default: 0] > 0 { problem = "content \(content) is reclaimed in use" }
    if !reclaimed.insert(content).inserted { problem = "content \(content) is reclaimed twice" }
    cell.recycle(block)
  }

  /// All threads are through.
  func finish() -> String? {
    let left = cell.currentBlock().payload.pointee
    cell.destroy()
    if let problem { return problem }
    let expected = Set(1...last).subtracting([left])
    return reclaimed == expected ? nil : "reclaimed \(reclaimed.sorted()), of \(last), \(left) is in force"
  }
}

/// A snapshot cell whose entries are numbers, and its turn: walks and reclamation are watched.
private final class WatchedList: @unchecked Sendable {  // one thread runs at a time
  private typealias Payload = (number: Int, list: Unmanaged<WatchedList>)

  private let hot = Words(SnapshotWalker.wordCount)
  private let cold = Words(SnapshotCell.coldWordCount)
  private let pause = Words(1)
  private var inside: Int?
  private(set) var made = 0
  private(set) var listed = 0
  private(set) var told: Int?
  private(set) var destroyed: [Int] = []
  private(set) var walks: [[Int]] = []
  private(set) var problem: String?
  /// The first entries, and those that came to stay; nil for one that has left, as the entry may be reused.
  private var present: [SnapshotEntry?] = []
  private var box: SnapshotCell?

  private let fence: HazardFence

  init(_ count: Int, fence: HazardFence = .ofWalker) {
    self.fence = fence
    box = SnapshotCell(hot: hot.words, cold: cold.words, fence: fence) {
      let payload = SnapshotEntry(at: $0).payload.assumingMemoryBound(to: Payload.self).pointee
      payload.list._withUnsafeGuaranteedRef { $0.destroy(payload.number) }
    }
    present = (1...max(1, count)).prefix(count).map { append($0) }
  }

  private var cell: SnapshotCell {
    guard let box else { preconditionFailure("weir: the list is gone") }
    return box
  }

  func append(_ number: Int) -> SnapshotEntry? {
    made += 1
    let entry = cell.makeEntry(ordinal: 0)
    entry.payload.assumingMemoryBound(to: Payload.self).initialize(to: (number, .passUnretained(self)))
    if cell.append(entry) {
      listed += 1
      return entry
    }
    cell.release(entry)
    discard(entry)
    return nil
  }

  func come(_ number: Int) { present.append(append(number)) }

  func leave(_ index: Int) {
    let entry = present[index]
    present[index] = nil
    discard(entry)
  }

  func discard(_ entry: SnapshotEntry?) {
    guard let entry else { return }
    if entry.die() { cell.discard(entry) } else { cell.release(entry) }
  }

  /// Walks as a send does; does nothing if another thread is walking.
  func walk() {
    let wasClosed = told != nil
    let walker = SnapshotWalker(hot.words)
    let seen = walker.current
    guard walker.hazard.compareExchange(0, seen.bits | 1) else { return }
    walk(walker, walker.validated(seen))
    if wasClosed, walks.last != [] { problem = "a walk of a closed list meets \(walks.last ?? [])" }
    _ = walker.hazard.exchange(0)
    if walker.hasRetired { cell.scavenge() }
  }

  /// The same for the only thread that ever walks.
  func walkAlone() {
    let walker = SnapshotWalker(hot.words)
    walk(walker, walker.beginAlone(fence))
    walker.endAlone(fence)
    if walker.hasRetired { cell.scavenge() }
  }

  private func walk(_ walker: SnapshotWalker, _ block: PinnedBlock<SnapshotSlots>) {
    var walk: [Int] = []
    walker.walk(block) { entry in
      let number = entry.payload.assumingMemoryBound(to: Payload.self).pointee.number
      if destroyed.contains(number) { problem = "entry \(number) is met after it was destroyed" }
      inside = number
      _ = AtomicWord(pause.words).load()
      inside = nil
      walk.append(number)
    }
    walks.append(walk)
  }

  /// Closes the list. The entries in its last snapshot would receive the terminal event.
  func close() {
    guard let last = cell.close() else { return }
    let walker = SnapshotWalker(hot.words)
    let slots = walker.slots(of: last)
    told = slots.filter { SnapshotSlot(bits: $0).entry != nil }.count
    cell.unpin(last)
  }

  private func destroy(_ number: Int) {
    if inside == number { problem = "entry \(number) is destroyed inside the walk that meets it" }
    if destroyed.contains(number) { problem = "entry \(number) is destroyed twice" }
    destroyed.append(number)
  }

  /// How often the list has been replaced.
  var replacements: UInt64 { cell.cell.currentBlock().sequence.load() - 1 }

  /// All threads are through, and nobody has left.
  func finishClosed() -> String? {
    if told != listed { return "\(listed) were listed, and \(told ?? 0) of them are there in the end" }
    return without(present.count).finish(left: [])
  }

  /// Has the first entries leave.
  func without(_ count: Int) -> Self {
    for index in 0..<count { leave(index) }
    return self
  }

  /// The last entries, in the order in which they are listed.
  func last(_ count: Int) -> [Int] {
    walk()
    return walks.last?.suffix(count) ?? []
  }

  /// All threads are through. The given entries are listed at the end.
  func finish(left: [Int]) -> String? {
    if SnapshotWalker(hot.words).hasRetired { return "something waits for a walk that is over" }
    walk()
    let last = walks.last ?? []
    let early = destroyed.sorted()
    for entry in present { entry.map(cell.release) }
    cell.destroy()
    box = nil
    if let problem { return problem }
    if last != left { return "in the end \(last) are listed" }
    if early.count != made - left.count { return "\(early) of \(made) are destroyed, and \(left) are listed" }
    return destroyed.count == made ? nil : "\(destroyed.count) of \(made) are destroyed with the list"
  }
}

extension Exploring {
  @Suite struct CellSuite {
    private let read = Operation<WatchedCell>("read") { $0.read() }
    private let replace = Operation<WatchedCell>("replace") { $0.replace() }

    @Test("O6 DD-3: content that a pin protects is not reclaimed in use, and is reclaimed once afterwards")
    func pinned() {
      expectSound(
        Scenario(
          "pinned cell: read and replace", setup: { WatchedCell() },
          threads: [[read, read], [replace, replace]], invariant: { $0.problem }, check: { $0.finish() }),
      )
      expectSound(
        Scenario(
          "pinned cell: two replace", setup: { WatchedCell() }, threads: [[replace, replace], [replace]],
          invariant: { $0.problem }, check: { $0.finish() }))
      expectSound(
        Scenario(
          "pinned cell: four threads", setup: { WatchedCell() },
          threads: [[read, read], [replace, replace], [replace, read], [read, replace]],
          invariant: { $0.problem }, check: { $0.finish() }))
    }

    @Test("a ticket is one that its block counts, also if the block is recycled while the ticket is taken")
    func ticket() {
      let take = Operation<WatchedCell>("take a ticket") { $0.take() }
      expectSound(
        Scenario(
          "pinned cell: a ticket", setup: { WatchedCell() }, threads: [[take], [replace], [replace]],
          invariant: { $0.problem }, check: { $0.finish() }),
        preemptions: 2, effort: 4)
    }

    private let walk = Operation<WatchedList>("walk") { $0.walk() }
    private func come(_ number: Int) -> Operation<WatchedList> {
      Operation("come \(number)") { $0.come(number) }
    }
    private func comeAndGo(_ number: Int) -> Operation<WatchedList> {
      Operation("come and go \(number)") { $0.discard($0.append(number)) }
    }
    private func leave(_ index: Int) -> Operation<WatchedList> {
      Operation("leave \(index + 1)") { $0.leave(index) }
    }
    private let close = Operation<WatchedList>("close") { $0.close() }

    @Test("DD-3: an entry that leaves is destroyed once, and not while a walk visits it")
    func leaving() {
      expectSound(
        Scenario(
          "snapshot cell: walk and leave", setup: { WatchedList(3) },
          threads: [[walk, walk], [leave(1), leave(0)]], invariant: { $0.problem },
          check: { $0.finish(left: [3]) }))
      expectSound(
        Scenario(
          "snapshot cell: walk and come and go", setup: { WatchedList(0) },
          threads: [[walk, walk], [comeAndGo(1), comeAndGo(2)]], invariant: { $0.problem },
          check: { $0.finish(left: []) }))
    }

    @Test(
      "DD-3: an entry that leaves is destroyed once, and not while a sole walker, which uses plain stores, visits it"
    )
    func alone() {
      let walk = Operation<WatchedList>("walk") { $0.walkAlone() }
      expectSound(
        Scenario(
          "snapshot cell: walk alone and leave", setup: { WatchedList(3, fence: .ofReclaimer) },
          threads: [[walk, walk], [leave(1), leave(0)]], invariant: { $0.problem },
          check: { $0.finish(left: [3]) }))
    }

    @Test("a list that is replaced during a walk loses, duplicates and prematurely destroys no entry")
    func renewed() {
      expectSound(
        Scenario(
          "snapshot cell: renewed", setup: { WatchedList(16) },
          threads: [[walk], [comeAndGo(17)], [leave(3), walk]], invariant: { $0.problem },
          check: { $0.finish(left: Array(1...16).filter { $0 != 4 }) }))
    }

    @Test("cleaning up after a walk destroys no entry that the next walk may visit")
    func overtaken() {
      expectSound(
        Scenario(
          "snapshot cell: two walks and leave", setup: { WatchedList(1) },
          threads: [[walk], [walk], [leave(0)]], invariant: { $0.problem }, check: { $0.finish(left: []) }),
        preemptions: 2)
    }

    @Test("an entry that comes and goes while its list is walked and closed is destroyed once")
    func closed() {
      expectSound(
        Scenario(
          "snapshot cell: closed", setup: { WatchedList(0) },
          threads: [[walk], [comeAndGo(1)], [close]], invariant: { $0.problem },
          check: { $0.finish(left: []) }))
    }

    @Test("an entry added while a list with room is closed or replaced is in the final list or is refused")
    func room() {
      expectSound(
        Scenario(
          "snapshot cell: closed with room", setup: { WatchedList(1) },
          threads: [[come(2)], [close]], check: { $0.finishClosed() }))
      // The first array has room for one. Another one is made for the second, and one to close the list:
      // neither thread can make the other one start over more often than that.
      expectSound(
        Scenario(
          "snapshot cell: closed without room", setup: { WatchedList(1) }, threads: [[come(2)], [close]],
          check: { $0.replacements > 2 ? "replaced \($0.replacements) times" : $0.finishClosed() }))
      // The closed list has the block of the first array, when that is reclaimed in time.
      expectSound(
        Scenario(
          "snapshot cell: the first block is reused", setup: { WatchedList(1) },
          threads: [[walk, walk], [come(2)], [close]], invariant: { $0.problem },
          check: { $0.finishClosed() }), preemptions: 2)
      expectSound(
        Scenario(
          "snapshot cell: made anew by two who come", setup: { WatchedList(1) },
          threads: [[come(2)], [come(3)]], check: { $0.finish(left: [1] + $0.last(2)) }))
      // One more that leaves makes more dead entries than a list may hold.
      expectSound(
        Scenario(
          "snapshot cell: made anew with room", setup: { WatchedList(18).without(16) },
          threads: [[come(19)], [leave(16)]], check: { $0.finish(left: [18, 19]) }))
      expectSound(
        Scenario(
          "snapshot cell: made anew by two, with room", setup: { WatchedList(19).without(16) },
          threads: [[come(20)], [leave(16)], [leave(17)]], check: { $0.finish(left: [19, 20]) }))
    }
  }
}
