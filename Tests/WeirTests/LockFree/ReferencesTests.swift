// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import WeirTesting

/// The functions of the shim that count references without atomic operations.
struct ReferencesTests {
  private struct Weak { weak var object: Resources.Resource? }

  private let resources = Resources()

  /// A reference that nothing else owns.
  private func given(_ object: Resources.Resource) -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(object).toOpaque()
  }

  @Test("what nobody else refers to is gone when it is released")
  func alone() {
    weir_release_context(given(resources.make()))
    #expect(resources.alive == 0)
  }

  @Test("an object that has other references stays when it is released, until these are gone")
  func shared() {
    do {
      let object = resources.make()
      weir_release_context(given(object))
      #expect(resources.alive == 1)
      withExtendedLifetime(object) {}
    }
    #expect(resources.alive == 0)
  }

  @Test("an object with unowned or weak references is gone with its last strong one")
  func referred() {
    let (first, second) = (given(resources.make()), given(resources.make()))
    weir_unowned_retain(first)
    let weakly = Weak(object: Unmanaged<Resources.Resource>.fromOpaque(second).takeUnretainedValue())
    #expect(weakly.object != nil)
    weir_release_context(first)
    weir_release_context(second)
    #expect(resources.alive == 0)
    #expect(weakly.object == nil)
    #expect(weir_try_retain(first) == nil)
    weir_unowned_release(first)
  }

  @Test("a closure that keeps nothing has nothing to release")
  func nothing() { weir_release_context(nil) }

  /// Otherwise each release would be an atomic operation, and nothing else would tell.
  @Test("the runtime counts the references of a new object as the shim expects")
  func new() {
    let object = given(resources.make())
    #expect(weir_load_relaxed_u64((object + 8).assumingMemoryBound(to: UInt64.self)) == 3)
    weir_release_context(object)
  }
}
