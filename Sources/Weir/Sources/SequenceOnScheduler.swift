// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Signal where Value: Sendable {
  /// A signal that sends the elements of a sequence on a scheduler, one in each round, and completes in the
  /// round after the last one.
  ///
  /// The scheduler gets control between two elements: other work queued there, such as another signal of this
  /// kind, can run. The signal stops when the subscription ends, without asking for another element: the
  /// sequence may be infinite. No two rounds overlap, also on a scheduler that is not serial. Buffers
  /// nothing; costs one work item per element.
  ///
  /// - Parameters:
  ///   - elements: what to send. Iterated again for each subscription, on the scheduler.
  ///   - scheduler: where the elements are sent. If it is shut down meanwhile, the rounds go on until its
  ///     deadline; then the run ends without an event.
  ///
  /// ReactiveObjC: `-[RACSequence signalWithScheduler:]`.
  @inlinable
  public init<Elements: Sequence & Sendable>(
    _ elements: Elements, on scheduler: some Scheduler
  ) where Elements.Element == Value {
    self.init(attaching: { sink, _ in
      let stage: Sink<Value, Failure> = sink.stage(terminated: sink.terminate)
      let next = stage.next
      let iterator = OperatorState<Elements.Iterator?>(nil)
      let rounds = scheduler.scheduleRecursive { again in
        // A scheduler that runs its work at once gets here before the rounds are added to the subscription.
        // And disposal may be under way, and not have come to the stage yet.
        if stage.isEnded || sink.isEnded { return }
        if iterator.value == nil { iterator.value = elements.makeIterator() }
        guard let element = iterator.value?.next() else { return stage.terminate(.completed) }
        next(element)
        if !stage.isEnded, !sink.isEnded { again() }
      }
      stage.subscription.add(rounds)
    })
  }
}
