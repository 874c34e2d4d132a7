// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The live objects, by the place where each was made.
final class Roll: @unchecked Sendable {  // all state under the lock
  struct Place: Hashable {
    let what: String
    let fileID: String
    let line: UInt
  }

  private struct Followed {
    let place: Place
    weak var object: AnyObject?
  }

  private let lock = Lock()
  private var counts: [Place: Int] = [:]
  private var followed: [Followed] = []

  func add(_ number: Int, at place: Place) {
    lock.withLock { counts[place, default: 0] += number }
  }

  func follow(_ object: AnyObject, at place: Place) {
    lock.withLock { followed.append(Followed(place: place, object: object)) }
  }

  /// How many are alive, for each place.
  var alive: [Place: Int] {
    let (made, candidates) = lock.withLock { (counts, followed) }
    var alive = made
    // Outside the lock: loading a weak reference retains the object for a moment, and its last release may be
    // here.
    for candidate in candidates where candidate.object != nil { alive[candidate.place, default: 0] += 1 }
    return alive
  }
}
