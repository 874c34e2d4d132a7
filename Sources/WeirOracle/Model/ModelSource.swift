// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The model of a hot source that its owner may release. It is gone when no call of it is in progress.
final class ModelSource {
  private let hub: Hub
  private var calls = 0
  private var isReleased = false

  private let means: Means

  init(_ hub: Hub, _ means: Means) {
    self.hub = hub
    self.means = means
  }

  func take(_ event: Happening) { call { $0.take(event) } }
  func listen(_ target: Target) { call { $0.listen(target) } }
  func release() { call { _ in isReleased = true } }

  private func call(_ body: (Hub) -> Void) {
    if isReleased { return }
    calls += 1
    means.whileDelivering { body(hub) }
    calls -= 1
    if isReleased, calls == 0 { hub.letGo() }
  }
}
