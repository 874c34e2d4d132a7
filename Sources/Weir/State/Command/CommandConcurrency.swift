// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// How many executions of a ``Command`` may run at the same time.
///
/// ReactiveObjC: `allowsConcurrentExecution`, NO and YES.
@frozen
public enum CommandConcurrency: Sendable {
  /// One: while it runs, the command is not enabled.
  case one
  /// As many as there are.
  case many
}
