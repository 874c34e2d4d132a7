// Part of Weir. SPDX-License-Identifier: Apache-2.0
import MutexBaseline
import Testing

/// One of the three forms, so that every test runs over all of them.
enum Form: String, CaseIterable, CustomTestStringConvertible {
  case copy, inside, snapshot

  var testDescription: String { "mutex-\(rawValue)" }

  func makeSubject() -> AnySubject {
    switch self {
    case .copy: AnySubject(MutexCopySubject<Int>())
    case .inside: AnySubject(MutexInsideSubject<Int>())
    case .snapshot: AnySubject(MutexSnapshotSubject<Int>())
    }
  }
}

/// A subject of any form.
struct AnySubject: Sendable {
  typealias Dispose = @Sendable () -> Void

  let send: @Sendable (Int) -> Void
  let complete: @Sendable () -> Void
  private let add: @Sendable (@escaping @Sendable (Int) -> Void, @escaping @Sendable () -> Void) -> Dispose

  init<Subject: MutexSubject>(_ subject: Subject) where Subject.Value == Int {
    send = { subject.send($0) }
    complete = { subject.complete() }
    add = { next, completed in
      let subscription = subject.subscribe(next: next, completed: completed)
      return { subscription.dispose() }
    }
  }

  @discardableResult
  func subscribe(
    next: @escaping @Sendable (Int) -> Void, completed: @escaping @Sendable () -> Void = {}
  ) -> Dispose {
    add(next, completed)
  }
}
