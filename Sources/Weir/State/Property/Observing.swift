// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Observation

extension Signal where Failure == Never, Value: Sendable {
  /// The values of an expression over `@Observable` models.
  ///
  /// ```swift
  /// Signal.observing { model.user.name }
  /// ```
  ///
  /// For models that are not yours. Observation is made for views, and tells less than ``MutableProperty``:
  /// that a value *will* change, once, and nothing of an assignment of an equal value. So the expression is
  /// evaluated again on the actor of the model, when the code that runs there is done: changes that are made
  /// without a suspension in between give one value, the last. The first value is sent a moment after
  /// subscribing, not inside it.
  ///
  /// Cold: each subscription runs a task of its own, which delivers on the cooperative pool, serially.
  /// Buffers nothing: while a value is being delivered, changes are coalesced into one. Does not complete.
  ///
  /// Disposing cancels the task, and releases the subscriber at once. If the task has something to read just
  /// then, `read` is called once more when its actor is free, and what it captures is released after that. So
  /// it should capture nothing `unowned`: retain the model, or capture an owner weakly.
  ///
  /// - Parameter read: reads the models. It must be isolated to the actor that they belong to, as a closure
  ///   written on the main actor is: only there is the change certain to be over when the closure is called
  ///   again. This is asserted in debug builds.
  ///
  /// ReactiveObjC: `RACObserve`, see ``MutableProperty/signal``.
  public static func observing(
    @_inheritActorContext _ read: @escaping @isolated(any) @Sendable () -> Value
  ) -> Signal {
    assert(
      read.isolation != nil,
      "weir: observing: the closure is isolated to no actor, so it could read before the change is stored; isolate it to the model's actor, for example by writing it in a @MainActor function"
    )
    // Made for each run: the iterations of one `Observations` share the note that something has changed, and
    // the first to ask takes it.
    return .deferred { Signal(Observations(read)) }
  }
}
