// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Why this is right: `MutableProperty.makeTerminal()` says that a subscriber gets the value, and then the
// changes except for those made through this very terminal; that a value sent while the terminal is
// delivering is set after that, and an end takes effect after what was sent before it. So setting, and
// deciding whether a change is the terminal's own, stand in one line. It also says that a new subscriber that
// comes meanwhile waits until the delivery is over. Which of several comes first is left open; they come as
// in Weir, see `Newcomers`. `ControlProperty` says that its terminals send what is entered, and set in
// silence.

/// A terminal of a property. It ends with the property, or alone.
final class ModelPropertyTerminal: ObservingSource {
  private let property: ModelProperty
  private let line = Line()
  private lazy var newcomers = Newcomers(line)
  /// The version that was last set here.
  private var own = 0
  /// Ends its subscribers.
  private let members: Scope
  let upstreams: Upstreams

  init(of property: ModelProperty, _ means: Means) {
    self.property = property
    members = Scope(means)
    upstreams = property.upstreams.ofTerminal(means)
  }

  func take(_ event: Happening) {
    guard case .value(let value) = event else {
      upstreams.end()
      return line.act { self.members.end() }
    }
    if upstreams.isEnded { return }
    line.act {
      if self.members.isEnded || self.property.isEnded { return }
      self.own = self.property.version + 1
      self.property.set(value)
    }
  }

  func listen(_ target: Target) {
    let turns = Turns(target)
    members.onEnd { [weak turns] in turns?.end(.completed) }
    let changes: Flow = { inner in
      var known = 0
      // At most one notice is queued for each subscriber.
      var isAsked = false
      func pass() {
        isAsked = false
        let (value, version) = (self.property.value, self.property.version)
        if version <= known { return }
        let isFirst = known == 0
        known = version
        if isFirst || version > self.own { inner(value) }
      }
      self.property.listen(
        Target(inner.scope) { event in
          if !event.isEnd {
            if isAsked { return }
            isAsked = true
            if known > 0 { return self.line.act(pass) }
            return self.newcomers.perform(pass)
          }
          self.newcomers.perform {
            // Nobody who comes after the end of the property gets a value.
            if known > 0 { pass() }
            inner(.completed)
          }
        })
    }
    turns.listen(to: changes, values: turns.send, completed: { turns.end(.completed) })
  }

  /// Nobody can send any more; its subscribers stay.
  func letGo() { upstreams.end() }
}

/// What subscribers of a terminal request once. What finds the line busy waits with the others, for an errand
/// that does what was requested before the errand was queued, and queues another one for the rest.
private final class Newcomers {
  private let line: Line
  private var waiting: [(ordinal: Int, work: () -> Void)] = []
  private var nextOrdinal = 0
  private var isPosted = false

  init(_ line: Line) { self.line = line }

  func perform(_ work: @escaping () -> Void) {
    if !line.isBusy { return line.act(work) }
    waiting.append((nextOrdinal, work))
    nextOrdinal += 1
    if !isPosted { post() }
  }

  private func post() {
    isPosted = true
    let limit = nextOrdinal
    line.act {
      self.isPosted = false
      let now = self.waiting.prefix { $0.ordinal < limit }
      self.waiting.removeFirst(now.count)
      let areLeft = !self.waiting.isEmpty
      for newcomer in now { newcomer.work() }
      if areLeft { self.post() }
    }
  }
}

/// A property that is fed from outside.
final class ModelControl: SourceModel {
  let property: ModelProperty
  /// How long the property lasts.
  let current: Tenure
  fileprivate let entered = Hub(replaying: nil)
  /// What sets the property to what is entered.
  private let setting: Scope

  init(_ value: Int, _ means: Means) {
    let property = ModelProperty(value)
    self.property = property
    current = Tenure { means.whileDelivering { property.letGo() } }
    setting = Scope(means)
    entered.listen(Target(setting) { property.take($0) })
  }

  /// The hub and its listener retain one another.
  deinit { setting.end() }

  /// It has no end but its release.
  func take(_ event: Happening) { if !event.isEnd { entered.take(event) } }
  func listen(_ target: Target) { property.listen(target) }
  func feed(from flow: Flow, in scope: Scope, held: Tenure) {
    property.feed(from: flow, in: scope, held: held)
  }
  /// Its terminals complete, and then its property is released, which others may hold.
  func letGo() {
    entered.take(.completed)
    current.drop()
  }
}

/// A terminal of a control.
final class ModelControlTerminal: ObservingSource {
  private let control: ModelControl
  private let members: Scope
  let upstreams: Upstreams

  init(of control: ModelControl, _ means: Means) {
    self.control = control
    members = Scope(means)
    upstreams = control.entered.upstreams.ofTerminal(means)
  }

  func take(_ event: Happening) {
    if case .value(let value) = event {
      if !upstreams.isEnded { control.property.set(value) }
    } else {
      upstreams.end()
      members.end()
    }
  }

  func listen(_ target: Target) {
    let turns = Turns(target)
    members.onEnd { [weak turns] in turns?.end(.completed) }
    turns.listen(to: control.entered.listen, values: turns.send, completed: { turns.end(.completed) })
  }

  func letGo() { upstreams.end() }
}

extension Upstreams {
  /// What feeds a terminal: it ends with what feeds its property, too.
  fileprivate func ofTerminal(_ means: Means) -> Upstreams {
    let feeding = Upstreams()
    let owner = Scope(means)
    owner.onEnd { feeding.end() }
    adopt(owner)
    return feeding
  }
}
