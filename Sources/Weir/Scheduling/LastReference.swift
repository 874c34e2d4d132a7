// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// Whether nobody else has this piece of work, so that releasing it destroys it. If not, somebody else may
/// let go of it any time, and it is destroyed all the same: a ``Drain`` says then itself that work goes on.
func isLastReference(_ work: borrowing any ScheduledWork) -> Bool {
  swift_isUniquelyReferenced_nonNull_native(Unmanaged<AnyObject>.passUnretained(copy work).toOpaque())
}
