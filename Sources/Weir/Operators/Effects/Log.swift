// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Where ``SignalConvertible/log(_:to:)`` writes its lines. ReactiveObjC has none.
public struct LogSink: Sendable {
  /// Takes one line, without a line break at its end. Called from the threads on which the signals send,
  /// several at a time.
  public let write: @Sendable (_ line: String) -> Void

  /// A sink that hands its lines to a closure, which is called from several threads at a time.
  public init(write: @escaping @Sendable (_ line: String) -> Void) { self.write = write }

  /// Prints each line to standard output. The stream has a lock of its own, for which a thread may wait; so
  /// this is for looking at a program, not for its everyday work.
  public static let standardOutput = LogSink { print($0) }
}

extension SignalConvertible {
  /// Writes a line for whatever happens in each run: `subscribed`, `next` with the value, `completed`,
  /// `failed` with the error, and `disposed` when the run has ended, with or without a terminal event.
  ///
  /// A line looks like `orders: next 3`, and is written before the event is passed on; for the order see
  /// ``on(subscribed:disposed:)``. Events pass through, on the thread on which they come; each costs the
  /// making of a string. Buffers nothing.
  ///
  /// ReactiveObjC: `-logAll`. For `-logNext` and its like, see ``doNext(_:)``, ``doFailed(_:)`` and
  /// ``doCompleted(_:)``.
  ///
  /// - Parameters:
  ///   - name: what each line begins with; without it, the name that ``named(_:)`` gave the run, or else
  ///     `signal`.
  ///   - log: where the lines go.
  public func log(_ name: String? = nil, to log: LogSink = .standardOutput) -> Signal<Value, Failure> {
    let signal = self.signal
    return Signal(signal.timing) { sink in
      let name = name ?? sink.subscription.name ?? "signal"
      signal
        .on(
          subscribed: { log.write("\(name): subscribed") },
          disposed: { log.write("\(name): disposed") }
        )
        .doNext { log.write("\(name): next \($0)") }
        .onTermination { completion in
          switch completion {
          case .finished: log.write("\(name): completed")
          case .failed(let error): log.write("\(name): failed \(error)")
          }
        }
        .attach(sink)
    }
  }
}
