// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Why this is right: `MutableProperty` is state. It says that every reader sees a new value at once, while an
// observer gets the value it finds, and then the changes, one for each set; that where sets meet, one
// delivery may stand for several and then delivers the newest value; never an older value after a newer one,
// no change twice, and always the last value. It leaves open which deliveries are one. Here all sets inside a
// delivery are one: the next delivery, which has the newest value for all observers. Weir does the same, as
// at most one notice is queued.

/// A property.
final class ModelProperty: SourceModel {
  private final class Listener {
    let target: Target
    init(_ target: Target) { self.target = target }
  }

  private(set) var value: Int
  /// The number of the value.
  private(set) var version = 1
  /// The version that all listeners have got.
  private var delivered = 1
  private var listeners: [Listener] = []
  private let line = Line()
  private var newcomers: [() -> Void] = []
  /// Signals of a released property just complete, and nobody can set it.
  private(set) var isEnded = false
  private var isClosed = false
  /// Whether a notice of a change is queued.
  private var isAsked = false
  let upstreams = Upstreams()
  private var isBound = false

  init(_ value: Int) { self.value = value }

  func set(_ value: Int) {
    if isEnded { return }
    self.value = value
    version += 1
    if isAsked { return }
    isAsked = true
    line.act {
      self.isAsked = false
      self.deliver()
    }
  }

  private func deliver() {
    if isClosed || version == delivered { return }
    delivered = version
    let (value, all) = (value, listeners)
    for listener in all { listener.target(value) }
  }

  /// It has no end but its release.
  func take(_ event: Happening) { if case .value(let value) = event { set(value) } }

  func listen(_ target: Target) { listen(target) {} }

  /// - Parameters:
  ///   - target: the observer.
  ///   - missed: called if it may miss a value that was set while it came in.
  func listen(_ target: Target, missed: @escaping () -> Void) {
    if isEnded { return target(.completed) }
    let found = version
    target(value)
    if target.scope.isEnded { return }
    comeIn {
      // Not what is set meanwhile: it gets that from the delivery after this one, and no change twice.
      let (newest, version) = (self.value, self.version)
      if version > found + 1 { missed() }
      self.deliver()
      if target.scope.isEnded { return }
      if version != found, !self.isClosed {
        target(newest)
        if target.scope.isEnded { return }
      }
      self.enlist(target)
      self.deliver()
    }
  }

  private func enlist(_ target: Target) {
    if isClosed { return target(.completed) }
    let listener = Listener(target)
    listeners.append(listener)
    target.scope.onEndFirst { [weak listener] in
      let before = self.listeners
      self.listeners = before.filter { $0 !== listener }
      withExtendedLifetime(before) {}
    }
  }

  /// As with a hub: all that are waiting become live in the place of the first one.
  private func comeIn(_ work: @escaping () -> Void) {
    if !line.isBusy { return line.act(work) }
    newcomers.append(work)
    if newcomers.count > 1 { return }
    line.act {
      let all = self.newcomers
      self.newcomers = []
      for newcomer in all { newcomer() }
    }
  }

  /// A binding, which retains nothing, and ends with the property. There may be one at a time; programs make
  /// no second one.
  func feed(from flow: Flow, in scope: Scope, held: Tenure) {
    if isBound { return }
    isBound = true
    upstreams.adopt(scope)
    if scope.isEnded { return }
    flow(
      Target(scope) { event in
        if case .value(let value) = event { self.set(value) } else { scope.end() }
      })
  }

  /// What was set last is delivered, and then the end.
  func letGo() {
    isEnded = true
    upstreams.end()
    line.act {
      self.deliver()
      let all = self.listeners
      (self.isClosed, self.listeners) = (true, [])
      for listener in all { listener.target(.completed) }
    }
  }
}
