// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir
import WeirTesting

extension DepthTests {
  /// An object that ends a run of its own when it is deallocated.
  enum Owner: String, CaseIterable, Codable {
    case property, control, command, lifetime, channel, propertyTerminal, sharedSignal
    // Those whose source is released, or which read buffered values.
    case using, concat, awaitedValues, awaitedEnd, iterator, waitingValue
    // Those which have something in a value that is replayed, or in a closure that was never called.
    case history, currentValue, channelValue, output, sharedHistory, unconnected, action

    /// One of them, and a function that has something else retained until it is deallocated.
    struct Link {
      let object: any AnyObject & Sendable
      let keep: (any AnyObject & Sendable, Counter) -> Void
    }

    private static let shared = MutableProperty(0)
    private static let scheduler = VirtualScheduler()
    private static let silent = Subject<Int, Never>()
    private static let iterators = Box<[AsyncValues<Int, Never>.Iterator]>([])
    private static let stage = TaskStage()

    /// Fewer of those that are made of many parts.
    var rounds: Int {
      switch self {
      case .control, .command, .sharedSignal, .awaitedEnd, .waitingValue, .output: roundsOfEach / 4
      default: roundsOfEach
      }
    }

    func make() -> Link {
      switch self {
      case .property:
        let property = MutableProperty(0)
        return Link(object: property) { Self.keep($0, until: property.signal, $1) }
      case .control:
        let control = ControlProperty(0)
        return Link(object: control) { Self.keep($0, until: control.makeTerminal(), $1) }
      case .command:
        let command = Command { (input: Int) in Signal<Int, Never>.just(input) }
        return Link(object: command) { Self.keep($0, until: command.enabled, $1) }
      case .lifetime:
        let lifetime = Lifetime()
        return Link(object: lifetime) { Self.keep($0, until: lifetime.ended, $1) }
      case .channel: return Self.link(to: TwoWayChannel<Int, Never>().leading)
      case .propertyTerminal: return Self.link(to: Self.shared.makeTerminal())
      case .sharedSignal: return Self.link { Box(Self.sharedSignal(calling: $0)) }
      case .using, .concat, .awaitedValues, .awaitedEnd: return Self.sourceLink(listening: listen)
      case .iterator:
        return Self.link { ended in Box(Self.silent.on(disposed: ended).values().makeAsyncIterator()) }
      case .waitingValue:
        return Self.link { ended in
          let subject = Subject<Parting, Never>()
          let iterator = subject.values().makeAsyncIterator()
          subject.send(Parting(ended))
          return Box(iterator)
        }
      case .history:
        return Self.link { ended in
          let subject = ReplaySubject<Parting, Never>(capacity: 2)
          subject.send(Parting(ended))
          return subject
        }
      case .currentValue: return Self.link { CurrentValue<Parting, Never>(Parting($0)) }
      case .channelValue:
        return Self.link { ended in
          let channel = TwoWayChannel<Parting, Never>()
          channel.leading.send(Parting(ended))
          return channel.following
        }
      case .output:
        let command = Command { (input: Parting) in Signal<Parting, Never>.just(input) }
        return Self.link { Box(command.execute(Parting($0))) }
      case .sharedHistory:
        return Self.link { ended in
          let source = Subject<Parting, Never>()
          let signal = source.share(replay: 1, lifetime: .forever)
          let reading = signal.subscribe()
          source.send(Parting(ended))
          reading.dispose()
          return Box(signal)
        }
      case .unconnected:
        return Self.link { ended in
          let parting = Parting(ended)
          return Self.silent.doNext { _ in withExtendedLifetime(parting) {} }.publish()
        }
      case .action:
        return Self.link { ended in
          let parting = Parting(ended)
          return ActionDisposable { withExtendedLifetime(parting) {} }
        }
      }
    }

    /// Subscribes to `source`, and calls `ended` when the run has ended.
    private func listen(to source: Signal<Int, Never>, _ ended: @escaping @Sendable () -> Void) {
      switch self {
      case .using:
        Signal<Int, Never>.using(resource: { ActionDisposable(ended) }, signal: { _ in source }).subscribe()
      case .concat: source.concat(Signal<Int, Never>.empty()).on(disposed: ended).subscribe()
      case .awaitedValues:
        Self.iterators.value.append(source.on(disposed: ended).values().makeAsyncIterator())
      default: Self.stage.start { await source.on(disposed: ended).completion() }
      }
    }
  }
}

extension DepthTests.Owner {
  private typealias End = @Sendable () -> Void

  private static func keep<Value>(
    _ object: any AnyObject & Sendable, until signal: some SignalConvertible<Value, Never>, _ ends: Counter
  ) {
    signal.on(disposed: { ends.add() }).subscribe(completed: { _ = object })
  }

  private static func link(to terminal: ChannelTerminal<Int, Never>) -> Link {
    Link(object: terminal) { object, ends in
      let feeding = Subscription()
      feeding.add(
        ActionDisposable {
          _ = object
          ends.add()
        })
      terminal.adopt(feeding)
    }
  }

  /// One in its grace period, which calls `ended` when its source is cleaned up.
  private static func sharedSignal(calling ended: @escaping End) -> Signal<Int, Never> {
    let signal = silent.on(disposed: ended).share(disconnecting: .after(.seconds(1), on: scheduler))
    signal.subscribe().dispose()
    return signal
  }

  /// `make` receives a closure that releases what is retained; it is to be called at the end.
  private static func link(_ make: (@escaping End) -> any AnyObject & Sendable) -> Link {
    let kept = Box<(object: any AnyObject & Sendable, ends: Counter)?>(nil)
    let object = make {
      kept.value?.ends.add()
      kept.value = nil
    }
    return Link(object: object) { kept.value = ($0, $1) }
  }

  /// The object is all that retains a source.
  private static func sourceLink(listening listen: (Signal<Int, Never>, @escaping End) -> Void) -> Link {
    link { ended in
      let held = Box<Sink<Int, Never>?>(nil)
      listen(.attaching { held.value = $0 }, ended)
      return Parting { held.value = nil }
    }
  }
}
