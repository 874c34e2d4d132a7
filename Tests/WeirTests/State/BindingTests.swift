// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// One-way bindings.
struct BindingTests {
  /// The target of the bindings in these tests.
  private class Label: @unchecked Sendable {  // used on one thread at a time
    var text = "" {
      didSet { whenSet() }
    }
    var note: String?
    var whenSet: () -> Void = {}
  }

  private final class Owner: Label, HasLifetime, @unchecked Sendable {
    let lifetime = Lifetime()
    deinit { lifetime.end() }
  }

  private let texts = Subject<String, Never>()

  @Test(
    "P1: a binding sets a property to each value; after completion the last value stays and it can be bound again"
  )
  func sets() {
    let label = Label()
    let first = texts.bind(to: label, \.text)
    #expect(label.text == "")
    texts.send("a")
    #expect(label.text == "a")
    texts.send("b")
    texts.complete()
    #expect(label.text == "b" && first.isDisposed)
    let second = Signal<String, Never>(["c", "d"]).bind(to: label, \.text)
    #expect(label.text == "d" && second.isDisposed)
  }

  @Test("P1: nil sets a property to its nilValue; an optional property is set to nil")
  func nilValue() {
    let (label, names) = (Label(), Subject<String?, Never>())
    names.bind(to: label, \.text, nilValue: "nobody")
    names.bind(to: label, \.note)
    names.send("x")
    #expect(label.text == "x" && label.note == "x")
    names.send(nil)
    #expect(label.text == "nobody" && label.note == nil)
  }

  @Test("P1: a disposed binding no longer sets the property, which can be bound again")
  func disposal() {
    let label = Label()
    let binding = texts.bind(to: label, \.text)
    binding.dispose()
    texts.send("late")
    #expect(label.text == "")
    // Its signal lets go at once, so this one does not count either.
    Signal.never().bind(to: label, \.text)
    BindingTarget(label, \.text) <~ texts
    texts.send("new")
    #expect(label.text == "new")
  }

  @Test(
    "P2: a binding does not retain its target, and ends with the first value after the target is deallocated")
  func death() {
    weak var gone: Label?
    let binding: Subscription
    do {
      let label = Label()
      gone = label
      binding = texts.bind(to: label, \.text)
    }
    #expect(gone == nil)
    texts.send("late")
    #expect(binding.isDisposed)
  }

  @Test(
    "P2: a binding to an object with a lifetime ends when the object is deallocated, without waiting for a value"
  )
  func lifetime() {
    weak var gone: Owner?
    let binding: Subscription
    do {
      let owner = Owner()
      gone = owner
      binding = texts.bind(to: owner, \.text)
      texts.send("x")
      #expect(owner.text == "x" && !binding.isDisposed)
    }
    #expect(gone == nil && binding.isDisposed)
  }

  @Test("P2: the target stays alive while it is being set, even if its last owner releases it meanwhile")
  func aliveDuringSet() {
    weak var gone: Label?
    let (owner, seen) = (Box<Label?>(nil), Counter())
    do {
      let label = Label()
      gone = label
      owner.value = label
      label.whenSet = { [unowned label] in
        owner.value = nil
        if label.text == "x" { seen.add() }
      }
    }
    texts.bind(to: BindingTarget(owner.value!, \.text))
    texts.send("x")
    #expect(seen.value == 1 && gone == nil)
  }

  @Test("P4: binding to an object that is deallocated or whose lifetime has ended does not run the signal")
  func afterDeath() {
    let (owner, runs) = (Owner(), Counter())
    owner.lifetime.end()
    let binding = Signal<String, Never>.just("x").initially { runs.add() }.bind(to: owner, \.text)
    #expect(binding.isDisposed && runs.value == 0 && owner.text == "")
    let target = BindingTarget(Label(), \.text)
    #expect((target <~ Signal.just("x").initially { runs.add() }).isDisposed && runs.value == 0)
  }

  @Test("a closure as a target receives values until its lifetime ends")
  func closure() {
    let (lifetime, taken) = (Lifetime(), Box<[String]>([]))
    let target = BindingTarget<String>(during: lifetime) { taken.value.append($0) }
    let bindings = [target <~ texts, target <~ texts.map { $0 + $0 }]
    texts.send("a")
    lifetime.end()
    texts.send("b")
    #expect(taken.value == ["a", "aa"] && bindings.allSatisfy(\.isDisposed))
  }

  @Test("a binding releases its signal and target when it ends, even if the binding itself is retained")
  func release() {
    let resources = Resources()
    let lifetime = Lifetime()
    let target = Box<BindingTarget<String>?>(
      BindingTarget(during: lifetime) { [token = resources.make()] _ in _ = token })
    let binding = texts.map { [token = resources.make()] in
      _ = token
      return $0
    }.bind(to: target.value!)
    target.value = nil
    #expect(resources.alive == 2)
    lifetime.end()
    #expect(resources.alive == 0 && binding.isDisposed)
  }

  @Test("an endless synchronous signal stops when the lifetime of its target ends")
  func endless() {
    let owner = Owner()
    owner.whenSet = { [unowned owner] in if owner.text.count == 3 { owner.lifetime.end() } }
    Signal<String, Never>.repeatElement("x").scan("", +).bind(to: owner, \.text)
    #expect(owner.text == "xxx")
  }

  #if DEBUG
  /// Swift knows the names of stored properties that cannot be overridden, and of no others.
  private final class Field: @unchecked Sendable {  // used on one thread
    var text = ""
  }

  @Test(
    "P1: a second active binding to a property traps with a message that names object, property and remedy")
  func twice() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (field, texts) = (Field(), Subject<String, Never>())
      texts.bind(to: field, \.text)
      texts.bind(to: field, \.text)
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("bind(to:): Field at \\Field.text is bound already"), "\(text)")
    #expect(text.contains("dispose the first binding"))
  }
  #endif

  @Test(
    "P1: many objects and properties can be bound at once, also after objects bound earlier were deallocated")
  func many() {
    for _ in 0..<10 {
      let labels = (0..<100).map { _ in Label() }
      for label in labels {
        texts.bind(to: label, \.text)
        texts.map { $0 }.bind(to: label, \.note)
      }
      texts.send("x")
      #expect(labels.allSatisfy { $0.text == "x" && $0.note == "x" })
    }
  }
}
