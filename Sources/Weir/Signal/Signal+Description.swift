// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Signal: CustomStringConvertible {
  /// The type: what a signal will send is not known before it runs.
  public var description: String { "Signal<\(Value.self), \(Failure.self)>" }
}
