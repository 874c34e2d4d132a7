// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Why this is right: `Property` says that reading a derived property reads its sources and computes, so that
// it always agrees with them; that it retains what it was derived from, and that its signal does not; and
// that the signal completes when the properties behind it have been released. `map`, `distinctUntilChanged`,
// `combined` and `flatMap` of a property say the same of each value that their namesakes among the operators
// do. `Property(initial:then:)` says that the signal is subscribed at once, that its last value stays, and
// that the property ends with its last copy, and all that was derived from it.
//
// Not said there, and so taken from Weir: what a derived property alone has retained is released in the order
// in which it was given. It is left open what an observer misses that subscribes to a picked property while
// that is set more than once.

/// A derived property.
final class ModelDerived {
  /// Its signal.
  let flow: Flow
  let read: () -> Int
  private let tenure: Tenure
  private(set) var isReleased = false

  /// - Parameters:
  ///   - flow: its signal.
  ///   - read: computes its value.
  ///   - tenure: ends what it retains.
  init(_ flow: @escaping Flow, _ tenure: Tenure, read: @escaping () -> Int) {
    self.flow = flow
    self.tenure = tenure
    self.read = read
  }

  func hold() -> Tenure.Hold { tenure.hold() }

  func release() {
    if isReleased { return }
    isReleased = true
    tenure.drop()
  }

  func listen(_ view: DerivedView, _ target: Target) {
    guard case .changes(let initial) = view else { return flow(target) }
    var old: Int?
    flow(
      Target(target.scope) { event in
        guard case .value(let new) = event else { return target(event) }
        let before = old
        old = new
        if before != nil || initial == .included { target(digits([before ?? 9, new])) }
      })
  }
}

/// The properties of a program.
final class ModelProperties {
  private var sources: [ModelSource] = []
  private(set) var derived: [ModelDerived] = []
  private let means: Means

  init(_ means: Means) { self.means = means }

  /// Adds those that the script sets.
  func add(_ sources: [ModelSource]) { self.sources = sources }

  /// - Parameters:
  ///   - plan: the property.
  ///   - signal: the flow of a node.
  func add(_ plan: DerivedPlan, following signal: (Node) -> Flow) {
    let property =
      switch plan {
      case .constant(let value): make([], constant(value)) { value }
      case .view(let base): make([base], flow(base)) { self.read(base) }
      case .mapped(let base, let number):
        make([base], model(.add(number), of: flow(base))) { self.read(base) &+ number }
      case .distinct(let base): make([base], model(.distinct, of: flow(base))) { self.read(base) }
      case .pair(let first, let second): row([first, second])
      case .triple(let first, let second, let third): row([first, second, third])
      case .picked(let selector, let others): picked(by: selector, others)
      case .following(let initial, let node):
        following(model(.catchAndReturn(7), of: signal(node)), initial: initial)
      }
    derived.append(property)
  }

  /// What a reader gets; nil if it has been released.
  func value(of readable: Readable) -> Int? { isReleased(readable) ? nil : read(readable) }

  func letGo() { for property in derived { property.release() } }

  /// All is over. They retain this, as they look up what they read.
  func forget() { (derived, sources) = ([], []) }

  // MARK: Forms

  private func row(_ bases: [Readable]) -> ModelDerived {
    make(bases, model(.combineLatest, of: bases.map(flow))) { digits(bases.map(self.read)) }
  }

  /// It retains the first one only.
  private func picked(by selector: Readable, _ others: [Readable]) -> ModelDerived {
    func pick(_ value: Int) -> Readable? {
      let other = others[remainder(value, others.count)]
      return isReleased(other) ? nil : other
    }
    let values = flatten(.latest, flow(selector)) { value in
      pick(value).map(self.pickedFlow) ?? self.constant(DerivedPlan.placeholder)
    }
    return make([selector], values) {
      pick(self.read(selector)).map(self.read) ?? DerivedPlan.placeholder
    }
  }

  private func following(_ flow: @escaping Flow, initial: Int) -> ModelDerived {
    let property = ModelProperty(initial)
    let tenure = Tenure { [means] in means.whileDelivering { property.letGo() } }
    property.feed(from: flow, in: Scope(means), held: tenure)
    return ModelDerived(property.listen, tenure) { property.value }
  }

  private func make(_ bases: [Readable], _ flow: @escaping Flow, read: @escaping () -> Int) -> ModelDerived {
    let holds = bases.map(hold)
    return ModelDerived(flow, Tenure { for hold in holds { hold.end() } }, read: read)
  }

  private func constant(_ value: Int) -> Flow {
    { target in
      target(value)
      target(.completed)
    }
  }

  // MARK: Bases

  private func isReleased(_ readable: Readable) -> Bool {
    switch readable {
    case .source(let index): sources[index].isReleased
    case .derived(let index): derived[index].isReleased
    }
  }

  private func read(_ readable: Readable) -> Int {
    switch readable {
    case .source(let index): property(index).value
    case .derived(let index): derived[index].read()
    }
  }

  private func flow(_ readable: Readable) -> Flow {
    switch readable {
    case .source(let index): property(index).listen
    case .derived(let index): derived[index].flow
    }
  }

  private func pickedFlow(_ readable: Readable) -> Flow {
    guard case .source(let index) = readable else { return flow(readable) }
    let property = property(index)
    return { [means] target in property.listen(target, missed: means.noteDoubt) }
  }

  private func hold(_ readable: Readable) -> Tenure.Hold {
    switch readable {
    case .source(let index): sources[index].holdProperty()
    case .derived(let index): derived[index].hold()
    }
  }

  private func property(_ index: Int) -> ModelProperty {
    guard let property = sources[index].property else { preconditionFailure("s\(index) is no property") }
    return property
  }
}
