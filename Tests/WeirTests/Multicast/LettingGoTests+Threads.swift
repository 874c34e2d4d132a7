// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Subscribers that come on another thread while the source releases its sink.
extension LettingGoTests {
  /// A source that retains the two closures of its sink separately: it has released its sink when it drops
  /// `terminate`, also during a delivery.
  private final class SplitFeed: Sendable {
    let next = Box<(@Sendable (Int) -> Void)?>(nil)
    let terminate = Box<(@Sendable (Completion<Never>) -> Void)?>(nil)

    var signal: Signal<Int, Never> {
      Signal.attaching { [next, terminate] sink in
        next.value = sink.next
        terminate.value = sink.terminate
      }
    }
  }

  @Test(
    "a subscriber receiving its history on another thread when the sink is released gets all values, then ends",
    arguments: [
      Form.shareReplay, .foreverReplay, .autoconnectReplay, .autoconnectCurrent, .replay, .replayLast,
      .replayLazily,
    ])
  func newcomerOnAnotherThread(form: Form) {
    let feed = SplitFeed()
    let shared = form.share(feed.signal)
    let (reading, ended, seated) = (Door(), Door(), Door())
    let first = shared.on(disposed: {
      // The other subscribers end in the turn of the subject, so the new one has to wait for that.
      ended.open()
      seated.pass()
    }).subscribe { if $0 == 2 { feed.terminate.value = nil } }
    feed.next.value?(0)
    let values = Box<[Int]>([])
    let late = Box<Subscription?>(nil)
    withThreads(2) { index in
      if index == 0 {
        reading.pass()
        feed.next.value?(1)
        feed.next.value?(2)
      } else {
        late.value = shared.subscribe { value in
          values.value.append(value)
          guard value == 0 else { return }
          reading.open()
          ended.pass()
        }
        seated.open()
      }
    }
    #expect(values.value == [0, 1, 2])
    #expect(first.isDisposed && late.value?.isDisposed == true)
  }

  @Test(
    "a subscriber that comes on another thread after the sink was released receives the buffered values, then ends",
    arguments: [Form.autoconnectReplay, .autoconnectCurrent, .replay, .replayLast, .replayLazily])
  func newcomerAfterwards(form: Form) {
    let feed = SplitFeed()
    let shared = form.share(feed.signal)
    let (released, begun, ended, seated) = (Door(), Door(), Door(), Door())
    let late = Box<Subscription?>(nil)
    let first = shared.on(disposed: {
      // The members are ending, and the new subscriber still has to wait for the turn of the subject.
      ended.open()
      seated.pass()
    }).subscribe { value in
      guard value == 0 else { return }
      feed.next.value?(1)
      feed.terminate.value = nil
      released.open()
      // The new one begins with a history that lacks 1.
      begun.pass()
    }
    let values = Box<[Int]>([])
    withThreads(2) { index in
      if index == 0 {
        feed.next.value?(0)
      } else {
        released.pass()
        late.value = shared.subscribe { value in
          values.value.append(value)
          guard value == 0 else { return }
          begun.open()
          ended.pass()
        }
        seated.open()
      }
    }
    #expect(values.value == [0, 1])
    #expect(first.isDisposed && late.value?.isDisposed == true)
  }
}
