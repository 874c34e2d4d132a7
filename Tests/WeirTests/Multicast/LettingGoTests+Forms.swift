// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir
import WeirTesting

extension LettingGoTests {
  /// A source that sends what it is told to, also during its own deliveries; so what it sends is buffered
  /// only in the hub downstream of it.
  final class Feed: Sendable {
    let runs = Counter()
    private let sink = Box<Sink<Int, Never>?>(nil)

    var signal: Signal<Int, Never> {
      Signal.attaching { [runs, sink] in
        runs.add()
        sink.value = $0
      }
    }

    func send(_ values: Int...) { for value in values { sink.value?.next(value) } }
    func letGo() { sink.value = nil }
  }

  /// The ways of sharing, each with a hub that serializes what is sent to it.
  enum Form: CaseIterable {
    case share, shareReplay, forever, foreverReplay, autoconnect, autoconnectReplay, autoconnectCurrent
    case replay, replayLast, replayLazily

    func share(_ source: Signal<Int, Never>) -> Signal<Int, Never> {
      switch self {
      case .share: source.share()
      case .shareReplay: source.share(replay: 2)
      case .forever: source.share(lifetime: .forever)
      case .foreverReplay: source.share(replay: 2, lifetime: .forever)
      case .autoconnect: source.publish().autoconnect()
      case .autoconnectReplay: source.multicast(ReplaySubject(capacity: 2)).autoconnect()
      case .autoconnectCurrent: source.multicast(CurrentValue(-1)).autoconnect()
      case .replay: source.replay()
      case .replayLast: source.replayLast(2)
      case .replayLazily: source.replayLazily()
      }
    }

    var runsAgain: Bool { [.share, .shareReplay, .forever, .foreverReplay].contains(self) }

    /// The values from the source that a subscriber has received which was there from the beginning.
    func values(of recorder: Recorder<Int, Never>) -> [Int] {
      self == .autoconnectCurrent && recorder.values.first == -1
        ? Array(recorder.values.dropFirst()) : recorder.values
    }
  }
}
