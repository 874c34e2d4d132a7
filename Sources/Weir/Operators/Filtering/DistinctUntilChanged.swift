// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Drops each value that `areEqual` finds equal to the last one that passed. The first value always passes.
  ///
  /// Later values are not compared with a dropped one. If `areEqual` throws, the signal fails with that error
  /// and its source is stopped. Terminal events pass through. Runs on the sending thread; retains one value,
  /// and buffers nothing.
  ///
  /// ReactiveObjC: `-distinctUntilChanged`, with a comparison of one's own.
  @inlinable @inline(__always)
  public func distinctUntilChanged(
    comparing areEqual:
      @escaping @Sendable (_ previous: Value, _ current: Value) throws(Failure) -> Bool
  ) -> Signal<Value, Failure> {
    liftInPlace { sink in
      let (step, frame) = sink.entry
      let hint = FoldingHint.constant
      return sink.upstream(RelayFrame<Value?, Failure>(nil, before: frame, fail: sink.fail)) {
        value, frame in
        _ = hint
        let own: RelayFrame<Value?, Failure> = frame.own()
        do throws(Failure) {
          if let previous = own.state, try areEqual(previous, value) { return }
          own.state = value
          step(value, own.following)
        } catch {
          own.fail(error)
        }
      }
    }
  }

  /// Drops each value whose `key` equals that of the one before it. `key` is called once for each value; the
  /// key is retained instead of the value. The rest is as with ``distinctUntilChanged(comparing:)``.
  ///
  /// ReactiveObjC: `-distinctUntilChanged`, by a key.
  @inlinable @inline(__always)
  public func distinctUntilKeyChanged<Key: Equatable & SendableMetatype>(
    _ key: @escaping @Sendable (Value) throws(Failure) -> Key
  ) -> Signal<Value, Failure> {
    liftInPlace { sink in
      let (step, frame) = sink.entry
      let hint = FoldingHint.constant
      return sink.upstream(RelayFrame<Key?, Failure>(nil, before: frame, fail: sink.fail)) { value, frame in
        _ = hint
        let own: RelayFrame<Key?, Failure> = frame.own()
        do throws(Failure) {
          let current = try key(value)
          if own.state == current { return }
          own.state = current
          step(value, own.following)
        } catch {
          own.fail(error)
        }
      }
    }
  }

  /// Drops each value that equals the one before it. The rest is as with
  /// ``distinctUntilChanged(comparing:)``.
  ///
  /// ReactiveObjC: `-distinctUntilChanged`.
  @inlinable @inline(__always)
  public func distinctUntilChanged() -> Signal<Value, Failure> where Value: Equatable & SendableMetatype {
    distinctUntilChanged(comparing: { $0 == $1 })
  }
}
