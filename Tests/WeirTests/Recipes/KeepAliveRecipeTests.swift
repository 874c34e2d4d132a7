// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Recipes.md says of a signal that sends something when there is nothing to send.
struct KeepAliveRecipeTests {
  private let scheduler = VirtualScheduler()

  private func kept<Failure>(_ frames: Signal<String, Failure>) -> Signal<String, Failure> {
    Recipes().keepingAlive(frames, with: "p", every: .seconds(3), on: scheduler)
  }

  @Test("a ping is sent three seconds after the last frame, and again each three seconds until the next one")
  func pings() throws {
    let frames = try HotSignal<String, Never>("------a-b---------c|", on: scheduler)
    let recorder = TimedRecorder(kept(frames.signal), on: scheduler)
    scheduler.run()
    #expect(recorder.difference(from: "---p--a-b--p--p--pc|") == nil)
    #expect(scheduler.waitingCount == 0)
  }

  @Test("the pings end with the frames, however these end", arguments: ["|", "#", "disposed", "let go"])
  func ends(how: String) {
    let frames = Box<Subject<String, Oops>?>(Subject())
    guard let recorder = frames.value.map({ Recorder(kept($0.signal)) }) else { return }
    frames.value?.send("a")
    scheduler.advance(by: .seconds(4))
    #expect(recorder.values == ["a", "p"] && scheduler.waitingCount > 0)
    switch how {
    case "|": frames.value?.complete()
    case "#": frames.value?.fail(Oops())
    case "disposed": recorder.dispose()
    default: frames.value = nil
    }
    #expect(recorder.completion == (how == "|" ? .completed : how == "#" ? .failed(Oops()) : nil))
    #expect(recorder.subscription.isDisposed && (frames.value?.subscriberCount ?? 0) == 0)
    scheduler.advance(by: .seconds(60))
    #expect(recorder.values == ["a", "p"] && scheduler.waitingCount == 0)
  }

  @Test("frames that are sent while they are being subscribed pass, and their end is the end")
  func immediate() {
    #expect(Recorder(kept(Signal<String, Oops>(["a", "b"]))).events == [.next("a"), .next("b"), .completed])
    #expect(Recorder(kept(Signal<String, Oops>.fail(Oops()))).events == [.failed(Oops())])
    #expect(scheduler.waitingCount == 0)
  }

  @Test("no frame is lost that comes while a ping is being delivered")
  func duringPing() {
    let frames = Subject<String, Never>()
    let recorder = Recorder(
      kept(frames.signal).doNext { frame in
        if frame == "p" { for answer in ["a", "b", "c"] { frames.send(answer) } }
      })
    scheduler.advance(by: .seconds(6))
    #expect(recorder.values == ["p", "a", "b", "c", "p", "a", "b", "c"])
    recorder.dispose()
  }
}
