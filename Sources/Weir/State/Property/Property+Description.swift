// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension MutableProperty: CustomStringConvertible {
  /// The value at this moment, as in `MutableProperty(3)`.
  public var description: String { "MutableProperty(\(value))" }
}

extension Property: CustomStringConvertible {
  /// The value at this moment, as in `Property(3)`. A derived property computes it.
  public var description: String { "Property(\(value))" }
}
