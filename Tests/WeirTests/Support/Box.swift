// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// Plain state shared by closures that run on one thread, or serially.
final class Box<Value>: @unchecked Sendable {  // see above
  var value: Value
  init(_ value: Value) { self.value = value }
}

/// A source that is held open: retains the observer of a created signal, so that a test can send later.
typealias Held<Failure: Error> = Box<Observer<Int, Failure>?>
