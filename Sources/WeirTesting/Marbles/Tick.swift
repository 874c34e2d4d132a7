// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// Stops the process if a tick is not positive.
func requireTick(_ tick: Duration) {
  require(tick > .zero, "weir: a tick of \(tick): the time from one tick to the next must be positive")
}
