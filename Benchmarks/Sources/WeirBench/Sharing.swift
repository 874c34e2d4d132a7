// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import MutexBaseline
import Weir

/// `share/K`: one thread sends into a subject; K subscribers of its shared signal each add to a counter of
/// their own. In the mutex baseline, sharing is a second subject that the first one sends to.
enum Sharing {
  static var benchmarks: [Benchmark] {
    [
      Emit.benchmark("share/8", subscribers: 8) { WeirShared() },
      Emit.benchmark("share/8", subscribers: 8) { MutexShared() },
    ]
  }
}

struct WeirShared: MeasuredSource {
  static let implementation = Implementation.weir
  static var mark: Int { 141 }
  private let subject = Subject<Int, Never>()
  private let shared: Signal<Int, Never>

  init() { shared = subject.share() }

  @inline(never)
  func subscribe(summingInto cell: Cell) -> Subscription { shared.subscribe { cell.add($0 &+ Self.mark) } }

  @inline(__always)
  func send(_ value: Int) { subject.send(value) }
}

struct MutexShared: MeasuredSource {
  static let implementation = Implementation.mutexCopy
  static var mark: Int { 142 }
  private let subject = MutexCopySubject<Int>()
  private let shared = MutexCopySubject<Int>()

  init() { _ = subject.subscribe { [shared] in shared.send($0) } }

  @inline(never)
  func subscribe(summingInto cell: Cell) -> MutexSubscription<MutexCopySubject<Int>> {
    shared.subscribe { cell.add($0 &+ Self.mark) }
  }

  @inline(__always)
  func send(_ value: Int) { subject.send(value) }
}
