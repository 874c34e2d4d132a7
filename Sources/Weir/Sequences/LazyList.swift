// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A list whose elements are evaluated once, when somebody asks for them, and are remembered.
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
/// **It is a `Sequence`**, with operators that return lists where those of the standard library return
/// arrays; `Array(list)` evaluates everything. What every `Sequence` has is not declared again: `contains`,
/// `contains(where:)`, `allSatisfy` and `first(where:)`, which stop as soon as they can, and `reduce`, which
/// is the fold from the left. A stored function that is not `@Sendable` cannot be kept for later, and one
/// that throws cannot throw later: given such a function, `map`, `filter`, `compactMap` and `prefix(while:)`
/// are those of the standard library, which evaluate the whole list at once and return an array; for an
/// infinite list they never return. The same happens where an array is wanted.
///
/// **What is retained.** A list retains what was evaluated of it, as long as somebody holds the list. An
/// iterator retains only what it has not passed, so `for element in makeList()` needs constant memory, where
/// `let list = makeList()` before it retains everything. A signal made of a list retains the list. A closure
/// is released as soon as its result is known. Lists of any length are released in a loop.
///
/// **Threads.** A list may be used from any number of threads, and none waits for another. Two that ask for
/// the same element at the same time may both call the closure for it; both get the same one of the two
/// results. So a closure should be a pure function of what it is given. A closure that asks for the very
/// element that it makes recurses without end, and a list that is captured by a closure stored in one of its
/// own elements is a retain cycle.
///
/// **Cost.** Each operator makes three allocations for an element, some 170 nanoseconds; ``concat(_:)`` five,
/// for the elements of the first list; operators whose elements are evaluated separately, such as
/// ``map(_:)``, six, some 400 nanoseconds. Reaching an element that is already evaluated takes 30 to 45, and
/// a few more for each thousand elements that were passed over before it. If all elements are needed anyway,
/// use an array.
///
/// ReactiveObjC: `RACSequence`.
@frozen
public struct LazyList<Element: Sendable>: Sequence, Sendable {
  @usableFromInline let memo: Memo<LazyPlace<Element>>

  @inlinable
  init(place: @escaping @Sendable () -> LazyPlace<Element>) { memo = Memo(place) }

  @inlinable
  init(known place: LazyPlace<Element>) { memo = Memo(known: place) }

  /// Whether there are no elements. Evaluates no more than that takes.
  @inlinable public var isEmpty: Bool { node == nil }

  /// The first element, evaluated now if it was not before; nil if there is none.
  ///
  /// ReactiveObjC: `head`.
  @inlinable public var head: Element? { node?.head.value }

  /// The list without its first element, which is not evaluated. The tail of an empty list is empty.
  ///
  /// Does not evaluate whether the tail has elements. ReactiveObjC: `tail`, which is nil for an empty list.
  @inlinable public var tail: LazyList { node?.rest ?? self }

  /// An iterator that evaluates each element when it reaches it, and retains only those to come.
  ///
  /// ReactiveObjC: `-objectEnumerator` and `NSFastEnumeration`.
  @inlinable public func makeIterator() -> Iterator { Iterator(rest: self) }

  /// Iterates over a ``LazyList``.
  @frozen
  public struct Iterator: IteratorProtocol, Sendable {
    @usableFromInline var rest: LazyList
    @inlinable init(rest: LazyList) { self.rest = rest }

    /// The next element, evaluated now if it was not before.
    @inlinable public mutating func next() -> Element? { rest.popHead()?.value }
  }
}
