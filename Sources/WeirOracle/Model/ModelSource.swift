// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What a source is, in the model: a hub, a terminal, a property.
protocol SourceModel: AnyObject {
  func take(_ event: Happening)
  func listen(_ target: Target)
  /// Whether it takes failures.
  var canFail: Bool { get }
  /// Runs a signal in `scope`, and takes its events.
  func feed(from flow: Flow, in scope: Scope, held: Tenure)
  /// Nobody holds it any more.
  func letGo()
}

/// How long a source lasts: as long as the script holds it, or a call of it is in progress, or a run feeds
/// it.
final class Tenure {
  private var holders: Int
  private let end: () -> Void

  init(holders: Int = 1, end: @escaping () -> Void) {
    self.holders = holders
    self.end = end
  }

  func drop() {
    holders -= 1
    if holders == 0 { end() }
  }

  func during(_ body: () -> Void) {
    holders += 1
    body()
    drop()
  }

  /// Holds it until the returned object is released, or ended.
  func hold() -> Hold {
    holders += 1
    return Hold(self)
  }

  final class Hold {
    private var tenure: Tenure?
    fileprivate init(_ tenure: Tenure) { self.tenure = tenure }
    deinit { end() }
    func end() { tenure.take()?.drop() }
  }
}

/// A source that its owner, the script, may release. It is gone when nobody holds it.
final class ModelSource {
  let place: any SourceModel
  private let tenure: Tenure
  private let means: Means
  private(set) var isReleased = false

  init(_ place: any SourceModel, _ means: Means, _ tenure: Tenure? = nil) {
    self.place = place
    self.means = means
    self.tenure = tenure ?? Tenure { place.letGo() }
  }

  func take(_ event: Happening) { call { $0.take(event) } }
  func listen(_ target: Target) { call { $0.listen(target) } }
  func feed(from flow: Flow, in scope: Scope) {
    if isReleased { return }
    tenure.during { place.feed(from: flow, in: scope, held: tenure) }
  }

  /// Calls `body` with it, if it has not been released.
  func using(_ body: (any SourceModel) -> Void) {
    if !isReleased { tenure.during { body(place) } }
  }

  func release() {
    if isReleased { return }
    isReleased = true
    tenure.drop()
  }

  /// The property that it is, or that it sets from outside.
  var property: ModelProperty? { place as? ModelProperty ?? (place as? ModelControl)?.property }

  /// Retains that.
  func holdProperty() -> Tenure.Hold { (place as? ModelControl)?.current.hold() ?? tenure.hold() }

  private func call(_ body: (any SourceModel) -> Void) {
    using { place in means.whileDelivering { body(place) } }
  }
}

/// What takes events until it ends, and then ends the runs that feed it.
protocol ObservingSource: SourceModel {
  var upstreams: Upstreams { get }
}

extension SourceModel {
  var canFail: Bool { false }
}

extension ObservingSource {
  /// The run holds it until the run ends.
  func feed(from flow: Flow, in scope: Scope, held tenure: Tenure) {
    if upstreams.isEnded { return }
    let hold = tenure.hold()
    scope.onEndLast { [weak hold] in hold?.end() }
    upstreams.adopt(scope)
    flow(
      Target(scope) { event in
        tenure.during { if !event.isEnd || scope.end() && !scope.isDismissed { self.take(event) } }
        withExtendedLifetime(hold) {}
      })
  }
}

/// The runs that feed a source: they end with it.
final class Upstreams {
  private var runs: [Scope] = []
  private(set) var isEnded = false

  func adopt(_ run: Scope) { if isEnded { run.end() } else { runs.append(run) } }

  /// True for the call that ended them.
  @discardableResult
  func end() -> Bool {
    if isEnded { return false }
    isEnded = true
    let all = runs
    runs = []
    // All have stopped before the first clean-up runs.
    let actions = all.flatMap { $0.stop() }
    for action in actions { action() }
    return true
  }
}
