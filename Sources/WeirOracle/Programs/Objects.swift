// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Parts of programs of the shape `objects`.

/// Something with a value: the property, or control, that is the source with this number, or a derived
/// property.
package enum Readable: Sendable, Equatable {
  case source(Int)
  case derived(Int)
}

/// A property that cannot be set. It may depend on sources, and on derived properties before it.
package enum DerivedPlan: Sendable, Equatable {
  case constant(Int)
  /// A read-only view.
  case view(Readable)
  case mapped(Readable, plus: Int)
  case distinct(Readable)
  case pair(Readable, Readable)
  case triple(Readable, Readable, Readable)
  /// The value of the first one selects one of the others by its remainder. One that its owner has released
  /// counts as a constant.
  case picked(by: Readable, [Readable])
  /// Follows a signal; a failure counts as a 7.
  case following(initial: Int, Node)

  /// The value of a property that has been released, where one is picked.
  static let placeholder = 50
}

/// What observers get of a derived property.
package enum DerivedView: Sendable, Equatable {
  case values
  /// The digits of each value and the one before it, or a 9 if there is none.
  case changes(InitialForm)

  package enum InitialForm: Sendable, Equatable { case included, excluded }
}

/// The signal of a tree lifted into an object: it is called with each value. What `lift` returns replaces
/// what is in a slot.
package struct Lift: Sendable, Equatable {
  package var tree: Int
  package var object: Int
  package var slot: Int
  /// What the first call does to its own object.
  package var deed: Deed?

  package enum Deed: Sendable, Equatable { case release, endLifetime }

  package init(tree: Int, object: Int, slot: Int, deed: Deed?) {
    (self.tree, self.object, self.slot, self.deed) = (tree, object, slot, deed)
  }

  /// How many slots a program has.
  static let slotCount = 2
  /// A call with this value throws.
  static let bad = 4
}

/// How the signal of a tree sets something of an object.
package enum TargetForm: Sendable, Equatable {
  /// A closure, for the lifetime of the object.
  case closure
  /// A property of the object, to which nothing else may be bound.
  case keyPath
}

extension Shared.Form {
  /// How many subscribers it waits for, if it does.
  var missing: Int { if case .shareAt(let count, _, _, _) = self { count } else { 0 } }
}
