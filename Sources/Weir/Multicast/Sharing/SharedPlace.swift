// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A subscriber's place in a run of a shared signal.
final class SharedPlace: Membership {
  private let core: SharingCore
  private let generation: UInt64

  init(in core: SharingCore, _ generation: UInt64) {
    self.core = core
    self.generation = generation
  }

  func leave() -> Departure { core.leave(generation) }
}
