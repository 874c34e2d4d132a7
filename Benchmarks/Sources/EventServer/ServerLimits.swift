// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// How much a server stores for one connection.
package struct ServerLimits: Sendable {
  /// How many events wait for a client that does not keep up; beyond that the oldest are dropped, and the
  /// client is told how many.
  package var waitingEvents = 4_096
  /// The maximum length of a command, in bytes, and so roughly of an event.
  package var lineLength = 4_096
  /// How many topics a connection may be subscribed to.
  package var topicsOfConnection = 1_024
  /// If this many bytes wait to be passed to the kernel, further events wait, and so do the commands that
  /// were read; no more commands are read.
  package var bufferedBytes = 65_536

  package init() {}
}
