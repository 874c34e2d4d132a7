// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir
import WeirTesting

// The parts of programs that only the shape `objects` has, built with Weir.

/// An object that is called, and has a property that is set.
final class Thing: HasLifetime, @unchecked Sendable {
  // Unchecked: for one thread.
  let lifetime = Lifetime()
  var number = 0 { didSet { call(number) } }
  /// Called with each value that it gets.
  let call: @Sendable (Int) -> Void

  init(call: @escaping @Sendable (Int) -> Void) { self.call = call }

  deinit { lifetime.end() }
}

/// An object of a program, until its owner releases it.
final class HotObject: @unchecked Sendable {
  // Unchecked: for one thread.
  private var thing: Thing?
  private var isBound = false
  /// It does not retain the object.
  let ended: Numbers

  init(_ thing: Thing) {
    self.thing = thing
    ended = thing.lifetime.ended.setFailureType(to: TestFailure.self).ignoreValues()
  }

  /// Calls `body` with it, if it has not been released.
  @discardableResult
  func using<Result>(_ body: (Thing) -> Result) -> Result? {
    thing.map { thing in withExtendedLifetime(thing) { body(thing) } }
  }

  func endLifetime() { using { $0.lifetime.end() } }

  /// Released after the change, as a source is.
  func release() {
    let before = thing.take()
    withExtendedLifetime(before) {}
  }

  /// The results of its calls; nil if it has been released.
  func lift(_ signal: Numbers, _ deed: Lift.Deed?) -> Numbers? {
    let calls = Counter()
    return using { thing in
      signal.lift(into: thing) { [self] (thing, value) throws(TestFailure) -> Int in
        thing.call(value)
        if calls.add() == 0 {
          switch deed {
          case .release: release()
          case .endLifetime: thing.lifetime.end()
          case nil: break
          }
        }
        if value == Lift.bad { throw TestFailure(value) }
        return value &+ 1
      }
    }
  }

  /// A second signal is not bound to its property, as Weir forbids that.
  func bind(_ signal: Numbers, _ form: TargetForm) -> Subscription? {
    using { thing -> Subscription? in
      let values = signal.catchAndReturn(7)
      switch form {
      case .closure: return values.bind(to: BindingTarget(during: thing.lifetime, thing.call))
      case .keyPath:
        if isBound { return nil }
        isBound = true
        return values.bind(to: BindingTarget(thing, \.number))
      }
    } ?? nil
  }
}

/// What an owner holds until it releases it.
final class Slot<Content>: @unchecked Sendable {
  // Unchecked: for one thread.
  private(set) var content: Content?

  init(_ content: Content? = nil) { self.content = content }

  /// What was there is released after the change.
  func set(_ content: Content?) {
    let before = self.content
    self.content = content
    withExtendedLifetime(before) {}
  }
}

/// A derived property, until its owner releases it, and its signals, which do not retain it.
struct HotDerived: Sendable {
  let property: Slot<Property<Int>>
  private let values, included, excluded: Numbers

  init(_ property: Property<Int>) {
    func numbers(_ initial: InitialValue) -> Numbers {
      property.valuesAndChanges(initial).map { digits([$0.old ?? 9, $0.new]) }.setFailureType(
        to: TestFailure.self)
    }
    self.property = Slot(property)
    values = property.signal.setFailureType(to: TestFailure.self)
    (included, excluded) = (numbers(.included), numbers(.excluded))
  }

  func signal(_ view: DerivedView) -> Numbers {
    switch view {
    case .values: values
    case .changes(.included): included
    case .changes(.excluded): excluded
    }
  }
}

/// The properties of a program.
struct HotProperties: Sendable {
  var sources: [HotSource] = []
  var derived: [HotDerived] = []

  /// Nil if it has been released.
  subscript(_ readable: Readable) -> Property<Int>? {
    switch readable {
    case .source(let index):
      sources[index].using { ($0 as? HotProperty).map { Property($0.property) } } ?? nil
    case .derived(let index): derived[index].property.content
    }
  }

  /// The signal of one that follows a signal is given.
  func make(_ plan: DerivedPlan, following signal: (Node) -> Numbers) -> Property<Int> {
    func base(_ readable: Readable) -> Property<Int> { self[readable] ?? placeholder }
    switch plan {
    case .constant(let value): return Property(constant: value)
    case .view(let readable): return Property(base(readable))
    case .mapped(let readable, let number): return base(readable).map { $0 &+ number }
    case .distinct(let readable): return base(readable).distinctUntilChanged()
    case .pair(let first, let second):
      return base(first).combined(with: base(second)).map { digits([$0.0, $0.1]) }
    case .triple(let first, let second, let third):
      return base(first).combined(with: base(second), base(third)).map { digits([$0.0, $0.1, $0.2]) }
    case .picked(let selector, let others):
      return base(selector).flatMap { [self] in self[others[remainder($0, others.count)]] ?? placeholder }
    case .following(let initial, let node):
      return Property(initial: initial, then: signal(node).catchAndReturn(7))
    }
  }

  private var placeholder: Property<Int> { Property(constant: DerivedPlan.placeholder) }
}
