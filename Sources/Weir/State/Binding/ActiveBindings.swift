// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Active bindings
//
// Guarantees: in debug builds, a second one-way binding to one property of one object stops the process, and
// so does a two-way binding that closes a circle, whatever threads they are made on. A binding that has
// ended, or whose object has been deallocated, does not count; nor does another object at the same address.
//
// There is one table per process, in a pinned cell: a change copies a row, with the entries of its object,
// and replaces the whole table. An entry refers weakly to its objects and binding, so nothing needs to be
// taken out: entries that are no longer active are dropped when their row has doubled. In release builds
// there is no table.

/// The bindings that are active at the moment.
@usableFromInline
enum ActiveBindings {
  #if DEBUG
  // More blocks than a few threads use at the same time.
  private static let table = AtomicState(BindingRows(), spareBlocks: 11)
  #endif

  /// Notes that `binding` sets the property `key` of `object` until it ends.
  @usableFromInline
  static func enter(_ binding: Subscription, of object: AnyObject, at key: AnyKeyPath) {
    #if DEBUG
    let entry = ActiveBinding(binding, of: object, with: object, as: .target(key))
    table.change { table in
      if table.entries(of: entry.object).contains(where: { $0.role == entry.role }) {
        fatalError(
          """
          weir: bind(to:): \(type(of: key).rootType) at \(key) is bound already; dispose the first binding before you make a \
          second one, or merge the two signals into one
          """)
      }
      table.add(entry)
    }
    #endif
  }

  /// Notes that `binding` keeps `left` and `right` equal until it ends.
  @usableFromInline
  static func enter(_ binding: Subscription, between left: AnyObject, and right: AnyObject) {
    #if DEBUG
    let there = ActiveBinding(binding, of: left, with: right, as: .equal(to: ObjectIdentifier(right)))
    let back = ActiveBinding(binding, of: right, with: left, as: .equal(to: ObjectIdentifier(left)))
    table.change { table in
      if table.isLinked(there.object, back.object) {
        fatalError(
          """
          weir: <->, bindBothWays(with:): the two properties are bound to each other already, directly or through \
          others; another binding would close a cycle, in which a value goes round for ever: remove one of the bindings
          """)
      }
      table.add(there)
      table.add(back)
    }
    #endif
  }
}

#if DEBUG
/// One binding. Unchecked: written once; weak loads are atomic.
private final class ActiveBinding: @unchecked Sendable {
  enum Role: Hashable {
    case target(AnyKeyPath)
    case equal(to: ObjectIdentifier)
  }

  let object: ObjectIdentifier
  let role: Role
  private weak var owner: AnyObject?
  private weak var other: AnyObject?
  private weak var binding: Subscription?

  init(_ binding: Subscription, of object: AnyObject, with other: AnyObject, as role: Role) {
    self.object = ObjectIdentifier(object)
    self.role = role
    self.binding = binding
    owner = object
    self.other = other
  }

  // Both objects, as the binding may end some time after one of them was deallocated.
  var isActive: Bool { owner != nil && other != nil && binding?.isDisposed == false }
}

/// The entries by object.
private struct BindingRows: Sendable {
  private struct Row: Sendable {
    var entries: [ObjectIdentifier: [ActiveBinding]] = [:]
    var count = 0
    /// At how many entries the row is pruned.
    var limit = 16

    mutating func prune() {
      entries = entries.mapValues { $0.filter(\.isActive) }.filter { !$0.value.isEmpty }
      count = entries.values.reduce(0) { $0 + $1.count }
      limit = max(16, 2 * count)
    }
  }

  private var rows = [Row](repeating: Row(), count: 64)

  private func row(of object: ObjectIdentifier) -> Int { Int(UInt(bitPattern: object.hashValue) % 64) }

  func entries(of object: ObjectIdentifier) -> [ActiveBinding] {
    (rows[row(of: object)].entries[object] ?? []).filter(\.isActive)
  }

  mutating func add(_ entry: ActiveBinding) {
    let index = row(of: entry.object)
    if rows[index].count == rows[index].limit { rows[index].prune() }
    rows[index].entries[entry.object, default: []].append(entry)
    rows[index].count += 1
  }

  /// Whether two-way bindings lead from one object to the other. Searches from the one with fewer bindings: a
  /// property without one is told from one with thousands of them in one step.
  func isLinked(_ left: ObjectIdentifier, _ right: ObjectIdentifier) -> Bool {
    let (start, goal) = count(of: left) < count(of: right) ? (left, right) : (right, left)
    var (seen, open): (Set, [ObjectIdentifier]) = ([start], [start])
    while let here = open.popLast() {
      if here == goal { return true }
      for case .equal(let next) in entries(of: here).map(\.role) where seen.insert(next).inserted {
        open.append(next)
      }
    }
    return false
  }

  private func count(of object: ObjectIdentifier) -> Int { rows[row(of: object)].entries[object]?.count ?? 0 }
}
#endif
