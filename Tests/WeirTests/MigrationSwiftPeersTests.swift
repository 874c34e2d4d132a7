// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Migration.md gives in place of functions of ReactiveSwift, RxSwift, Combine and their extensions.
struct MigrationSwiftPeersTests {
  @Test("properties: a signal begins with the value, and after the release only completes")
  func propertySignals() {
    let property = Box<MutableProperty<Int>?>(MutableProperty(0))
    guard let signal = property.value?.signal else { return #expect(Bool(false)) }
    let (values, changes) = (Recorder(signal), Recorder(signal.skip(first: 1)))
    property.value?.value = 1
    #expect(values.values == [0, 1] && changes.values == [1])
    property.value = nil
    let late = Recorder(signal)
    #expect(late.values.isEmpty && late.completion == .completed)
  }

  @Test("Property(initial:then:): its signal needs the property; startWith needs none")
  func followingProperty() {
    let source = Subject<Int, Never>()
    let unstored = Recorder(Property(initial: 0, then: source).signal)
    #expect(unstored.values.isEmpty && unstored.completion == .completed)
    #expect(source.subscriberCount == 0)
    let property = Property(initial: 0, then: source)
    let (stored, withoutProperty) = (Recorder(property.signal), Recorder(source.startWith(0)))
    source.send(1)
    source.complete()
    #expect(stored.values == [0, 1] && stored.completion == nil)
    #expect(withoutProperty.values == [0, 1] && withoutProperty.completion == .completed)
    #expect(property.value == 1)
  }

  @Test("two signals bound to one property: as one, or one after the other")
  func twoBindings() {
    let (a, b, property) = (Subject<Int, Never>(), Subject<Int, Never>(), MutableProperty(0))
    let binding = property <~ Signal.merge(a, b)
    a.send(1)
    #expect(property.value == 1)
    b.send(2)
    #expect(property.value == 2)
    binding.dispose()
    property <~ a
    a.send(3)
    #expect(property.value == 3)
  }

  @Test("cancelling an execution: disposing its signal does not, a trigger inside the command does")
  func cancelledExecution() {
    let (work, cancels) = (Subject<Int, Oops>(), Subject<Void, Never>())
    let command = Command<Int, Int, Oops> { _ in work.take(until: cancels) }
    command.execute(1).subscribe(failed: { _ in }).dispose()
    #expect(command.isExecuting && work.subscriberCount == 1)
    let execution = Recorder(command.executions.flatten())
    cancels.send()
    #expect(!command.isExecuting && work.subscriberCount == 0)
    command.execute(2)
    work.send(3)
    #expect(execution.values == [3])
  }

  @Test("disabledErrors: the signal of a refused execution reports it, and `errors` does not")
  func refusals() {
    let (refusals, isOn) = (Subject<Int, Never>(), MutableProperty(false))
    let command = Command<Int, Int, Oops>(enabledIf: isOn) { .just($0) }
    let (refused, errors) = (Recorder(refusals), Recorder(command.errors))
    for input in 1...3 {
      isOn.value = input == 2
      command.execute(input).subscribe(failed: { if case .notEnabled = $0 { refusals.send(input) } })
    }
    #expect(refused.values == [1, 3])
    #expect(errors.values.isEmpty)
  }

  @Test("an action with a state, bound to a signal: the closure reads the property; its completions are sent")
  func commandWithState() {
    let (user, clicks, completions) = (MutableProperty<String?>(nil), Subject<Void, Never>(), Box(0))
    let load = { @Sendable (user: String) in
      Signal<String, Oops>.just("page of \(user)").doCompleted { completions.value += 1 }
    }
    let command = Command(enabledIf: user.map { $0 != nil }) { (_: Void) in
      user.value.map { load($0) } ?? .empty()
    }
    let pages = Recorder(command.executions.flatten())
    clicks.subscribe { command.execute($0) }
    clicks.send()
    #expect(pages.values.isEmpty && completions.value == 0)
    user.value = "Ann"
    clicks.send()
    #expect(pages.values == ["page of Ann"] && completions.value == 1)
  }
}
