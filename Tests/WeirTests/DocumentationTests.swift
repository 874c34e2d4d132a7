// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// The examples of README.md and Weir.docc, so that they compile and do what they say.
struct DocumentationTests {
  struct Order: Sendable {
    var symbol: String
    var amount: Int
  }

  @Test("the example of the README")
  func readme() {
    let printed = Box<[String]>([])
    let orders = Subject<Order, Never>()
    let subscription =
      orders
      .filter { $0.amount > 100 }
      .map(\.symbol)
      .subscribe { printed.value.append($0) }

    orders.send(Order(symbol: "SMALL", amount: 1))
    orders.send(Order(symbol: "LARGE", amount: 101))
    orders.complete()
    subscription.dispose()
    #expect(printed.value == ["LARGE"])
    #expect(subscription.isDisposed)
  }

  @Test("the example of the resource counter")
  func resources() {
    let subject = Subject<Int, Never>()
    let resources = Resources()
    let subscription = subject.subscribe { [token = resources.make()] _ in _ = token }
    #expect(resources.alive == 1)
    subscription.dispose()
    #expect(resources.alive == 0)
  }
}
