// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// How much a server keeps for one connection.
package struct ServerLimits: Sendable {
  /// Events that wait for a reader that does not keep up; then the oldest are dropped, and it is told how
  /// many.
  package var waitingEvents = 4_096
  /// Bytes of a command, and so nearly of an event.
  package var lineLength = 4_096
  /// Topics that a connection may be subscribed to.
  package var topicsOfConnection = 1_024
  /// Bytes on their way to the kernel from which on events wait, and commands: the rest of what was read, and
  /// then nothing more is read.
  package var bufferedBytes = 65_536

  package init() {}
}
