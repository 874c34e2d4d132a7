// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A list whose elements are evaluated when somebody asks for them, once, and are remembered.
///
/// Three things are evaluated independently of each other: whether there is a first element (``isEmpty``),
/// that element (``head``), and the rest (``tail``), which is a list again. An operator evaluates nothing
/// when it is called. So a list may be infinite, or each of its elements expensive:
///
/// ```swift
/// let squares = LazyList.generate(1, while: { _ in true }, next: { $0 + 1 }, result: { $0 * $0 })
/// let odd = squares.filter { $0 % 2 == 1 }
/// print(Array(odd.take(first: 3)))   // [1, 9, 25]; nothing beyond the 25 was computed
/// ```
///
/// **A list is a value.** A copy is the same list: what is evaluated through one is known to the other. Two
/// lists are equal if their elements are.
///
/// **It is a `Sequence`**, with operators that answer lists where those of the standard library answer
/// arrays; `Array(list)` evaluates everything. What a sequence has by itself is not here again: `contains`,
/// `contains(where:)`, `allSatisfy` and `first(where:)`, which stop as soon as they can, and `reduce`, which
/// is the fold from the left.
///
/// **What is kept.** A list keeps what was evaluated of it, as long as somebody has the list. An iterator has
/// only what it has not passed, so `for element in makeList()` needs constant memory, where
/// `let list = makeList()` before it keeps everything. A signal made of a list keeps the list. A closure is
/// released as soon as its result is there. Lists of any length are released in a loop.
///
/// **Threads.** A list may be used from any number of them, and nobody waits for another. Two that ask for
/// the same element at the same time may both call the closure for it; one result is taken, for both. So
/// closures should be functions of what they are given. A closure that asks for the very element that it
/// makes is a recursion without end, and a list that is captured by a closure which is kept in one of its own
/// elements keeps itself.
///
/// **Cost.** Three allocations for an element in each operator that it passes, some 170 nanoseconds; five in
/// ``concat(_:)``, for those of the first list; six where it waits by itself, as in ``map(_:)``, some 400. To
/// come to an element that is there takes 30 to 45, and a few more for each thousand that were passed over
/// before it. What is wanted in whole anyway is better off in an array.
///
/// ReactiveObjC: `RACSequence`.
@frozen
public struct LazyList<Element: Sendable>: Sequence, Sendable {
  @usableFromInline let memo: Memo<LazyPlace<Element>>

  @inlinable
  init(place: @escaping @Sendable () -> LazyPlace<Element>) { memo = Memo(place) }

  @inlinable
  init(known place: LazyPlace<Element>) { memo = Memo(known: place) }

  /// Whether there are no elements. Evaluates that, and no element.
  @inlinable public var isEmpty: Bool { node == nil }

  /// The first element, evaluated now if it was not before; nil if there is none.
  ///
  /// ReactiveObjC: `head`.
  @inlinable public var head: Element? { node?.head.value }

  /// The list without its first element, which is not evaluated. That of an empty list is empty.
  ///
  /// Whether the tail has elements is not asked. ReactiveObjC: `tail`, which is nil for an empty list.
  @inlinable public var tail: LazyList { node?.rest ?? self }

  /// Goes through the elements, evaluates each when it comes to it, and keeps only those to come.
  ///
  /// ReactiveObjC: `-objectEnumerator` and `NSFastEnumeration`.
  @inlinable public func makeIterator() -> Iterator { Iterator(rest: self) }

  /// The way through a ``LazyList``.
  @frozen
  public struct Iterator: IteratorProtocol, Sendable {
    @usableFromInline var rest: LazyList
    @inlinable init(rest: LazyList) { self.rest = rest }

    /// The next element, evaluated now if it was not before.
    @inlinable public mutating func next() -> Element? { rest.popHead()?.value }
  }
}
