// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Runs `body`, and returns which of its objects are still alive when it has returned; nil if none are.
///
/// ```swift
/// let problem = findLeaks { resources in
///   let subject = resources.follow(Subject<Int, Never>())
///   subject.subscribe { [token = resources.make()] _ in _ = token }
///   subject.complete()
/// }
/// #expect(problem == nil)
/// ```
///
/// An object that `body` stores outside itself counts as alive. For asynchronous code, use ``Resources`` and
/// read its ``Resources/problem`` when everything is over.
///
/// - Parameter body: makes and follows objects with the counter that is passed to it.
///
/// ReactiveObjC has none.
public func findLeaks(_ body: (Resources) throws -> Void) rethrows -> Problem? {
  let resources = Resources()
  try body(resources)
  return resources.problem
}
