// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Gives each run of the signal a name, for debugging.
  ///
  /// The name appears:
  ///
  /// 1. in the lines of a ``log(_:to:)`` upstream, if that has no name of its own;
  /// 2. in reports of errors that nobody receives (``UnhandledErrors``), if the run extends to the
  ///    subscriber, or from or to an ``observe(on:_:waiting:failures:)`` that lost the error;
  /// 3. in the message when a ``Backlog`` stops the process. For ``observe(on:_:waiting:failures:)``,
  ///    `flatMap` and `values()`, put `named` before the operator; for all others, behind it.
  ///
  /// The name covers one run: up to the next operator that combines signals, runs one after another, waits,
  /// or changes threads. If a run has several names, the last one in the chain wins.
  ///
  /// Events pass through, and cost nothing; the name costs three allocations per signal. Buffers nothing.
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
