// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// A property with one observer that has received the first value. The value is a register. The observer lags
/// behind it: it receives some value that was set since the one it received last, and finally the last one.
private struct PropertyModel: SequentialModel {
  enum Step: Sendable {
    case read(Int)
    case set(Int, insteadOf: Int)
    case added(Int, to: Int)
    case observed(Int)
    /// All setters have returned.
    case over
  }
  var value = 0
  /// What was set and may still be observed.
  var unseen: [Int] = []

  func states(after step: Step) -> [PropertyModel] {
    switch step {
    case .read(let answer): answer == value ? [self] : []
    case .set(let new, let old): old == value ? [PropertyModel(value: new, unseen: unseen + [new])] : []
    case .added(let amount, let old):
      old == value ? [PropertyModel(value: old + amount, unseen: unseen + [old + amount])] : []
    case .observed(let answer):
      unseen.firstIndex(of: answer).map { [PropertyModel(value: value, unseen: Array(unseen[($0 + 1)...]))] }
        ?? []
    case .over: unseen.isEmpty ? [self] : []
    }
  }
}

extension Stress.Histories {
  @Suite struct Properties {
    private final class Observed<Value: Sendable>: Sendable {
      let property: MutableProperty<Value>
      init(
        _ value: Value, _ recorder: HistoryRecorder<PropertyModel.Step>,
        unwrap: @escaping @Sendable (Value) -> Int
      ) {
        property = MutableProperty(value)
        property.signal.subscribe { value in
          if unwrap(value) != 0 { recorder.record(on: 3) { .observed(unwrap(value)) } }
        }
      }
    }

    private func expectProperty<Value: Sendable>(
      wrap: @escaping @Sendable (Int) -> Value, unwrap: @escaping @Sendable (Value) -> Int
    ) {
      expectLinearizable(
        PropertyModel(), make: { Observed(wrap(0), $0, unwrap: unwrap) },
        act: { actor, index in
          let (property, new) = (actor.object.property, actor.fresh(index))
          switch actor.choose(below: 4) {
          case 0: actor.record { .set(new, insteadOf: unwrap(property.swap(wrap(new)))) }
          case 1:
            let amount = 100 * new
            actor.record {
              let old = property.modify { value in
                let old = unwrap(value)
                value = wrap(old + amount)
                return old
              }
              return .added(amount, to: old)
            }
          default: actor.record { .read(unwrap(property.value)) }
          }
        },
        finish: { observed, recorder in
          recorder.record(on: 3) { .read(unwrap(observed.property.value)) }
          recorder.record(on: 3) { .over }
        })
    }

    @Test(
      "a property of values in a word is a linearizable register; its observer gets values in order and the last one"
    )
    func word() { expectProperty(wrap: { $0 }, unwrap: { $0 }) }

    @Test(
      "a property of values in a block is a linearizable register; its observer gets values in order and the last one"
    )
    func block() { expectProperty(wrap: { [$0, $0] }, unwrap: { $0[0] }) }
  }
}
