// Part of Weir. SPDX-License-Identifier: Apache-2.0
import WeirTesting

/// A value that is counted.
typealias Payload = Resources.Resource
