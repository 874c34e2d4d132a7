// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Weir

extension Stress.Orders {
  /// A memo whose closure reads memory that is touched when the closure is released.
  private final class Asked: Sendable {
    let memo: Memo<Parcel>

    init() {
      let place = Unguarded()
      let last = LastTouch(place)
      memo = Memo {
        withExtendedLifetime(last) {
          _ = place.touches
          return Parcel()
        }
      }
    }

    func ask() { _ = memo.value.content.touches }
    func look() { _ = memo.remembered?.content.touches }
  }

  @Test("the value of a memo is read whole, and its closure is released after its last use")
  func memo() {
    expectOrdered(setup: { Asked() }, [{ it in it.ask() }, { it in it.look() }])
    expectOrdered(setup: { Asked() }, { it in it.ask() }, by: { it in it.ask() }, then: { it in it.ask() })
  }
}
