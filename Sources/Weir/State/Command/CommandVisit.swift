// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Command visit
//
// Guarantees: an execution requested inside a handler of a command's own signals, or while its thread starts
// work of the command, is started by the same thread when that is over, after those requested before it, and
// in a loop: where one start leads to the next the stack does not grow, whatever other threads are doing.
//
// State: a thread that delivers events of a command, or starts its work, has a visit on its stack, one for
// each command, however deep it is nested; a slot of the thread points to the innermost, and each one to the
// next outwards. So all of it belongs to one thread, and nothing is atomic.
//
// Invariants:
//  1. A visit is in the thread's chain from before the first delivery until after the last start that was
//     postponed there. A nested delivery of the same command finds it and makes none.
//  2. Nested deliveries append to `line`; only the outermost one takes out of it, after its own delivery and
//     start.

/// What the calling thread does for one command, and the starts that it has postponed.
struct CommandVisit {
  private let command: ObjectIdentifier
  private let outer: UnsafeMutableRawPointer?
  private var line = FIFO<ScheduledExecution>()

  private init(to command: ObjectIdentifier, inside outer: UnsafeMutableRawPointer?) {
    self.command = command
    self.outer = outer
  }

  /// Delivers events, and then starts work: now, or, if this thread is just delivering events of the command
  /// or starting its work further up the stack, when that is over.
  ///
  /// - Parameters:
  ///   - command: the object that identifies the command.
  ///   - deliver: calls handlers.
  ///   - execution: what `deliver` announces, to be started.
  static func deliver(
    for command: AnyObject, by deliver: () -> Void, then execution: ScheduledExecution? = nil
  ) {
    let slot = weir_thread_command()
    let innermost = slot.pointee
    let command = ObjectIdentifier(command)
    if let visit = visit(to: command, from: innermost) {
      deliver()
      if let execution { visit.pointee.line.append(execution) }
      return
    }
    withUnsafeTemporaryAllocation(of: CommandVisit.self, capacity: 1) { memory in
      let visit = memory.baseAddress.unsafelyUnwrapped
      visit.initialize(to: CommandVisit(to: command, inside: innermost))
      slot.pointee = UnsafeMutableRawPointer(visit)
      deliver()
      execution?.begin()
      while let execution = visit.pointee.line.popFirst() { execution.begin() }
      slot.pointee = innermost
      visit.deinitialize(count: 1)
    }
  }

  private static func visit(
    to command: ObjectIdentifier, from innermost: UnsafeMutableRawPointer?
  ) -> UnsafeMutablePointer<CommandVisit>? {
    var next = innermost
    while let visit = next?.assumingMemoryBound(to: CommandVisit.self) {
      if visit.pointee.command == command { return visit }
      next = visit.pointee.outer
    }
    return nil
  }
}
