// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir

/// What Recipes.md says of a connection that follows the settings.
struct AddressRecipeTests {
  private let recipes = Recipes()

  @Test("only a change of the address opens a new connection, and it ends the previous one")
  func lines() {
    let settings = MutableProperty(Recipes.Settings(address: "a"))
    let log = Box<[String]>([])
    let connections = Box<[Subject<String, Never>]>([])
    let lines = recipes.lines(of: settings) { address in
      connections.value.append(Subject())
      return connections.value[connections.value.count - 1].startWith(address)
        .on(disposed: { log.value.append("left \(address)") })
    }
    let subscription = lines.subscribe { log.value.append($0) }
    settings.modify { $0.isVerbose = true }
    settings.modify { $0.address = "b" }
    connections.value[1].send("line")
    #expect(log.value == ["a", "left a", "b", "line"])
    subscription.dispose()
    #expect(log.value.last == "left b")
  }
}
