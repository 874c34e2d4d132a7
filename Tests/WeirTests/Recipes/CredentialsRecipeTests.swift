// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Recipes.md says of a token that is renewed once for all.
struct CredentialsRecipeTests {
  private let renewals = Subject<Recipes.Token, any Error>()
  private let renewed = Counter()
  private let valid = MutableProperty(1)

  private func credentials() -> Recipes.Credentials {
    Recipes.Credentials(
      Recipes.Token(number: 0), renew: renewals.signal.initially { [renewed] in renewed.add() })
  }

  /// A call that is refused with any other token than the valid one.
  private func call(_ credentials: Recipes.Credentials, answer: Subject<Int, any Error>? = nil) -> Signal<
    Int, any Error
  > {
    credentials.call { [valid] token in
      (answer?.signal ?? .just(0)).tryMap { _ in
        if token.number != valid.value { throw Recipes.Unauthorised() }
        return token.number
      }
    }
  }

  private func error(_ recorder: Recorder<Int, any Error>) -> (any Error)? {
    if case .failed(let error) = recorder.completion { error } else { nil }
  }

  @Test("requests that are refused together share one renewal; one that is refused later finds the new token")
  func together() {
    let (credentials, late) = (credentials(), Subject<Int, any Error>())
    let early = (0..<3).map { _ in Recorder(call(credentials)) }
    let slow = Recorder(call(credentials, answer: late))
    #expect(renewed.value == 1 && early.allSatisfy { $0.events.isEmpty })
    renewals.send(Recipes.Token(number: 1))
    #expect(early.allSatisfy { $0.values == [1] && $0.completion != nil })
    #expect(renewals.subscriberCount == 0)
    late.send(0)
    late.send(0)
    #expect(slow.values == [1])
    #expect(Recorder(call(credentials)).values == [1])
    #expect(renewed.value == 1)
  }

  @Test("a renewal that fails fails all who wait; the next refusal tries again, also one of a retry at once")
  func failing() {
    let runs = Subject<Subject<Recipes.Token, any Error>, Never>()
    let current = runs.replayLast()
    let renewing = Recipes.Credentials(
      Recipes.Token(number: 0),
      renew: current.take(first: 1).setFailureType(to: (any Error).self).flatMap { [renewed] run in
        renewed.add()
        return run.signal
      })
    let (first, second) = (Subject<Recipes.Token, any Error>(), Subject<Recipes.Token, any Error>())
    runs.send(first)
    let callers = [Recorder(call(renewing)), Recorder(call(renewing).retry(upTo: 1))]
    runs.send(second)
    first.fail(Oops(code: 7))
    #expect(error(callers[0]) as? Oops == Oops(code: 7))
    #expect(callers[1].completion == nil && renewed.value == 2)
    second.send(Recipes.Token(number: 1))
    #expect(callers[1].values == [1])
  }

  @Test("a request is repeated once: with a new token that is refused, too, its error is passed on")
  func once() {
    let credentials = credentials()
    let caller = Recorder(call(credentials))
    renewals.send(Recipes.Token(number: 2))
    #expect(error(caller) is Recipes.Unauthorised && renewed.value == 1)
    let next = Recorder(call(credentials))
    #expect(renewed.value == 2)
    renewals.send(Recipes.Token(number: 1))
    #expect(next.values == [1])
  }

  @Test("a renewal that brings the refused token again does not count as two: its waiters share the next one")
  func unchanged() {
    let credentials = credentials()
    let callers = [Recorder(call(credentials).retry(upTo: 1)), Recorder(call(credentials))]
    renewals.send(Recipes.Token(number: 0))
    #expect(callers[1].completion?.error is Recipes.Unauthorised)
    let next = Recorder(call(credentials))
    #expect(renewals.subscriberCount == 1)
    renewals.send(Recipes.Token(number: 1))
    #expect(next.values == [1] && callers[0].values == [1])
  }

  @Test("an error that is no refusal renews nothing")
  func otherErrors() {
    let answer = Subject<Int, any Error>()
    let caller = Recorder(call(credentials(), answer: answer))
    answer.fail(Oops(code: 1))
    #expect(error(caller) as? Oops == Oops(code: 1) && renewed.value == 0)
  }

  @Test("a renewal goes on when all who wait have left, and its token is used")
  func nobodyWaits() {
    let credentials = credentials()
    Recorder(call(credentials)).dispose()
    #expect(renewals.subscriberCount == 1)
    renewals.send(Recipes.Token(number: 1))
    #expect(Recorder(call(credentials)).values == [1])
    #expect(renewed.value == 1)
  }

  @Test("a renewal that completes without a token ends the calls without an answer, and the next one renews")
  func withoutToken() {
    let none = Counter()
    let empty = Recipes.Credentials(Recipes.Token(number: 0), renew: .empty().initially { none.add() })
    for number in 1...2 {
      let caller = Recorder(call(empty))
      #expect(caller.completion?.isCompleted == true)
      #expect(caller.events.count == 1 && none.value == number)
    }
  }

  @Test("credentials that nobody keeps are released, also while a renewal is under way")
  func released() {
    weak var released: Recipes.Credentials?
    do {
      let credentials = credentials()
      released = credentials
      let caller = Recorder(call(credentials))
      #expect(renewals.subscriberCount == 1)
      caller.dispose()
    }
    #expect(released == nil)
    renewals.send(Recipes.Token(number: 1))
    #expect(renewals.subscriberCount == 0)
  }

  @Test("of three threads that are refused at once, with a renewal that answers at once, one renews")
  func threads() {
    for _ in 0..<300 {
      let (renewed, answers) = (Counter(), Counter())
      let credentials = Recipes.Credentials(
        Recipes.Token(number: 0),
        renew: .deferred {
          renewed.add()
          return .just(Recipes.Token(number: 1))
        })
      let call = call(credentials)
      withThreads(3) { _ in call.subscribe(next: { answers.add($0) }, failed: { _ in }) }
      #expect((renewed.value, answers.value) == (1, 3))
    }
  }
}
