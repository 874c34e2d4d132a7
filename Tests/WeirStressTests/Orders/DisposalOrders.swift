// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Weir

/// Something to dispose, which touches itself.
private func disposable() -> ActionDisposable {
  let plain = Unguarded()
  return ActionDisposable { plain.touch() }
}

extension Stress.Orders {
  /// A set in which there is something, and room.
  private final class CompoundSet: Sendable {
    let compound = CompoundDisposable([disposable()])
    let entry: CompoundDisposable.Entry
    init() { entry = compound.add(disposable()) }
  }

  @Test("a disposable added to a set is seen whole by the thread that disposes or releases it")
  func compound() {
    expectOrdered(
      setup: { CompoundSet() },
      [
        { it in it.compound.add(disposable()) },
        { it in it.entry.remove() },
        { it in for _ in 0..<40 { it.compound.add(disposable()).remove() } },
        { it in it.compound.dispose() },
      ])
  }

  @Test("a disposable put into a serial disposable is seen whole by the thread that disposes or releases it")
  func serial() {
    expectOrdered(
      setup: { SerialDisposable(disposable()) },
      [
        { it in it.swap(disposable())?.dispose() },
        { it in it.swap(disposable()) },
        { it in _ = it.disposable?.isDisposed },
        { it in it.dispose() },
      ])
  }

  /// The upstreams of a source, if it has any.
  private final class Source: Sendable {
    let list = SubscriberList(destroyPayload: { _ in })
    deinit { list.endAll() }

    func adopt() {
      let child = Subscription()
      child.add(disposable())
      list.adopt(child)
    }
  }

  @Test("an upstream of a source is seen whole by a thread that disposes it or adds another upstream")
  func upstreams() {
    expectOrdered(
      setup: { Source() },
      [
        { it in it.adopt() },
        { it in for _ in 0..<3 { it.adopt() } },
        { it in it.list.endUpstreams() },
      ])
  }

  /// A slot whose stock of references is about to be renewed, and weak references to what was in it.
  private final class Stocked: @unchecked Sendable {
    // Unchecked: written by one of two threads, read when both are through.
    let slot = SerialDisposable()
    weak var first: ActionDisposable?
    weak var second: ActionDisposable?

    init() {
      let disposable = disposable()
      first = disposable
      slot.swap(disposable)
      read(Int(ReferenceSlot.stock / 2) - 1)
    }

    func read(_ count: Int) { for _ in 0..<count { _ = slot.disposable } }

    func replace() {
      let disposable = disposable()
      second = disposable
      slot.swap(disposable)
      read(Int(ReferenceSlot.stock / 2))
    }
  }

  @Test(
    "a disposable that is replaced while its slot is read, and the one that replaces it, are both deallocated"
  )
  func stock() {
    expectOrdered(
      setup: { Stocked() }, { it in it.read(2) }, by: { it in it.replace() },
      check: { it in
        it.slot.swap(nil)
        return it.first == nil && it.second == nil ? nil : "something is still there"
      })
  }

  private final class Parent: Sendable {
    let (parent, child) = (Subscription(), Subscription())

    init() {
      parent.adopt(child)
      child.add(disposable())
    }
  }

  @Test("a disposable of a child subscription is seen whole by the thread that disposes the parent")
  func child() {
    expectOrdered(
      setup: { Parent() },
      [
        { it in it.child.add(disposable()) },
        { it in it.child.dispose() },
        { it in it.parent.dispose() },
        { it in
          let other = Subscription()
          it.parent.adopt(other)
          other.add(disposable())
        },
      ])
  }

  private final class Action: Sendable {
    let plain = Unguarded()
    let action: ActionDisposable
    init() {
      action = ActionDisposable { [plain, last = LastTouch(plain)] in
        withExtendedLifetime(last) { plain.touch() }
      }
    }
  }

  @Test("an action runs once, and is released after it has run")
  func action() {
    expectOrdered(
      setup: { Action() },
      [
        { it in it.action.dispose() },
        { it in if it.action.isDisposed { it.action.dispose() } },
      ],
      check: { it in
        // By its run and by its release.
        let expected = it.action.isDisposed ? 2 : 0
        return it.plain.touches == expected ? nil : "touched \(it.plain.touches) times"
      })
  }

  @Test("a handler of unhandled errors is seen whole and released after its last report")
  func unhandledErrors() {
    struct Oops: Error {}
    expectOrdered(
      setup: { UnhandledErrors.setHandler { _ in } },
      [
        { _ in UnhandledErrors.report(Oops()) },
        { _ in
          let letter = LastTouch(Unguarded())
          UnhandledErrors.setHandler { _ in withExtendedLifetime(letter) {} }
        },
        { _ in UnhandledErrors.setHandler(UnhandledErrors.printOncePerSite) },
      ])
    UnhandledErrors.setHandler(UnhandledErrors.printOncePerSite)
  }
}
