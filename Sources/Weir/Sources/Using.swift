// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// A signal with a resource that lives as long as its run: a file, a connection, a lease.
  ///
  /// Once per subscription, on the subscribing thread, `resource` makes the resource, and `signal` makes the
  /// signal that uses it, whose events are forwarded. The resource is disposed exactly once, on the thread
  /// that ends the run, however the run ends. The order: the clean-up of the signal that used it, then the
  /// resource, and then the subscriber gets the terminal event, if there is one; operators downstream in the
  /// same run, such as ``SignalConvertible/finally(_:)``, still find the resource open. (If that signal is
  /// one of ``create(_:)`` and ends before its closure has returned, what the closure returns is disposed at
  /// that time, which is after the resource.)
  ///
  /// If `resource` throws, the signal fails and there is nothing to dispose; if `signal` throws, the resource
  /// is disposed as above. If the subscription has ended by then, the signal is not run. Buffers nothing.
  /// ReactiveObjC has no such source.
  ///
  /// Nothing waits for what the disposal of the resource starts. For an end that takes time, such as that of
  /// a transaction, see "Commit, or roll back, however it ends" in <doc:Recipes>.
  ///
  /// - Parameters:
  ///   - resource: makes what is disposed at the end.
  ///   - signal: the signal to run with it.
  @inlinable
  public static func using<Resource: Disposable>(
    resource: @escaping @Sendable () throws(Failure) -> Resource,
    signal: @escaping @Sendable (Resource) throws(Failure) -> Signal
  ) -> Signal {
    Signal(attaching: { sink, _ in
      let made: Resource
      do throws(Failure) { made = try resource() } catch { return sink.fail(thrown: error) }
      // In this order, because what is added first is disposed first.
      let stage = sink.stage(terminated: sink.terminate)
      sink.subscription.add(made)
      if sink.isEnded { return }
      do throws(Failure) {
        let signal = try signal(made)
        if !sink.isEnded { signal.attach(stage) }
      } catch {
        if sink.isEnded { sink.subscription.report(error) } else { stage.terminate(.failed(error)) }
      }
    })
  }
}
