// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// Stops the process if a tick is not positive.
func requireTick(_ tick: Duration) {
  require(tick > .zero, "weir: a tick of \(tick): the time from one tick to the next must be positive")
}

/// The instant of the tick with this number, at least 0; or the longest duration, if that is shorter.
func instant(ofTick number: Int, _ tick: Duration) -> Duration {
  let (product, overflows) = tick.attoseconds.multipliedReportingOverflow(by: Int128(number))
  return Duration(attoseconds: overflows ? .max : product)
}
