// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Closures of operators that run inner signals, which make their source let go without a terminal event and
/// then fail: the run goes on without the source, so its subscriber gets the failure.
struct FlattenSourceGoneTests {
  /// An operator with a closure that makes a signal.
  struct Form: CustomTestStringConvertible, Sendable {
    typealias Transform = @Sendable (Int) throws(Oops) -> Signal<Int, Oops>
    let testDescription: String
    let apply: @Sendable (Signal<Int, Oops>, @escaping Transform) -> Signal<Int, Oops>
  }

  private static let forms = [
    Form(testDescription: "merge") { $0.flatMap($1) },
    Form(testDescription: "latest") { $0.flatMap(.latest, $1) },
    Form(testDescription: "concat") { $0.flatMap(.concat, $1) },
    Form(testDescription: "ordered") { $0.flatMap(.ordered(limit: 2), $1) },
    Form(testDescription: "bind") { source, transform in
      source.bind { { (value) throws(Oops) in .next(try transform(value)) } }
    },
  ]

  /// Sends a value to a form whose closure first ends the source, and returns all events.
  private func events(of form: Form, _ transform: @escaping Form.Transform) -> [Event<Int, Oops>] {
    let source = Subject<Int, Oops>()
    let connection = source.publish()
    let run = connection.connect()
    let recorder = Recorder(
      form.apply(connection.autoconnect()) { (value) throws(Oops) in
        run.dispose()
        return try transform(value)
      })
    source.send(1)
    return recorder.events
  }

  @Test("C10: an error that the closure throws is forwarded, even if the source has let go", arguments: forms)
  func closure(form: Form) {
    #expect(events(of: form) { (_) throws(Oops) in throw Oops() } == [.failed(Oops())])
  }

  @Test("C10: an immediate signal's error is forwarded, even if the source has let go", arguments: forms)
  func immediate(form: Form) {
    let events = events(of: form) { _ in
      Signal([1, 2]).map { (value) throws(Oops) in
        if value == 2 { throw Oops() }
        return value
      }
    }
    #expect(events == [.next(1), .failed(Oops())])
  }

  @Test(
    "C10: a closure before the operator that fails ends the source first: what its clean-up sends is forwarded",
    arguments: forms)
  func closureBefore(form: Form) {
    let (source, inner) = (Subject<Int, Oops>(), Subject<Int, Oops>())
    let cleaned = Signal<Int, Oops>.attaching { sink in
      sink.subscription.add(ActionDisposable { inner.send(9) })
      source.attach(sink)
    }
    let numbers = cleaned.map { (value) throws(Oops) in
      if value == 2 { throw Oops() }
      return value
    }
    let recorder = Recorder(form.apply(numbers) { _ in inner.signal })
    source.send(1)
    source.send(2)
    #expect(recorder.events == [.next(9), .failed(Oops())])
  }
}
