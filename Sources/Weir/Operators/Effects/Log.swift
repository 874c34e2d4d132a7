// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The destination of the lines of ``SignalConvertible/log(_:to:)``. ReactiveObjC has none.
public struct LogSink: Sendable {
  /// Takes one line, without a line break at its end. Called on the threads on which the signals send, by
  /// several at a time.
  public let write: @Sendable (_ line: String) -> Void

  /// A sink that passes its lines to a closure, which is called by several threads at a time.
  public init(write: @escaping @Sendable (_ line: String) -> Void) { self.write = write }

  /// Prints each line to standard output. The stream has a lock, for which a thread may have to wait: use
  /// this for debugging, not in production. In a pipe or a file the stream is buffered, and the last lines
  /// before a crash are lost: start the program with `stdbuf -oL`.
  public static let standardOutput = LogSink { print($0) }
}

extension SignalConvertible {
  /// Writes a line for everything that happens in each run: `subscribed`, `next` with the value, `completed`,
  /// `failed` with the error, and `disposed` when the run has ended, with or without a terminal event.
  ///
  /// A line looks like `orders: next 3`, and is written before the event is forwarded; for the order see
  /// ``on(subscribed:disposed:)``. Events pass through, on the thread that sends them; each costs the
  /// creation of a string. Buffers nothing.
  ///
  /// - Parameters:
  ///   - name: what each line starts with; by default the name that ``named(_:)`` gave the run, or else
  ///     `signal`.
  ///   - log: the sink that takes the lines.
  ///
  /// ReactiveObjC: `-logAll`. For `-logNext` and the like, see ``doNext(_:)``, ``doFailed(_:)`` and
  /// ``doCompleted(_:)``.
  public func log(_ name: String? = nil, to log: LogSink = .standardOutput) -> Signal<Value, Failure> {
    let signal = self.signal
    return Signal(signal.timing) { sink, _ in
      let name = name ?? sink.subscription.name ?? "signal"
      signal
        .on(
          subscribed: { log.write("\(name): subscribed") },
          disposed: { log.write("\(name): disposed") }
        )
        .doNext { log.write("\(name): next \($0)") }
        .onTermination { completion in
          switch completion {
          case .completed: log.write("\(name): completed")
          case .failed(let error): log.write("\(name): failed \(error)")
          }
        }
        .attach(sink)
    }
  }
}
