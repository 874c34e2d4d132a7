// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// True if this is the only reference to the piece of work, so that releasing it deallocates it. False is
/// only a hint: the other owner may release it at any moment, and then it is deallocated here all the same. A
/// ``ScheduledDrain`` calls ``LingeringScheduler/wakeWorkers()`` itself then.
func isLastReference(_ work: borrowing any ScheduledWork) -> Bool {
  weir_is_uniquely_referenced(Unmanaged<AnyObject>.passUnretained(copy work).toOpaque())
}
