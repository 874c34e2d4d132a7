// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Members of the protocol and not of `Signal`: Swift looks for them there when one of them is an argument, as
// in `quotes.concat(.fail(Closed()))`. They are not declared in both places: with another meaning for each
// `just`, disfavoured or not, the type checker gives up on chains of ten operators (`TypicalChains.sources`).
extension SignalConvertible {
  /// A signal that sends one value and completes, on the subscribing thread.
  ///
  /// ReactiveObjC: `+return:`.
  @inlinable @inline(__always)
  public static func just<Output: Sendable, OutputFailure>(
    _ value: Output
  ) -> Signal<Output, OutputFailure> where Self == Signal<Output, OutputFailure> {
    Signal(.immediate, attaching: { sink, _ in sink.sendOnly(value) })
  }

  /// A signal that completes at once, on the subscribing thread.
  ///
  /// ReactiveObjC: `+empty`.
  @inlinable @inline(__always)
  public static func empty<Output, OutputFailure>() -> Signal<Output, OutputFailure>
  where Self == Signal<Output, OutputFailure> {
    Signal(.immediate, attaching: { sink, _ in sink.terminate(.completed) })
  }

  /// A signal that sends nothing and does not end. It lets go of its subscriber at once.
  ///
  /// On its own, the run lasts as long as its subscription is retained. An operator downstream that combines
  /// signals, runs one after another, or changes threads sees it end at once, without an event, and does not
  /// run a signal that should follow; where it takes over from one that has failed or timed out, the run goes
  /// on without a source. A task does not wait for it, either: ``values(waiting:)`` ends at once,
  /// ``firstValue()`` returns nil, and ``completion()`` false. So, unlike in other libraries, it keeps no run
  /// open: not one that is shared, and not the resource of a ``Signal/using(resource:signal:)``. For all of
  /// these, retain the observer until the run is disposed:
  /// `Signal.create { observer in ActionDisposable { _ = observer } }`. In the place of a request that is
  /// never answered, a test takes a ``Subject``.
  ///
  /// ReactiveObjC: `+never`.
  @inlinable @inline(__always)
  public static func never<Output, OutputFailure>() -> Signal<Output, OutputFailure>
  where Self == Signal<Output, OutputFailure> {
    Signal(attaching: { _, _ in })
  }

  /// A signal that fails at once, on the subscribing thread.
  ///
  /// ReactiveObjC: `+error:`.
  @inlinable @inline(__always)
  public static func fail<Output, OutputFailure>(
    _ error: OutputFailure
  ) -> Signal<Output, OutputFailure> where Self == Signal<Output, OutputFailure> {
    Signal(.immediate, attaching: { sink, _ in sink.terminate(.failed(error)) })
  }

  /// A signal that sends one plain value (one without references) and completes, on the subscribing thread. A
  /// value of up to eight bytes is stored in the signal itself, which then allocates nothing.
  ///
  /// A separate function, since in the other one the compiler does not know early enough which values are
  /// plain.
  ///
  /// ReactiveObjC: `+return:`.
  @inlinable @inline(__always)
  public static func just<Output: Sendable & BitwiseCopyable, OutputFailure>(
    _ value: Output
  ) -> Signal<Output, OutputFailure> where Self == Signal<Output, OutputFailure> {
    MemoryLayout<Output>.size <= 8
      ? Signal(holding: value) : Signal(.immediate, attaching: { sink, _ in sink.sendOnly(value) })
  }
}
