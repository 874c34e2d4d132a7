// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Counts objects that are alive, to prove that something releases what it captured.
///
/// ```swift
/// let resources = Resources()
/// let subscription = subject.subscribe { [token = resources.make()] _ in _ = token }
/// subscription.dispose()
/// #expect(resources.alive == 0)
/// ```
///
/// ``problem`` says where those still alive were made, and ``findLeaks(_:)`` is the whole test in one call.
///
/// ReactiveObjC has none.
public final class Resources: Sendable {
  private let roll = Roll()

  /// A counter without objects.
  public init() {}

  /// How many of the objects it made or follows are alive.
  public var alive: Int { roll.alive.values.reduce(0, +) }

  /// A new object; capture it in a closure that must be released.
  ///
  /// - Parameters:
  ///   - fileID: the place that ``problem`` names, with `line`.
  ///   - line: see `fileID`.
  public func make(fileID: String = #fileID, line: UInt = #line) -> Resource {
    Resource(Roll.Place(what: "resource", fileID: fileID, line: line), in: roll)
  }

  /// Counts an object of your own for as long as it is alive, without retaining it.
  ///
  /// - Parameters:
  ///   - object: the object that must be released.
  ///   - fileID: the place that ``problem`` names, with `line`.
  ///   - line: see `fileID`.
  /// - Returns: the object.
  @discardableResult
  public func follow<Object: AnyObject & Sendable>(
    _ object: Object, fileID: String = #fileID, line: UInt = #line
  ) -> Object {
    roll.follow(object, at: Roll.Place(what: "\(Object.self)", fileID: fileID, line: line))
    return object
  }

  /// The objects that are still alive, and where they were made; nil if there are none.
  public var problem: Problem? {
    let alive = roll.alive.filter { $0.value > 0 }
    if alive.isEmpty { return nil }
    let lines = alive.map { place, count in
      "  \(count) × \(place.what), made at \(place.fileID):\(place.line)"
    }
    return Problem((["still alive:"] + lines.sorted()).joined(separator: "\n"))
  }

  /// An object that is counted while it is alive.
  public final class Resource: Sendable {
    private let place: Roll.Place
    private let roll: Roll
    fileprivate init(_ place: Roll.Place, in roll: Roll) {
      self.place = place
      self.roll = roll
      roll.add(1, at: place)
    }
    deinit { roll.add(-1, at: place) }
  }
}
