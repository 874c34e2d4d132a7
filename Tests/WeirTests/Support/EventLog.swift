// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// What the subscribers of a source have received, in order, each under its name.
struct EventLog: Sendable {
  private let entries = Box<[String]>([])

  var value: [String] { entries.value }

  func append(_ entry: String) { entries.value.append(entry) }

  /// - Parameter then: called inside the delivery of each value, once that was logged.
  @discardableResult
  func listen(
    to source: some SignalConvertible<Int, Oops>, as name: String,
    then: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> Subscription {
    source.subscribe(
      next: { value in
        append("\(name)\(value)")
        then(value)
      }, failed: { append("\(name) failed \($0.code)") }, completed: { append("\(name) completed") })
  }
}
