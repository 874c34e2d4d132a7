// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Gives each run of the signal a name for people who look for a mistake.
  ///
  /// The name is used for three things: ``log(_:to:)`` without a name of its own takes it, if it stands
  /// upstream in the same run; a failure that nobody receives is reported with it (``UnhandledErrors``), if
  /// the run ends in the subscriber; and so is a ``Backlog`` whose bound stops the process, by
  /// ``observe(on:_:waiting:failures:)``, `flatMap` and `values()` behind it, by others in front of it. A run
  /// is what shares one subscription: it reaches to the next operator that brings several signals together,
  /// runs one after another, has a timer, or changes threads. Of several names in one run the last one
  /// written is kept.
  ///
  /// Events pass through, and cost nothing; the name costs one allocation for a signal. Buffers nothing.
  ///
  /// ReactiveObjC: `-setNameWithFormat:`.
  public func named(_ name: String) -> Signal<Value, Failure> {
    let name = RunName(name)
    return lift { sink in
      sink.subscription.take(name)
      return sink
    }
  }
}
